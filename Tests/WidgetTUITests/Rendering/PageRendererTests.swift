import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetSessions

@testable import WidgetTUI

@Suite struct PageRendererTests {
  private func render(_ format: PageFormat, width: Int) -> String {
    let renderer = PageRenderer(width: width, date: SamplePage.now, showsHeader: false)
    var page = SamplePage.Page()
    for _ in 0..<3 { page = SamplePage.page(renderer.widths(page.cards, bodies: page.bodies)) }
    return String(
      decoding: renderer.render(page.cards, bodies: page.bodies, as: format),
      as: UTF8.self
    )
  }

  @Test(arguments: [20, 40, 80, 120, 200])
  func `the page as text looks as recorded`(width: Int) {
    Golden.expect(render(.text, width: width), matches: "Page.\(width).txt")
  }

  @Test(arguments: [PageFormat.svg, .html, .ansi])
  func `the page as SVG and HTML looks as recorded`(format: PageFormat) {
    Golden.expect(render(format, width: 80), matches: "Page.80.\(format.rawValue)")
  }

  @Test(arguments: PageFormat.allCases, [-1, 0, 1, 5, 20, 400])
  func `every format can be written at every width`(format: PageFormat, width: Int) {
    #expect(render(format, width: width).hasSuffix("\n"))
  }

  @Test func `text has no trailing spaces and no escape sequences`() {
    let text = render(.text, width: 80)
    #expect(!text.split(separator: "\n").contains { $0.hasSuffix(" ") })
    #expect(!text.contains("\u{1B}"))
  }

  @Test func `every line of ANSI text ends with the default style`() {
    for line in render(.ansi, width: 80).split(separator: "\n") where line.contains("\u{1B}") {
      #expect(line.hasSuffix("\u{1B}[0m"))
    }
  }

  @Test(arguments: [PageFormat.svg, .html])
  func `no text breaks out of the markup`(format: PageFormat) {
    let hostile: SafeText = #"</text></svg><script>alert("&'x")</script>-->"#
    var page = SamplePage.Page()
    page.add(
      SamplePage.card(hostile, .live, age: 0),
      CardBody(
        LaidOutView(size: Size(columns: 60, rows: 1), runs: [SamplePage.run(hostile, row: 0)])
      )
    )
    let renderer = PageRenderer(width: 64, date: SamplePage.now)
    let text = String(
      decoding: renderer.render(page.cards, bodies: page.bodies, as: format),
      as: UTF8.self
    )
    #expect(!text.contains("<script"))
    #expect(text.split(separator: "</svg>").count == (format == .svg ? 2 : 1))
    #expect(text.contains("&lt;script&gt;alert(&quot;&amp;&#39;x&quot;)"))
  }

  @Test func `characters that XML forbids are replaced`() {
    #expect(MarkupText.escaped("a\u{0}\u{1B}\u{FFFE}b") == "a\u{FFFD}\u{FFFD}\u{FFFD}b")
  }

  @Test func `the JSON object has the documented members`() throws {
    let text = render(.json, width: 80)
    let page = try JSONDecoder().decode(DecodedPage.self, from: Data(text.utf8))
    #expect(page.width == 80)
    #expect(
      page.cards.map(\.state) == [
        "live", "live", "snapshot", "failed", "starting", "stopped",
      ]
    )
    #expect(page.cards[0].rows.first == "14:32:07  Copenhagen")
    #expect(page.cards[0].size == Size(columns: 36, rows: 2))
    #expect(page.cards[3].message == "no answer for 30 s")
    #expect(page.cards[3].age == 725)
  }

  @Test(arguments: [
    (0.0, 0.0), (0.25, 0.25), (61.0, 61.0), (90_000.0, 90_000.0), (-5.0, 0.0),
  ])
  func `the age in JSON follows the clock`(seconds: Double, age: Double) throws {
    var card = SamplePage.card("Clock", .live, age: 0)
    card.isStale = seconds > 60
    let without = SamplePage.card("Empty", .starting)
    let renderer = PageRenderer(width: 80, date: SamplePage.now.addingTimeInterval(seconds))
    let bytes = renderer.render([card, without], bodies: [:], as: .json)
    let page = try JSONDecoder().decode(DecodedPage.self, from: Data(bytes))
    // Of a clock that was set back nothing is made that is younger than now.
    #expect(page.cards.map(\.age) == [age, nil])
    #expect(page.cards.map(\.stale) == [seconds > 60, false])
  }

  private struct DecodedPage: Decodable {
    struct Card: Decodable {
      var bundleIdentifier: String
      var state: String
      var message: String?
      var age: Double?
      var rows: [String]
      var size: Size
      var stale: Bool
      var displayMode: String
    }
    var width: Int
    var date: String
    var cards: [Card]
  }
}
