import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages

@Suite struct ListTests {
  private static func list(_ rows: [String], more: String = "") -> String {
    let rows = rows.map {
      #"{"id":"\#($0)","view":"row \#($0)","action":"press \#($0)","canRemove":\#($0 != "z")}"#
    }
    return #"{"type":"list","id":"l"\#(more),"rows":[\#(rows.joined(separator: ","))]}"#
  }

  private func open(
    _ answers: [String: String],
    rows: [String] = ["a", "b", "c"],
    more: String = "",
    allowsEditing: Bool = false
  ) throws -> EngineWorld {
    let editing = allowsEditing ? #","allowsEditing":true"# : ""
    let world = try EngineWorld(
      ["performAction": "{}"].merging(answers) { $1 },
      first: #"\#(editing),"view":\#(Self.list(rows, more: more))"#
    )
    try world.open()
    return world
  }

  private func target(_ row: String, in world: EngineWorld) throws -> PressTarget {
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    let found = (body.to ?? body.from).targets.first {
      if case .row(let target) = $0.role { target.row == row } else { false }
    }
    return try #require(found)
  }

  private func remove(_ row: String, in world: EngineWorld) throws {
    world.center.input.removeRow(try target(row, in: world), on: EngineWorld.id)
  }

  @Test func `a press on a row sends its action`() throws {
    let world = try open([:])
    world.center.input.press(try target("b", in: world), on: EngineWorld.id)
    world.settle()
    #expect(try world.presses == [PerformActionRequest(action: "press b")])
  }

  @Test(arguments: [
    ("d", ["row a", "row b", "row c", "row d", "Show Less"]),
    ("c", ["row a", "row b", "Show More…"]),
  ])
  func `a row that the user's action has added is not behind Show More`(
    last: String,
    picture: [String]
  ) throws {
    let few = #","minimumVisibleRowCount":2"#
    let rows = last == "d" ? ["a", "b", "c", "d"] : ["a", "b", "c"]
    let world = try open(
      ["performAction": #"{"view":\#(Self.list(rows, more: few))}"#],
      more: few
    )
    #expect(world.picture == ["row a", "row b", "Show More…"])
    world.center.input.press(try target("a", in: world), on: EngineWorld.id)
    world.pass(.seconds(1))
    #expect(world.picture == picture)
  }

  @Test func `a removed row has gone at once, and the widget's view follows`() throws {
    let world = try open(["listDidRemoveRow": #"{"view":\#(Self.list(["a", "c", "d"]))}"#])
    try remove("b", in: world)
    #expect(world.picture == ["row a", "row c"])
    world.pass(.seconds(2))
    #expect(world.picture == ["row a", "row c", "row d"])
    #expect(
      try world.widget.messages(ListDidRemoveRowRequest.self)
        == [ListDidRemoveRowRequest(list: "l", row: "b")]
    )
  }

  @Test func `an answer without a view leaves the row removed until one comes`() throws {
    let world = try open(["listDidRemoveRow": "{}"])
    try remove("b", in: world)
    world.pass(.seconds(2))
    #expect(world.picture == ["row a", "row c"])
    try world.widget.notify("setView", #"{"view":\#(Self.list(["a", "b", "c"]))}"#)
    world.pass(.seconds(2))
    #expect(world.picture == ["row a", "row b", "row c"])
  }

  @Test func `a view that was under way does not bring the row back`() throws {
    let world = try open(["listDidRemoveRow": "{}"])
    try world.widget.answers["listDidRemoveRow"] = nil
    try remove("b", in: world)
    try world.widget.notify("setView", #"{"view":\#(Self.list(["a", "b", "c", "d"]))}"#)
    world.pass(.seconds(2))
    #expect(world.picture == ["row a", "row c", "row d"])
  }

  @Test func `an error puts the row back and is shown`() throws {
    let world = try open(["listDidRemoveRow": "{}"])
    try world.widget.answers["listDidRemoveRow"] = nil
    try remove("b", in: world)
    world.settle()
    #expect(world.picture == ["row a", "row c"])
    let error = #"{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"the disk is full"}}"#
    let id = try lastID(of: world)
    try world.widget.say(error.replacing("ID", with: "\(id)"))
    world.pass(.seconds(2))
    #expect(world.picture == ["row a", "row b", "row c"])
    #expect(world.center.notices.current?.string.contains("the disk is full") == true)
  }

  private func lastID(of world: EngineWorld) throws -> Int {
    for line in try world.widget.received.reversed() {
      if case .request(.number(let id), _) = line.kind { return id }
    }
    return 0
  }

  @Test func `the end of the process puts the row back`() throws {
    let world = try open(["listDidRemoveRow": "{}"])
    try world.widget.answers["listDidRemoveRow"] = nil
    try remove("b", in: world)
    try world.widget.crash()
    world.settle()
    #expect(world.picture == ["row a", "row b", "row c"])
  }

  @Test(arguments: [true, false])
  func `the widget may keep a row`(isAllowed: Bool) throws {
    let world = try open([
      "listShouldRemoveRow": #"{"allowed":\#(isAllowed)}"#, "listDidRemoveRow": "{}",
    ])
    try remove("b", in: world)
    #expect(world.picture.count == 3)
    world.pass(.seconds(2))
    #expect(world.picture.count == (isAllowed ? 2 : 3))
    let methods = try world.widget.methods
    #expect(methods.contains("listDidRemoveRow") == isAllowed)
    if !isAllowed {
      #expect(world.center.notices.current?.string.contains("keeps this row") == true)
    }
  }

  @Test func `a widget that asks something itself in place of removing a row is not talked over`()
    throws
  {
    let world = try open(["listShouldRemoveRow": "{}", "listDidRemoveRow": "{}"])
    try world.widget.answers["listShouldRemoveRow"] = nil
    try remove("b", in: world)
    world.settle()
    try world.widget.notify("setView", #"{"view":\#(Self.list(["a", "End b?", "c"]))}"#)
    world.settle()
    try world.widget.answer("listShouldRemoveRow", #"{"allowed":false}"#)
    world.settle()
    #expect(world.picture.contains("row End b?"))
    #expect(world.center.notices.current == nil)
  }

  @Test func `without listDidRemoveRow, and for a row that forbids it, nothing is removed`() throws
  {
    let world = try open([:])
    #expect(try !world.card.removesRows)
    try remove("b", in: world)
    world.pass(.seconds(1))
    #expect(world.picture.count == 3)
    let other = try open(["listDidRemoveRow": "{}"], rows: ["a", "z"])
    #expect(try other.card.removesRows)
    try remove("z", in: other)
    other.pass(.seconds(1))
    #expect(other.picture == ["row a", "row z"])
    #expect(try !other.widget.methods.contains("listDidRemoveRow"))
  }

  @Test(
    arguments: [
      ("a", 1, ["b", "a", "c"], "c"), ("a", 2, ["b", "c", "a"], nil),
      ("c", -2, ["c", "a", "b"], "a"),
      ("b", .max, ["a", "c", "b"], nil), ("b", .min, ["b", "a", "c"], "a"),
    ] as [(String, Int, [String], String?)]
  )
  func `a moved row is at its place at once`(
    row: String,
    distance: Int,
    order: [String],
    before: String?
  ) throws {
    let world = try open(["listDidMoveRow": "{}"])
    let target = try target(row, in: world)
    world.center.input.moveRow(target, by: distance, on: EngineWorld.id)
    #expect(world.picture == order.map { "row \($0)" })
    world.pass(.seconds(1))
    #expect(
      try world.widget.messages(ListDidMoveRowRequest.self)
        == [ListDidMoveRowRequest(list: "l", row: row, before: before)]
    )
  }

  @Test func `a row is added only by a widget that adds rows`() throws {
    let world = try open(
      ["widgetListPerformAddAction": #"{"view":\#(Self.list(["a", "n"]))}"#],
      allowsEditing: true
    )
    world.center.input.beginEditing(EngineWorld.id)
    #expect(world.picture.last == "+ Add")
    world.center.input.endEditing()
    #expect(world.picture.last == "row c")
    world.center.input.addRow(besides: try target("a", in: world), on: EngineWorld.id)
    world.pass(.seconds(2))
    #expect(world.picture == ["row a", "row n"])
    let other = try open([:], allowsEditing: true)
    other.center.input.beginEditing(EngineWorld.id)
    #expect(other.picture.last == "row c")
  }

  @Test func `more rows are shown until the user asks for fewer, also after updates`() throws {
    let world = try open(
      [:],
      rows: ["a", "b", "c", "d"],
      more: #","minimumVisibleRowCount":2"#
    )
    #expect(world.picture == ["row a", "row b", "Show More…"])
    try pressMore(in: world)
    #expect(world.picture == ["row a", "row b", "row c", "row d", "Show Less"])
    let view = Self.list(["d", "c", "b"], more: #","minimumVisibleRowCount":2"#)
    try world.widget.notify("setView", #"{"view":\#(view)}"#)
    world.pass(.seconds(2))
    #expect(world.picture == ["row d", "row c", "row b", "Show Less"])
    try pressMore(in: world)
    #expect(world.picture == ["row d", "row c", "Show More…"])
  }

  private func pressMore(in world: EngineWorld) throws {
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    let more = try #require((body.to ?? body.from).targets.last)
    world.center.input.press(more, on: EngineWorld.id)
    world.pass(.seconds(1))
  }

  @Test func `rows with one name, and many of them, do no harm`() throws {
    let world = try open(
      ["listDidRemoveRow": "{}", "listDidMoveRow": "{}"],
      rows: ["a", "a", "b"]
    )
    let row = try target("a", in: world)
    world.center.input.moveRow(row, by: 1, on: EngineWorld.id)
    try remove("a", in: world)
    #expect(world.picture == ["row b"])
    // A row that has gone meanwhile.
    world.center.input.moveRow(row, by: 1, on: EngineWorld.id)
    world.center.input.press(row, on: EngineWorld.id)
    world.pass(.seconds(1))
    let many = Self.list((0..<60).map { "\($0)" })
    try world.widget.notify("setView", #"{"view":\#(many)}"#)
    world.pass(.seconds(2))
    world.center.input.removeRow(row, on: EngineWorld.id)
    world.pass(.seconds(1))
    #expect(world.picture.count == 60)
  }
}

@Suite struct FoldTests {
  @Test func `a fold stays as the user left it over updates, and its card grows`() throws {
    func view(_ word: String) -> String {
      #"{"type":"fold","id":"f","label":"Fold","children":["\#(word)","two","three"]}"#
    }
    let world = try EngineWorld([:], first: #","view":\#(view("one"))"#)
    let widget = try world.open()
    world.pass(.seconds(1))
    #expect(world.rows == 1)
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    world.center.input.press(body.from.targets[0], on: EngineWorld.id)
    let heights = world.heights()
    #expect(heights == heights.sorted() && heights.last == 4 && Set(heights).count > 2)
    widget.notify("setView", #"{"view":\#(view("new"))}"#)
    world.pass(.seconds(2))
    #expect(world.picture == ["▾ Fold", "new", "two", "three"])
    // The widget hears nothing of it, and closing it again works in the middle of motion too.
    #expect(!widget.methods.contains("performAction"))
    for _ in 0..<3 {
      let now = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
      world.center.input.press(try #require((now.to ?? now.from).targets.first), on: EngineWorld.id)
      world.pass(.milliseconds(50))
    }
    world.pass(.seconds(2))
    #expect(world.picture == ["▸ Fold"])
    #expect(world.rows == 1)
  }

  @Test func `a fold of a snapshot opens without its widget`() throws {
    let view = #"{"type":"fold","label":"Fold","children":["in it"]}"#
    let first = try EngineWorld(["widgetPerformUpdate": #"{"result":"newData","view":\#(view)}"#])
    try first.open()
    _ = try first.snapshotFiles()
    let world = try EngineWorld([:], folder: first.folder)
    world.center.screen.setWidth(40)
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    world.center.input.press(body.from.targets[0], on: EngineWorld.id)
    #expect(world.picture == ["▾ Fold", "in it"])
  }
}
