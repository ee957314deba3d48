import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetSessions

@testable import WidgetTUI

@Suite struct CardHeadingTests {
  private func words(_ card: Card, columns: Int, hasFocus: Bool = true) -> String {
    let heading = CardHeading(
      card,
      columns: columns,
      now: SamplePage.now,
      glyphs: .unicode,
      hasFocus: hasFocus
    )
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

  @Test(arguments: [0.0, 2.5, 3, 59.2, 60, 3599, 3600, 90_000], [false, true])
  func `an age changes exactly when it says`(seconds: Double, counts: Bool) {
    let date = SamplePage.now.addingTimeInterval(-seconds)
    let next = AgeWording.nextChange(of: date, after: SamplePage.now, countsSeconds: counts)
    #expect(next > SamplePage.now)
    func words(_ seconds: Double) -> SafeText {
      AgeWording.words(for: seconds, countsSeconds: counts)
    }
    #expect(words(next.timeIntervalSince(date) - 0.01) == words(seconds))
    #expect(words(next.timeIntervalSince(date)) != words(seconds))
  }

  @Test(arguments: [(0.5, "now"), (1.0, "1 s"), (59.9, "59 s"), (60.0, "1 min"), (-5.0, "now")])
  func `an overdue age is counted in seconds`(seconds: Double, expected: String) {
    #expect(AgeWording.words(for: seconds, countsSeconds: true).string == expected)
  }

  @Test(arguments: [
    // Columns, whether the card has the focus: with its name, the sign, and what follows.
    (40, true, "◷ Reminders | now  ▾"), (40, false, "◷ Reminders | ▾"),
    (20, true, "◷ Reminders | now"),
    (13, true, "◷ Reminders"), (12, true, "Reminders"), (8, true, "Remin…"),
  ])
  func `a sign is before the name, and goes before it is cut`(
    columns: Int,
    hasFocus: Bool,
    expected: String
  ) {
    var card = SamplePage.card("Reminders", .live, age: 1)
    card.offersExpanded = true
    card.mark = CardMark(glyph: "◷", tint: .cyan)
    for glyphs in GlyphSet.allCases {
      let heading = CardHeading(
        card,
        columns: columns,
        now: SamplePage.now,
        glyphs: glyphs,
        hasFocus: hasFocus
      )
      if glyphs == .unicode {
        let mark = heading.mark.map { $0.line.glyphs.map(\.text).joined() + " " } ?? ""
        #expect(heading.mark.map { $0.style.foreground == .cyan } ?? true)
        #expect(mark + words(card, columns: columns, hasFocus: hasFocus) == expected)
      } else {
        #expect(heading.mark == nil)
      }
    }
  }

  @Test func `a long reason is cut before the name`() {
    var card = SamplePage.card("where", .failed, age: 5)
    card.message = "unreachable since 3:44: Could not resolve hostname nowhere.example.org"
    for columns in 50...74 {
      #expect(words(card, columns: columns).hasPrefix("where | ⚠ unreachable since 3:44"))
    }
    card.message = "there is no connection to the server (calendar.example.org)"
    for columns in 37...80 {
      let heading = words(card, columns: columns)
      // The name is cut only where that makes room for all of the reason.
      let isWhole = heading.contains("(calendar.example.org)")
      #expect(heading.hasPrefix("where | ⚠ there is no conne") || isWhole, "\(heading)")
    }
  }

  @Test func `an age that is as it should be is shown with the focus alone`() {
    var card = SamplePage.card("Clock", .live, age: 5)
    #expect(words(card, columns: 38, hasFocus: false) == "Clock")
    #expect(words(card, columns: 38) == "Clock | now")
    card = SamplePage.card("Clock", .live, age: 250)
    #expect(words(card, columns: 38, hasFocus: false) == "Clock | 4 min")
    card.isWithinInterval = true
    #expect(words(card, columns: 38, hasFocus: false) == "Clock")
    #expect(words(card, columns: 38) == "Clock | 4 min")
    card.hasMissedUpdate = true
    #expect(words(card, columns: 38, hasFocus: false) == "Clock | 4 min")
  }

  @Test func `a card without problems shows its age`() {
    #expect(words(SamplePage.card("Clock", .live, age: 250), columns: 38) == "Clock | 4 min")
    #expect(words(SamplePage.card("Clock", .starting), columns: 38) == "Clock")
  }

  @Test(arguments: [
    (78, "Builds | ⚠ no answer for 30 s · 12 min old · retry"),
    (45, "Builds | ⚠ no answer for 30 s · 12 min old"),
    (38, "Builds | ⚠ no answer for 30 s"),
    (32, "Builds | ⚠ no answer for 30 s"),
    (28, "Builds | ⚠ no answer for…"),
    (18, "Builds | ⚠"),
    (11, "Buil… | ⚠"),
  ])
  func `a problem is shortened if there is less room`(columns: Int, expected: String) {
    var card = SamplePage.card("Builds", .failed, age: 725)
    card.message = "no answer for 30 s"
    #expect(words(card, columns: columns) == expected)
  }

  @Test(arguments: [
    (78, "Disk · server | ⚠ unreachable since 14:25: Connection refused · 12 min old"),
    (60, "Disk · server | ⚠ unreachable since 14:25 · 12 min"),
    (50, "Disk · server | ⚠ unreachable since 14:25"),
    (38, "Disk · server | ⚠ unreachable since…"),
    (30, "Disk · server | ⚠ unreachab…"),
  ])
  func `what has happened comes before the reason`(columns: Int, expected: String) {
    var card = SamplePage.card("Disk · server", .failed, age: 725)
    card.message = "unreachable since 14:25: Connection refused"
    #expect(words(card, columns: columns) == expected)
    card.message = "Unable to Load: crashed (SIGSEGV), starts again in 1 s"
    if columns > 30 { #expect(words(card, columns: columns).contains("Unable to Load: c")) }
  }

  @Test(arguments: 18...80)
  func `a problem is shown beside a long name of wide characters`(columns: Int) {
    var card = SamplePage.card("天気予報 for a town with a long name", .failed, age: 45)
    card.message = "no answer for 30 s"
    card.offersExpanded = true
    let whole = words(card, columns: columns)
    #expect(whole.contains(columns < 29 ? "⚠ no a" : "⚠ no answer for 30 s"), "\(whole)")
    #expect(whole.hasPrefix("天"), "\(whole)")
    if columns >= 36 { #expect(whole.contains("45 s"), "\(whole)") }
    card.message = "天気が分からない"
    let wide = words(card, columns: columns)
    #expect(wide.contains("⚠ 天気"), "\(wide)")
  }

  @Test(arguments: [
    (38, "Buildings | updating · 25 s  ▾"), (26, "Buildings | … 25 s"),
    (24, "Buildings | … 25 s"), (22, "Buildings | … 25 s"), (15, "Buildings | …"),
    (13, "Bui… | 25 s"),
  ])
  func `an update in progress is shown with an exact age`(
    columns: Int,
    expected: String
  ) {
    var card = SamplePage.card("Buildings", .live, age: 25)
    card.isUpdating = true
    card.offersExpanded = true
    #expect(words(card, columns: columns) == expected)
  }

  @Test(arguments: [
    (38, "Builds | 4 min  partial sandbox  ▾"), (34, "Builds | 4 min  partial sandbox"),
    (30, "Builds | 4 min"), (17, "Builds | 4 min"),
  ])
  func `a sandbox that is not the full one is named where there is room`(
    columns: Int,
    expected: String
  ) {
    var card = SamplePage.card("Builds", .live, age: 250)
    card.isInPartialSandbox = true
    card.offersExpanded = true
    #expect(words(card, columns: columns) == expected)
    card.contentDate = nil
    #expect(words(card, columns: 38) == "Builds | partial sandbox  ▾")
  }

  @Test func `an update in progress is a word in every character set`() {
    var card = SamplePage.card("Builds", .live, age: 0)
    card.isUpdating = true
    for glyphs in [GlyphSet.unicode, .console, .ascii] {
      let heading = CardHeading(
        card,
        columns: 38,
        now: SamplePage.now,
        glyphs: glyphs,
        hasFocus: true
      )
      #expect(heading.parts.map { $0.line.glyphs.map(\.text).joined() } == ["updating"])
    }
    card.state = .failed
    card.message = "no network"
    #expect(words(card, columns: 50) == "Builds | ⚠ no network · updating")
  }

  @Test(arguments: [
    (60, "Buildings | ⚠ 25 s old · updating  ▾"), (34, "Buildings | ⚠ 25 s old …"),
    (24, "Buildings | ⚠ …"), (20, "Buildings | ⚠ …"),
  ])
  func `an update in progress is shown beside a problem`(columns: Int, expected: String) {
    var card = SamplePage.card("Buildings", .live, age: 25)
    card.isUpdating = true
    card.isStale = true
    card.offersExpanded = true
    #expect(words(card, columns: columns) == expected)
    card.message = "a message that has no room for all of its words"
    if columns >= 24 {
      let words = words(card, columns: columns)
      #expect(words.hasSuffix("updating  ▾") || words.hasSuffix(" …"), "\(words)")
    }
  }

  @Test func `the age after a missed update is counted in seconds, and stays beside a long name`() {
    var card = SamplePage.card("A name that takes more than there is", .live, age: 25)
    #expect(words(card, columns: 60).hasSuffix("| now"))
    card.hasMissedUpdate = true
    for columns in 14...60 { #expect(words(card, columns: columns).hasSuffix("| 25 s")) }
    card.isStale = true
    #expect(words(card, columns: 60).hasSuffix("| ⚠ 25 s old · retry"))
  }

  @Test func `a problem is never only a symbol if there is room for a word`() {
    var card = SamplePage.card("Builds", .failed, age: 0)
    #expect(words(card, columns: 38) == "Builds | ⚠ failed · retry")
    card.state = .stopped
    #expect(words(card, columns: 38) == "Builds | ⚠ stopped · retry")
  }

  @Test func `an update that failed in an earlier run is a problem with a word`() {
    var card = SamplePage.card("Builds", .snapshot, age: 1)
    card.hasFailedUpdate = true
    #expect(words(card, columns: 46) == "Builds | ⚠ update failed · 1 s old · retry")
    #expect(words(card, columns: 38) == "Builds | ⚠ update failed · 1 s old")
    card.state = .live
    card.contentDate = card.contentDate?.addingTimeInterval(-299)
    #expect(words(card, columns: 46) == "Builds | ⚠ update failed · 5 min old · retry")
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

  @Test func `stale content is marked, with a retry`() {
    var card = SamplePage.card("Builds", .live, age: 725)
    card.isStale = true
    #expect(words(card, columns: 38) == "Builds | ⚠ 12 min old · retry")
  }
}
