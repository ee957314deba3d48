import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// A text as a card of the page: the script that the share extension Pin makes of it.
struct PinnedText {
  private let script: WrittenScript

  /// The rows that a card has.
  private static let lineLimit = 100
  /// The most characters in base64: a word of a command line has at most 128 KiB.
  private static let characterLimit = 100_000

  /// Fails if that is too long for a card.
  ///
  /// - Parameters:
  ///   - text: The text, of which the card has the first 100 lines.
  ///   - title: The heading.
  init?(_ text: String, title: String) {
    var lines = text.utf8.split(
      separator: UInt8(ascii: "\n"),
      maxSplits: Self.lineLimit,
      omittingEmptySubsequences: false
    )
    // What is behind the last line of the card.
    if lines.count > Self.lineLimit { lines[Self.lineLimit] = Substring().utf8 }
    let bytes = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
    // In base64 nothing of the text can be a line of the script, or end it.
    let plain = bytes.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    guard plain.utf8.count <= Self.characterLimit else { return nil }
    script = WrittenScript(
      name: title,
      options: [("title", title), ("format", "text"), ("interval", "1d"), ("lines", "100")],
      body: "base64 -d <<'END'\n\(plain)\nEND"
    )
  }

  /// Adds the card.
  ///
  /// - Parameter environment: The environment of the user.
  /// - Returns: The identifier of the card.
  /// - Throws: ``CommandError`` if the script cannot be written.
  func add(_ environment: [String: String]) throws(CommandError) -> ExtensionIdentity {
    guard let folder = WrittenScript.folder(environment) else {
      throw .unavailable("there is no home folder (HOME)")
    }
    let script = script.unused(in: folder)
    try CommandError.from { () throws(HostError) in try script.write(to: folder) }
    return ExtensionIdentity(script.identifier)
  }
}
