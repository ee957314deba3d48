import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct PressTests {
  private func button(_ label: String, id: String? = "more", action: String = "more") -> String {
    let id = id.map { #""id":"\#($0)","# } ?? ""
    return #"{"type":"button",\#(id)"label":"\#(label)","action":"\#(action)"}"#
  }

  /// A page that shows a snapshot of another run, and whose widget then shows something else.
  private func snapshot(
    _ kept: String,
    live: String,
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws -> EngineWorld {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(kept)}"#]
    )
    try first.open()
    _ = try first.snapshotFiles()
    let world = try EngineWorld(
      ["performAction": "{}", "viewWillAppear": "{}"],
      first: #","view":\#(live)"#,
      folder: first.folder,
      configure: configure
    )
    world.center.screen.setWidth(40)
    world.center.screen.setVisible([EngineWorld.id])
    return world
  }

  @Test(arguments: [true, false])
  func `a press on a snapshot is delivered after the live view`(startsFirst: Bool) throws {
    let world = try snapshot(button("More"), live: button("Less"))
    if startsFirst { world.center.start() }
    try world.press(element: "more")
    if !startsFirst { world.center.start() }
    #expect(try world.card.state == .snapshot)
    #expect(try world.card.pressCue == "waiting")
    world.settle()
    let methods = try world.widget.methods
    #expect(try world.presses == [PerformActionRequest(action: "more")])
    let press = try #require(methods.firstIndex(of: "performAction"))
    let appeared = try #require(methods.firstIndex(of: "viewWillAppear"))
    #expect(press > appeared)
    #expect(try world.card.pressCue == nil)
  }

  @Test(arguments: [2, 8])
  func `as many presses as configured wait for the live view`(limit: Int) throws {
    let world = try snapshot(button("More"), live: button("Less")) { $0.policy.openPresses = limit }
    for _ in 0..<limit { try world.press(element: "more") }
    #expect(try world.card.pressCue == "waiting")
    try world.press(element: "more")
    #expect(try world.card.pressCue == "press dropped")
  }

  @Test(arguments: [
    #"{"type":"button","id":"other","label":"More","action":"more"}"#,
    #"{"type":"button","id":"more","label":"More","action":"delete"}"#,
    #"{"type":"button","label":"More","action":"more"}"#,
    #"{"type":"toggle","id":"more","label":"More","action":"more","isOn":false}"#,
    #"{"type":"text","id":"more","text":"More","link":"a:b"}"#, #""nothing""#,
  ])
  func `a press on a snapshot never hits another element`(live: String) throws {
    let world = try snapshot(button("More"), live: live)
    world.center.start()
    try world.press(element: "more")
    world.settle()
    #expect(try world.presses.isEmpty)
    #expect(try world.card.pressCue == "press dropped")
  }

  @Test func `a link on a snapshot is opened if the live view has it too`() throws {
    let link = #"{"type":"text","id":"post","text":"Post","link":"clowntown:1"}"#
    for (live, count) in [(link, 1), (#""nothing""#, 0)] {
      let world = try snapshot(link, live: live)
      try world.folder.app(
        "widgets/C.app",
        "com.example.C",
        schemes: ["clowntown"],
        more: "TodayNeedsTerminal = YES;"
      )
      var opened = 0
      world.center.urls.terminalHandover = { _ in opened += 1 }
      world.center.urls.onQuestion = { if $0 != nil { world.center.urls.answer(.always) } }
      world.center.start()
      try world.press(element: "post")
      #expect(opened == 0)
      world.settle()
      #expect(opened == count)
    }
  }

  @Test func `a toggle that has changed meanwhile is not switched`() throws {
    func toggle(_ isOn: Bool) -> String {
      #"{"type":"toggle","id":"t","label":"Lamp","action":"lamp","isOn":\#(isOn)}"#
    }
    for (live, count) in [(false, 1), (true, 0)] {
      let world = try snapshot(toggle(false), live: toggle(live))
      world.center.start()
      try world.press(element: "t")
      world.settle()
      #expect(try world.presses.count == count)
    }
  }

  @Test func `an element without an id is identified by its action and text`() throws {
    for (label, count) in [("Anna", 1), ("Bert", 0)] {
      let world = try EngineWorld(
        ["performAction": "{}"],
        first: #","view":\#(button(label, id: nil, action: "delete"))"#
      )
      try world.open()
      let drawn = PressTarget(
        frame: Rect(column: 0, row: 5, columns: 8, rows: 1),
        elementID: nil,
        action: "delete",
        link: nil,
        newValue: nil,
        label: "Anna"
      )
      world.center.input.press(drawn, on: EngineWorld.id)
      #expect(try world.presses.count == count)
      #expect(try world.card.pressCue == (count == 1 ? nil : "press dropped"))
    }
  }

  @Test func `a press on a replaced view does not go to the new element`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":\#(button("More"))"#)
    let widget = try world.open()
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    let target = try #require(body.from.targets.first)
    widget.notify("setView", #"{"view":\#(button("Delete", id: "delete", action: "delete"))}"#)
    world.settle()
    world.center.input.press(target, on: EngineWorld.id)
    #expect(try world.presses.isEmpty)
    #expect(try world.card.pressCue == "press dropped")
  }

  @Test func `a press that cannot be delivered is dropped with a message`() throws {
    let world = try snapshot(button("More"), live: button("More"))
    world.answers["initialize"] = nil
    world.center.start()
    world.settle()
    try world.press(element: "more")
    #expect(try world.card.pressCue == "waiting")
    try world.widget.crash()
    #expect(try world.card.pressCue == "press dropped")
  }

  @Test func `a widget of an app that the user trusts opens URLs without a press`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    try world.folder.app("widgets/C.app", "com.example.C", schemes: ["clowntown"])
    world.center.urls.terminalHandover = { _ in }
    let widget = try world.open()
    var questions = 0
    world.center.urls.onQuestion = { if $0 != nil { questions += 1 } }
    for (id, isTrusted) in [("u1", false), ("u2", true), ("u3", false)] {
      world.pass(.seconds(30))
      try StoredPermissions(world.center.folders).change(world.card.id.bundleIdentifier) {
        $0.isTrusted = isTrusted
      }
      let url = #""params":{"url":"clowntown:1"}"#
      widget.say(#"{"jsonrpc":"2.0","id":"\#(id)","method":"openURL",\#(url)}"#)
      world.settle()
      // What it may open is asked all the same.
      #expect(questions == (id == "u1" ? 0 : 1))
      world.center.urls.answer(.always)
      world.settle()
    }
  }

  @Test func `a URL is opened only after a press`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    var opened: [TerminalProgram] = []
    world.center.urls.terminalHandover = { opened.append($0) }
    try world.folder.app(
      "widgets/C.app",
      "com.example.C",
      schemes: ["clowntown"],
      more: "TodayNeedsTerminal = YES;"
    )
    let widget = try world.open()
    world.pass(.seconds(5))
    let ask = #"{"jsonrpc":"2.0","id":"u1","method":"openURL","params":{"url":"clowntown:1"}}"#
    widget.say(ask)
    world.settle()
    #expect(opened.isEmpty)
    #expect(
      try widget.result(OpenURLRequest.Reply.self, of: .string("u1"))?.success == false
    )
    world.press("post")
    world.center.urls.onQuestion = { if $0 != nil { world.center.urls.answer(.always) } }
    widget.say(ask)
    world.settle()
    #expect(opened.count == 1)
  }

  @Test func `one URL per second is opened`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    var opened = 0
    world.center.urls.terminalHandover = { _ in opened += 1 }
    try world.folder.app(
      "widgets/C.app",
      "com.example.C",
      schemes: ["clowntown"],
      more: "TodayNeedsTerminal = YES;"
    )
    let widget = try world.open()
    world.press("post")
    world.center.urls.onQuestion = { if $0 != nil { world.center.urls.answer(.always) } }
    for number in 0..<20 {
      widget.say(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"openURL","params":{"url":"clowntown:1"}}"#
      )
      world.pass(.milliseconds(20))
    }
    #expect(opened == 1)
    #expect(try widget.result(OpenURLRequest.Reply.self, of: .number(19))?.success == false)
  }
}
