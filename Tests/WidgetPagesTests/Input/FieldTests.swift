import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages

@Suite struct FieldTests {
  private static func view(_ text: String?, _ words: String = "results") -> String {
    let text = text.map { #","text":"\#($0)""# } ?? ""
    return
      #"{"type":"vstack","children":[{"type":"field","id":"find","action":"go"\#(text)},"\#(words)"]}"#
  }

  private func open(_ text: String? = nil, answer: String = "{}") throws -> EngineWorld {
    let world = try EngineWorld(
      ["performAction": answer, "viewWillAppear": "{}"],
      hearing: ["fieldDidChange"],
      first: #","view":\#(Self.view(text))"#
    )
    try world.open()
    return world
  }

  private func field(_ world: EngineWorld) throws -> PressTarget {
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    return try #require((body.to ?? body.from).targets.first)
  }

  private func type(_ text: String, in world: EngineWorld) throws {
    for character in text {
      world.center.input.type(
        .insert(String(character)),
        in: try field(world),
        on: EngineWorld.id
      )
    }
  }

  private func told(_ world: EngineWorld) throws -> [String] {
    world.settle()
    return try world.widget.notifications(FieldDidChangeNotification.self).map {
      #expect($0.field == "find")
      return $0.text
    }
  }

  private func push(_ view: String, in world: EngineWorld) throws {
    world.pass(.milliseconds(50))
    try world.widget.notify("setView", #"{"view":\#(view)}"#)
    world.pass(.milliseconds(50))
  }

  @Test func `the widget is told of the newest text, at most once in 50 ms`() throws {
    let world = try open()
    try type("a", in: world)
    #expect(try told(world) == ["a"])
    try type("bcd", in: world)
    #expect(try told(world) == ["a"])
    world.pass(.milliseconds(49), step: .milliseconds(7))
    #expect(try told(world) == ["a"])
    world.pass(.milliseconds(1))
    #expect(try told(world) == ["a", "abcd"])
    world.pass(.seconds(1))
    try type("e", in: world)
    #expect(try told(world) == ["a", "abcd", "abcde"])
    #expect(world.picture == ["› abcde", "results"])
    // Moving the cursor changes no text.
    world.center.input.type(.start, in: try field(world), on: EngineWorld.id)
    world.pass(.seconds(1))
    #expect(try told(world).count == 3)
  }

  @Test func `Enter sends the text with the action`() throws {
    let world = try open()
    try type("milk", in: world)
    world.center.input.enter(try field(world), on: EngineWorld.id)
    world.settle()
    #expect(try world.presses == [PerformActionRequest(action: "go", text: "milk")])
    // The text stays until the widget says otherwise.
    #expect(world.picture.first == "› milk")
  }

  @Test func `a click alone sends nothing`() throws {
    let world = try open()
    world.center.input.press(try field(world), on: EngineWorld.id)
    world.pass(.seconds(1))
    #expect(try world.presses.isEmpty && told(world).isEmpty)
  }

  @Test func `the answer to Enter can give the field another text`() throws {
    let world = try open(answer: #"{"view":\#(Self.view("", "added"))}"#)
    try type("milk", in: world)
    world.center.input.enter(try field(world), on: EngineWorld.id)
    world.pass(.milliseconds(100))
    #expect(world.picture == ["›", "added"])
    world.center.input.type(.older, in: try field(world), on: EngineWorld.id)
    #expect(world.picture.first == "› milk")
  }

  @Test func `clearing sends the empty text`() throws {
    let world = try open()
    try type("ab", in: world)
    world.pass(.milliseconds(60))
    world.center.input.clear(try field(world), on: EngineWorld.id)
    world.pass(.milliseconds(60))
    #expect(try told(world) == ["a", "ab", ""])
    // Nothing was entered.
    #expect(try world.presses.isEmpty)
    #expect(world.picture.first == "›")
  }

  @Test func `a view that answers an older text is dropped`() throws {
    let world = try open("")
    try type("a", in: world)
    try push(Self.view("a", "about a"), in: world)
    #expect(world.picture == ["› a", "about a"])
    try type("b", in: world)
    world.pass(.milliseconds(60))
    try push(Self.view("a", "late about a"), in: world)
    #expect(world.picture == ["› ab", "about a"])
    try push(Self.view("", "late about nothing"), in: world)
    #expect(world.picture == ["› ab", "about a"])
    try push(Self.view("ab", "about ab"), in: world)
    #expect(world.picture == ["› ab", "about ab"])
    // A view that does not say what it answers is shown, and keeps what is typed.
    try push(Self.view(nil, "a clock"), in: world)
    #expect(world.picture == ["› ab", "a clock"])
  }

  @Test func `a field that always has the same text drops nothing`() throws {
    let world = try open("")
    try type("ab", in: world)
    world.pass(.milliseconds(60))
    world.center.input.clear(try field(world), on: EngineWorld.id)
    world.pass(.milliseconds(60))
    try type("c", in: world)
    try push(Self.view("", "still here"), in: world)
    #expect(world.picture == ["› c", "still here"])
  }

  @Test func `another text of the widget is taken over`() throws {
    let world = try open("")
    try type("ab", in: world)
    try push(Self.view("completed", "x"), in: world)
    #expect(world.picture.first == "› completed")
  }

  @Test func `a suspended widget is woken by typing, and one that has ended is told later`() throws
  {
    let world = try open()
    world.center.screen.setVisible([])
    world.pass(.seconds(10), step: .milliseconds(250))
    #expect(try world.widget.isSuspended)
    try type("a", in: world)
    world.pass(.milliseconds(20))
    #expect(try told(world) == ["a"])
    try world.widget.crash()
    world.settle()
    try type("b", in: world)
    world.pass(.milliseconds(60))
    #expect(world.picture.first == "› ab")
  }

  @Test func `the process after a crash is told of what was typed`() throws {
    let world = try open()
    try type("a", in: world)
    try type("b", in: world)
    world.pass(.milliseconds(60))
    try world.widget.crash()
    world.pass(.seconds(3))
    #expect(world.runs.count == 2)
    #expect(try told(world) == ["ab"])
    #expect(world.picture.first == "› ab")
  }

  @Test func `a locked page takes no text`() throws {
    let world = try open()
    let target = try field(world)
    world.center.setLocked(true)
    world.center.input.type(.insert("a"), in: target, on: EngineWorld.id)
    world.pass(.seconds(1))
    #expect(try told(world).isEmpty)
    #expect(world.center.notices.current == "The page is locked.")
  }

  @Test func `a field without a name keeps its text, and Enter sends it`() throws {
    let world = try EngineWorld(
      ["performAction": "{}"],
      hearing: ["fieldDidChange"],
      first: #","view":{"type":"field","action":"go"}"#
    )
    try world.open()
    try type("x", in: world)
    world.center.input.enter(try field(world), on: EngineWorld.id)
    world.pass(.milliseconds(100))
    #expect(try world.widget.notifications(FieldDidChangeNotification.self).isEmpty)
    #expect(try world.presses == [PerformActionRequest(action: "go", text: "x")])
  }
}
