/// What is shown of the text of a notice: a message of a widget has room for some of them alone.
struct NoticeBody {
  /// Of a text that is not opened: what fills two rows, in any script.
  private static let closedBytes = 1000
  /// Of one that is opened; the host takes no text over 16 KiB.
  private static let openedBytes = 15_000
  /// Of all that are opened.
  private static let allBytes = 120_000

  /// The text.
  let text: String
  /// Whether the user has opened it.
  let isOpened: Bool
  /// How many are opened.
  let openedCount: Int

  /// The text, or its first whole characters and “…”.
  var shown: String {
    let opened = min(Self.openedBytes, Self.allBytes / max(1, openedCount))
    let limit = isOpened ? max(opened, Self.closedBytes) : Self.closedBytes
    guard text.utf8.count > limit else { return text }
    var result = ""
    var count = "…".utf8.count
    for character in text {
      count += character.utf8.count
      if count > limit { break }
      result.append(character)
    }
    return result + "…"
  }
}
