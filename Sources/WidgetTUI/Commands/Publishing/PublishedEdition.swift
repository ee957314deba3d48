import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// A page at a moment, as it is published.
nonisolated struct PublishedEdition {
  /// The page.
  let page: WebPage
  /// When it was made.
  let moment: Moment
  /// The page and its cards as SVG, by the names of their files; none until the edition is published.
  var pictures: [String: String] = [:]

  /// The files, by their names; the page comes last.
  var files: [(name: String, bytes: [UInt8])] {
    pictures.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }
      + [(PublishedFile.page, Array(page.text.utf8))]
  }

  /// What of it tells whether another one has to follow.
  var summary: Summary { Summary(page, at: moment) }

  /// What can be seen of an edition, and for how long its dates are good.
  struct Summary {
    private struct Dates: Equatable {
      var date: Date?
      var end: Date?
    }

    private let moment: Moment
    private let faces: [WebCard.Face]
    private let dates: [Dates]

    init(_ page: WebPage, at moment: Moment) {
      self.moment = moment
      faces = page.cards.map(\.face)
      dates = page.cards.map { Dates(date: $0.date, end: $0.end) }
    }

    /// Whether it has to follow another one: something else is seen, or the dates of a card have changed and half of the
    /// time has passed for which those of the other were good.
    ///
    /// The time is that of a clock that nobody sets.
    func follows(_ last: Summary) -> Bool {
      guard faces == last.faces else { return true }
      let passed = last.moment.now.duration(to: moment.now)
      return zip(dates, last.dates).contains { new, old in
        guard new != old, let end = old.end else { return false }
        return passed >= .saturated(seconds: end.timeIntervalSince(last.moment.date) / 2)
      }
    }
  }
}
