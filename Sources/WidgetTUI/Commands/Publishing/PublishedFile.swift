import WidgetCards
import WidgetPlatform

/// The names of the files of a published page.
nonisolated enum PublishedFile {
  /// The page.
  static let page = "index.html"
  /// The page as a picture.
  static let picture = "page.svg"

  private static let card = (start: "card-", end: ".svg")

  /// The picture of a card.
  static func picture(of id: CardID) -> String { card.start + id.fileName + card.end }

  /// Whether a page can have a file of this name, which others may have written.
  static func isName(_ name: String) -> Bool {
    [page, picture].contains(name)
      || name.hasPrefix(card.start) && name.hasSuffix(card.end)
        && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
  }
}
