import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions
@testable import WidgetTUI

@Suite struct InspectorLeafTests {
  private let now = SamplePage.now

  private func text(_ inspector: Inspector) -> String {
    inspector.lines.map { line in
      let label = line.label.map { $0.glyphs.map(\.text).joined() + " " } ?? ""
      return label + line.text.glyphs.map(\.text).joined()
    }.joined(separator: "\n")
  }

  private func sample() -> Inspection {
    var found = Inspection(
      identifier: "com.example.Clock",
      path: "/usr/share/Clock.widget",
      state: .live,
      message: nil
    )
    found.nextUpdate = now.addingTimeInterval(60)
    found.nextReason = "every 15 min, the default"
    found.budget = (3, 70)
    found.memoryBytes = 12 << 20
    found.cpuTime = .seconds(1)
    let zones = SettingDeclaration(name: "zones", kind: .list)
    let token = SettingDeclaration(name: "token", kind: .secret)
    found.settings = [
      SettingsBook.Row(
        declaration: zones,
        value: .list(["Asia/Tokyo"]),
        isSet: true,
        source: "config.json",
        place: "/etc/config.json:4:12"
      ),
      SettingsBook.Row(declaration: token, isSet: true, source: "program"),
    ]
    found.view = ViewNode(.text(TextContent(spans: [TextSpan("hello")])))
    found.messages = [
      ExchangedMessage(
        direction: .to,
        date: now,
        byteCount: 40,
        text: "{\"method\":\"initialize\"}"
      )
    ]
    return found
  }

  @Test func `the overview has the same lines before a widget starts and when it runs`() {
    var found = sample()
    (found.memoryBytes, found.cpuTime) = (nil, nil)
    var inspector = Inspector(card: CardID("com.example.Clock"))
    let screen = Size(columns: 120, rows: 40)
    inspector.take(found, now: now, on: screen)
    let labels = inspector.lines.map(\.label)
    found = sample()
    (found.process, found.lastUpdate) = (4711, now)
    for seconds in 1...2 {
      inspector.take(found, now: now.addingTimeInterval(Double(seconds)), on: screen)
      #expect(inspector.lines.map(\.label) == labels)
    }
    #expect(text(inspector).contains("Memory 12 MiB"))
  }

  @Test func `the overview has use, schedule and settings, and no secret`() {
    var inspector = Inspector(card: CardID("com.example.Clock"))
    inspector.take(sample(), now: now, on: Size(columns: 120, rows: 40))
    var later = sample()
    later.cpuTime = .seconds(1.5)
    inspector.take(later, now: now.addingTimeInterval(1), on: Size(columns: 120, rows: 40))
    let text = text(inspector)
    #expect(text.contains("CPU 50.0 %"))
    #expect(text.contains("Memory 12 MiB"))
    #expect(text.contains("Next in 59 s: every 15 min, the default"))
    #expect(text.contains("Budget off the screen 3 at once, 70 in a day"))
    #expect(text.contains("zones Asia/Tokyo, /etc/config.json:4:12"))
    #expect(text.contains("token set, set in the program"))
    #expect(inspector.lines.contains { $0.bars == [Double(12 << 20), Double(12 << 20)] })
  }

  @Test(arguments: [40, 60]) func `values take more lines on a narrow screen`(columns: Int) throws {
    var found = sample()
    found.path = "/usr/share/today/widgets/A folder with a long name/Clock.widget"
    found.log = ["2026-11-20T11:01:00Z stderr: Traceback (most recent call last), at the end"]
    var inspector = Inspector(card: CardID("com.example.Clock"))
    inspector.take(found, now: now, on: Size(columns: columns, rows: 30))
    let indent = try #require(inspector.lines.compactMap(\.label).map(\.width).max()) + 2
    for line in inspector.lines where line.wraps || line.label?.width == 0 {
      #expect(line.text.width + (line.label == nil ? 0 : indent) <= columns - 4)
    }
    let words = text(inspector).split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("stderr: Traceback (most recent call last), at the end"))
    #expect(words.contains("A folder with a long name"))
    let narrow = inspector.lines.count
    inspector.take(found, now: now, on: Size(columns: 200, rows: 30))
    #expect(inspector.lines.count < narrow)
  }

  @Test func `Tab shows the view and the messages, and Shift-Tab goes back`() {
    var inspector = Inspector(card: CardID("com.example.Clock"))
    inspector.take(sample(), now: now, on: Size(columns: 120, rows: 40))
    inspector.turn(by: 1)
    #expect(text(inspector).contains("hello"))
    inspector.turn(by: 1)
    #expect(
      text(inspector).contains("to the widget, age now, 40 bytes\n{\"method\":\"initialize\"}")
    )
    inspector.turn(by: 1)
    #expect(inspector.leaf == .overview)
    inspector.turn(by: -1)
    #expect(inspector.leaf == .messages)
  }

  @Test func `a locked page shows neither messages nor a private view`() {
    var found = sample()
    found.isLocked = true
    found.view = nil
    var inspector = Inspector(card: CardID("com.example.Clock"))
    inspector.take(found, now: now, on: Size(columns: 120, rows: 40))
    inspector.turn(by: 1)
    #expect(text(inspector).contains("The page is locked, and the view is private."))
    inspector.turn(by: 1)
    #expect(text(inspector) == "The page is locked.")
  }

  @Test func `samples of another run are not compared, and old ones are dropped`() {
    var samples = InspectorSamples()
    for second in 0..<200 {
      var found = sample()
      found.cpuTime = .seconds(Double(second))
      samples.add(found, at: now.addingTimeInterval(Double(second)))
    }
    #expect(samples.cpu.count == InspectorSamples.limit && samples.cpu.last == 1)
    samples.add(sample(), at: now)
    #expect(samples.cpu.last == 1)
  }

  @Test(arguments: [GlyphSet.unicode, .console, .ascii])
  func `bars are as many as values, whatever these are`(glyphs: GlyphSet) {
    for values in [[], [0], [1], [0, 1, 2], [.infinity, 1], [-1, 5], [1e300, 1e-300]] {
      #expect(TextLine.bars(values, glyphs).width == values.count)
    }
  }
}
