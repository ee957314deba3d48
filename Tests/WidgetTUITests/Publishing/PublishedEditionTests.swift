import Foundation
import Testing
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

@testable import WidgetTUI

/// When an edition has to follow another one.
@Suite struct PublishedEditionTests {
  private typealias Dates = (date: Double?, end: Double?)

  /// Cards whose dates are so many seconds after the start, at a moment after that on two clocks.
  private func summary(
    _ cards: [Dates],
    at seconds: Double,
    wall: Double? = nil,
    name: SafeText = "Card"
  ) -> PublishedEdition.Summary {
    let page = WebPage(
      title: "Home",
      date: SamplePage.now,
      reload: 60,
      cards: cards.map { dates in
        var card = WebCard(SamplePage.card(name, .live, age: 0))
        card.date = dates.date.map { SamplePage.now.addingTimeInterval($0) }
        card.end = dates.end.map { SamplePage.now.addingTimeInterval($0) }
        return card
      },
      light: Theme(depth: .full, isDark: false),
      dark: Theme(depth: .full, isDark: true)
    )
    let moment = Moment(
      now: Self.start + .seconds(seconds),
      date: SamplePage.now.addingTimeInterval(wall ?? seconds)
    )
    return PublishedEdition.Summary(page, at: moment)
  }

  private static let start = ContinuousClock.now

  @Test func `something else is seen at once, and the same never`() {
    let first = summary([(0, 120)], at: 0)
    #expect(summary([(1, 121)], at: 1, name: "Other").follows(first))
    #expect(!summary([(0, 120)], at: 500).follows(first))
    #expect(summary([], at: 1).follows(first))
  }

  @Test func `other dates follow when half of their time has passed`() {
    let first = summary([(0, 120)], at: 0)
    #expect(!summary([(59, 179)], at: 59).follows(first))
    #expect(summary([(60, 180)], at: 60).follows(first))
    // One without an interval is never due.
    #expect(!summary([(60, nil)], at: 60).follows(summary([(0, nil)], at: 0)))
  }

  @Test func `a card that is out of date makes no edition, and one that is current again does`() {
    let first = summary([(-500, -380), (0, 3600)], at: 0)
    #expect(!summary([(-500, -380), (60, 3660)], at: 60).follows(first))
    #expect(summary([(-500, -380), (1800, 5400)], at: 1800).follows(first))
    #expect(summary([(1, 121), (0, 3600)], at: 1).follows(first))
  }

  @Test func `a clock that was set back delays nothing`() {
    let first = summary([(0, 120)], at: 0)
    #expect(summary([(-3540, -3420)], at: 60, wall: -3540).follows(first))
    #expect(!summary([(3601, 3721)], at: 1, wall: 3601).follows(first))
  }
}
