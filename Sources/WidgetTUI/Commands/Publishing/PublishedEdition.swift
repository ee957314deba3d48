import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// A page at a moment, as it is published.
nonisolated struct PublishedEdition {
  /// The page.
  let page: WebPage
  /// The page and its cards as pictures, by the names of their files.
  let pictures: [String: String]
  /// When it was made.
  let date: Date
  private let faces: [WebCard.Face]

  /// - Parameters:
  ///   - page: The page.
  ///   - pictures: The page and its cards as SVG, by the names of their files.
  ///   - date: When it was made.
  init(_ page: WebPage, pictures: [String: String], date: Date) {
    (self.page, self.pictures, self.date) = (page, pictures, date)
    faces = page.cards.map(\.face)
  }

  /// The files, by their names; the page comes last.
  var files: [(name: String, bytes: [UInt8])] {
    pictures.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }
      + [("index.html", Array(page.text.utf8))]
  }

  /// Whether it has to follow another one: something else is seen, or half of the time has passed for which the dates
  /// of the other are good.
  func follows(_ last: PublishedEdition) -> Bool {
    guard faces == last.faces else { return true }
    guard let end = last.page.cards.compactMap(\.end).min() else { return false }
    let half = end.timeIntervalSince(last.date) / 2
    return date.timeIntervalSince(last.date) >= half && dates != last.dates
  }

  private var dates: [Date?] { page.cards.flatMap { [$0.date, $0.end] } }
}
