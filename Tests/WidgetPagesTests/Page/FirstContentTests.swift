import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetSessions

/// The first content of a card is placed, and that of all cards appears together.
@Suite struct FirstContentTests {
  private let transition = "viewWillTransitionToSize"

  private func requests(_ world: EngineWorld) throws -> [ViewWillTransitionToSizeRequest] {
    try world.widget.messages(ViewWillTransitionToSizeRequest.self)
  }

  @Test(arguments: ["push", "update", "appearance", "initialize", "height first", "height later"])
  func `the first content is placed without animation, from any message`(way: String) throws {
    var answers = [transition: "{}"]
    let view = #""view":\#(stack(7))"#
    if way == "update" { answers["widgetPerformUpdate"] = "{\"result\":\"newData\",\(view)}" }
    if way == "appearance" { answers["viewWillAppear"] = "{\(view)}" }
    let world = try EngineWorld(answers, first: way == "initialize" ? ",\(view)" : "")
    try world.open()
    let widget = try world.widget
    if way == "height first" { widget.notify("setPreferredContentSize", #"{"height":7}"#) }
    if way == "push" || way.hasPrefix("height") { widget.notify("setView", "{\(view)}") }
    world.settle()
    if way == "height later" {
      world.pass(.milliseconds(30))
      widget.notify("setPreferredContentSize", #"{"height":9}"#)
      world.settle()
    }
    let rows = way == "height later" ? 9 : 7
    #expect(world.rows == rows)
    #expect(Set(world.heights()) == [rows])
    #expect(try requests(world).allSatisfy { !$0.animated })
  }

  @Test func `a later change is animated`() throws {
    let world = try EngineWorld([transition: "{}"])
    let widget = try world.open()
    widget.notify("setView", #"{"view":\#(stack(3))}"#)
    world.pass(.milliseconds(200))
    widget.notify("setView", #"{"view":\#(stack(9))}"#)
    let heights = world.heights()
    #expect(heights.first == 3)
    #expect(Set(heights).count > 3)
    #expect(try requests(world).map(\.animated) == [false, true])
  }

  @Test func `a change after a snapshot is animated`() throws {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(3))}"#]
    )
    try first.open()
    _ = try first.snapshotFiles()
    let world = try EngineWorld([transition: "{}"], folder: first.folder)
    let widget = try world.open()
    widget.notify("setView", #"{"view":\#(stack(9))}"#)
    let heights = world.heights()
    #expect(heights.first == 3)
    #expect(try requests(world).map(\.animated) == [true])
  }

  // MARK: - Together

  /// What a page of one card shows over time: nothing, or a number of rows.
  private func pictures(_ world: EngineWorld, for duration: Duration) -> [Int?] {
    var pictures: [Int?] = []
    let end = world.clock.now + duration
    while world.clock.now < end {
      let drawn = world.center.drawing.cards(at: world.clock.now).first
      let rows = drawn?.body?.size.rows
      #expect((drawn?.card.state == .live) == (rows != nil))
      if pictures.isEmpty || pictures.last != rows { pictures.append(rows) }
      world.pass(.milliseconds(10))
    }
    return pictures
  }

  @Test func `a view that an update replaces at once is not shown`() throws {
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(7))}"#],
      first: #","view":"Loading""#
    ) { $0.gathersFirstContent = true }
    try world.open()
    #expect(pictures(world, for: .seconds(1)) == [7])
  }

  @Test func `a slow update delays the first content by 300 ms at most`() throws {
    let world = try EngineWorld(["widgetPerformUpdate": "{}"], first: #","view":"Loading""#) {
      $0.gathersFirstContent = true
    }
    world.answers["widgetPerformUpdate"] = nil
    try world.open()
    let start = world.clock.now
    while world.center.drawing.cards(at: world.clock.now).first?.body == nil,
      start.duration(to: world.clock.now) < .seconds(5)
    {
      world.pass(.milliseconds(10))
    }
    #expect(start.duration(to: world.clock.now) <= .milliseconds(300))
    #expect(pictures(world, for: .seconds(1)) == [1])
  }

  @Test(arguments: [40, 50])
  func `six cards that answer within 300 ms appear together`(step: Int) throws {
    let folder = try BundleFolder()
    for name in ["B", "C", "D", "E", "F"] {
      try folder.widget("widgets/\(name).widget", "com.example.\(name)")
    }
    let world = try EngineWorld(
      [transition: "{}", "widgetPerformUpdate": ""],
      first: #","view":"Loading""#,
      folder: folder
    ) { $0.gathersFirstContent = true }
    // The test answers, each widget at its own time.
    world.answers["widgetPerformUpdate"] = nil
    world.center.load()
    world.center.screen.setWidth(40)
    world.center.screen.setVisible(Set(world.center.page.shown.map(\.id)))
    world.center.start()
    world.settle()
    try #require(world.runs.count == 6)

    var pictures: [[Int?]] = []
    for time in stride(from: 0, to: 1_000, by: 10) {
      for (index, widget) in world.runs.enumerated() where time == step * index {
        widget.answer("widgetPerformUpdate", #"{"result":"newData","view":\#(stack(index + 3))}"#)
        world.settle()
      }
      let picture = world.center.drawing.cards(at: world.clock.now).map { $0.body?.size.rows }
      if pictures.last != picture { pictures.append(picture) }
      world.pass(.milliseconds(10))
    }
    // First no card has a picture, and then each of them has its own height.
    #expect(pictures.count == 2, "\(pictures)")
    #expect(pictures.first == Array(repeating: nil, count: 6))
    #expect(pictures.last?.compactMap(\.self).sorted() == [3, 4, 5, 6, 7, 8])
    for widget in world.runs {
      let requests = try widget.messages(ViewWillTransitionToSizeRequest.self)
      #expect(requests.map(\.animated) == [false])
    }
  }

  @Test func `a snapshot is shown immediately`() throws {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(3))}"#]
    )
    try first.open()
    _ = try first.snapshotFiles()
    let world = try EngineWorld(folder: first.folder) { $0.gathersFirstContent = true }
    world.answers["initialize"] = nil
    try world.open()
    #expect(world.center.drawing.cards(at: world.clock.now).first?.body?.size.rows == 3)
  }
}
