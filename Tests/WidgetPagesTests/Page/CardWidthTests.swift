import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// The columns and the width of each card.
@Suite struct CardWidthTests {
  private static let wide = "TodaySpan = 3;"

  @Test func `the span is that of the settings, else of the manifest, else of the last page`()
    throws
  {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#, bundle: Self.wide)
    try world.open()
    #expect(try world.card.span == 3)
    var configuration = world.center.configuration
    for (spans, span) in [
      (["com.example.A": 2], 2), (["com.example.A": 2, "com.example.A:work": 4], 2), ([:], 3),
    ] {
      configuration.spans = spans
      world.center.apply(configuration)
      #expect(try world.card.span == span)
    }
    world.center.shutdown {}
    world.settle()
    // The next start draws the card before it reads the bundle.
    let next = try EngineWorld(folder: world.folder)
    #expect(try next.card.span == 3)
  }

  @Test func `a widget is told the width of its own card, and hears when that changes`() throws {
    let world = try EngineWorld(
      ["viewWillTransitionToSize": "{}"],
      first: #","view":\#(stack(2))"#
    )
    try world.folder.widget("widgets/B.widget", "com.example.B")
    let other = CardID("com.example.B")
    var widths = CardWidths(40)
    widths[EngineWorld.id] = 82
    world.center.screen.setWidths(widths)
    world.center.screen.setVisible([EngineWorld.id, other])
    world.center.start()
    world.settle()
    let told = try world.runs.map { try #require($0.messages(InitializeRequest.self).first) }
    let sizes = Dictionary(
      uniqueKeysWithValues: told.map { ($0.bundleIdentifier, $0.maximumSize.columns) }
    )
    #expect(sizes == ["com.example.A": 80, "com.example.B": 38])
    widths[other] = 63
    #expect(world.center.screen.setWidths(widths))
    #expect(!world.center.screen.setWidths(widths))
    world.settle()
    for run in world.runs {
      let identifier = try #require(run.messages(InitializeRequest.self).first).bundleIdentifier
      let heard = try run.messages(ViewWillTransitionToSizeRequest.self).map(\.size.columns)
      #expect(heard == (identifier == other.bundleIdentifier ? [61] : []))
    }
  }

  @Test func `a card that is shown alone fills its frame, and its widget is told`() throws {
    let world = try EngineWorld(
      ["viewWillTransitionToSize": "{}"],
      hearing: ["widgetActiveDisplayModeDidChange"],
      first: #","largestAvailableDisplayMode":"expanded","view":\#(stack(2))"#
    )
    try world.open(innerWidth: 40)
    #expect(world.rows == 4)
    var widths = CardWidths(40)
    widths[EngineWorld.id] = 120
    widths.zoom = CardZoom(card: EngineWorld.id, rows: 30)
    #expect(world.center.screen.setWidths(widths))
    world.settle()
    #expect(world.rows == 30)
    func last() throws -> Size? {
      try world.widget.messages(ViewWillTransitionToSizeRequest.self).last?.size
    }
    #expect(try last() == Size(columns: 118, rows: 30))
    // Another height of the terminal alone is another size too.
    widths.zoom?.rows = 20
    #expect(world.center.screen.setWidths(widths))
    world.settle()
    #expect(try last() == Size(columns: 118, rows: 20))
    // More content than the frame has rows is scrolled by the page.
    try world.widget.notify("setView", #"{"view":\#(stack(50))}"#)
    world.pass(.seconds(3))
    #expect(world.rows == 50)
    #expect(world.center.screen.setWidths(CardWidths(40)))
    world.settle()
    #expect(world.rows == 4)
    #expect(try last() == Size(columns: 38, rows: 4))
  }

  @Test func `on the whole screen a chart is as high as the screen, and a few lines stay together`()
    throws
  {
    let chart =
      #"{"type":"vstack","children":["Load",{"type":"chart","series":[{"values":[1,2]}]}]}"#
    let lines = #"{"type":"vstack","children":["One",{"type":"spacer"},"Two"]}"#
    for (view, last) in [(chart, 29), (lines, 1)] {
      let world = try EngineWorld(first: #","view":\#(view)"#)
      try world.open()
      var widths = CardWidths(40)
      widths.zoom = CardZoom(card: EngineWorld.id, rows: 30)
      world.center.screen.setWidths(widths)
      world.settle()
      let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
      #expect(body.size.rows == 30)
      #expect(body.from.runs.map(\.position.row).max() == last)
      world.center.screen.setWidths(CardWidths(40))
      world.settle()
      #expect(world.rows == (last == 29 ? 5 : 2))
    }
  }

  @Test func `a card knows how many rows of its content it is too low to show`() throws {
    let world = try EngineWorld(first: #","view":\#(stack(2))"#)
    try world.open()
    #expect(try world.card.hiddenRows == 0)
    for (size, rows, hidden) in [
      (#"{"height":4}"#, 10, 6), (#"{"height":null}"#, 10, 0), (#"{"height":null}"#, 130, 30),
    ] {
      try world.widget.notify("setPreferredContentSize", size)
      try world.widget.notify("setView", #"{"view":\#(stack(rows))}"#)
      world.pass(.seconds(3))
      let card = try world.card
      #expect(card.hiddenRows == hidden, "\(card.bodySize)")
    }
  }

  @Test(arguments: ["0", "101", "1.5", "-1", "two", "1e300"])
  func `a manifest with a span that no card can have is refused`(span: String) throws {
    let world = try EngineWorld(bundle: "TodaySpan = \"\(span)\";")
    world.center.load()
    let problem = try #require(world.center.notices.problems.first).string
    #expect(problem.contains("NSExtensionAttributes.TodaySpan"))
    #expect(problem.contains("columns, from 1 to 100"))
  }

  @Test(
    arguments: [
      ("{ widgets: { 'org.today.Clock': { span: 2 } } }", ["org.today.Clock": 2], nil),
      ("{ widgets: { 'org.today.Clock:a-b': { span: 2 } } }", ["org.today.Clock:a-b": 2], nil),
      ("{ widgets: { 'org.today.Clock': { span: 0 } } }", [:], "span: expected a whole number"),
      ("{ widgets: { 'org.today.Clock': { span: 1e300 } } }", [:], "span: expected a whole number"),
      (
        "{ widgets: { 'org.today.Clock': { spam: 1 } } }", [:], nil
      ),
      ("{ widgets: { Clock: { span: 1 } } }", [:], "Clock: expected the identifier of a widget"),
      (
        "{ widgets: { 'org.today.Clock:a b': { span: 1 } } }", [:],
        "expected the identifier of a widget"
      ),
      ("{ widgets: [] }", [:], "expected an object"),
    ] as [(String, [String: Int], String?)]
  )
  func `the user sets how many columns a card takes up`(
    file: String,
    spans: [String: Int],
    problem: String?
  ) {
    let read = UserConfiguration(bytes: Array(file.utf8), path: "config.json")
    #expect(read.settings.spans == spans)
    #expect(read.problems.isEmpty == (problem == nil))
    if let problem { #expect(read.problems.first?.string.contains(problem) == true) }
  }
}
