import FoundationEssentials
import Testing
import WidgetHost
import WidgetKitCore

@testable import WidgetTUI

@Suite struct CardHeadingTests {
  private func words(_ card: Card, columns: Int) -> String {
    let heading = CardHeading(card, columns: columns, now: SamplePage.now, glyphs: .unicode)
    #expect(heading.name.width + heading.partsWidth <= max(0, columns - 2))
    let name = heading.name.glyphs.map(\.text).joined()
    let parts = heading.parts.map { $0.line.glyphs.map(\.text).joined() }.joined()
    return parts.isEmpty ? name : "\(name) | \(parts)"
  }

  @Test(arguments: [
    (0.0, "now"), (59.9, "now"), (-50.0, "now"), (60.0, "1 min"), (250.0, "4 min"),
    (7_300.0, "2 h"),
    (200_000.0, "2 d"), (Double.nan, "now"), (Double.infinity, "now"),
  ])
  func `ages are short`(seconds: Double, expected: String) {
    #expect(AgeWording.words(for: seconds).string == expected)
  }

  @Test(arguments: [0.0, 2.5, 3, 59.2, 60, 3599, 3600, 90_000])
  func `an age is the same until it says it changes`(seconds: Double) {
    let date = SamplePage.now.addingTimeInterval(-seconds)
    let next = AgeWording.nextChange(of: date, after: SamplePage.now)
    #expect(next > SamplePage.now)
    let words = AgeWording.words(for: seconds)
    #expect(AgeWording.words(for: next.timeIntervalSince(date) - 0.01) == words)
    #expect(AgeWording.words(for: next.timeIntervalSince(date)) != words)
  }

  @Test func `a card that is well says its age`() {
    #expect(words(SamplePage.card("Clock", .live, age: 250), columns: 38) == "Clock | 4 min")
    #expect(words(SamplePage.card("Clock", .starting), columns: 38) == "Clock")
  }

  @Test(arguments: [
    (78, "Builds | ⚠ no answer for 30 s · 12 min old · retry"),
    (45, "Builds | ⚠ no answer for 30 s · retry"),
    (32, "Builds | ⚠ no answer for 30 s"),
    (28, "Builds | ⚠ no answer for…"),
    (20, "Builds"),
  ])
  func `trouble says less where there is less room`(columns: Int, expected: String) {
    var card = SamplePage.card("Builds", .failed, age: 725)
    card.message = "no answer for 30 s"
    let words = words(card, columns: columns)
    if columns == 20 {
      #expect(words.hasPrefix("Builds | ⚠"))
    } else {
      #expect(words == expected)
    }
  }

  @Test(arguments: 0...80)
  func `a heading fits at every width`(columns: Int) {
    var card = SamplePage.card("天気予報 for a town with a long name", .stopped, age: 725)
    card.message = "a very long message\nin two lines about what went wrong"
    card.offersExpanded = true
    _ = words(card, columns: columns)
    card.pressCue = "waiting for the widget"
    _ = words(card, columns: columns)
  }

  @Test func `old content says so and what to do`() {
    var card = SamplePage.card("Builds", .live, age: 725)
    card.isStale = true
    #expect(words(card, columns: 38) == "Builds | ⚠ 12 min old · retry")
  }
}
