import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetHost

@Suite struct PressTests {
  @Test func `a press on a snapshot is delivered after the live view`() throws {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(2, "kept"))}"#]
    )
    try first.open()
    _ = try first.snapshotFiles()
    let world = try EngineWorld(
      ["performAction": "{}", "viewWillAppear": "{}"],
      first: #","view":\#(stack(2))"#,
      folder: first.folder
    )
    world.center.setPage(innerWidth: 40)
    #expect(world.picture.first == "kept 1")
    world.center.setVisible([EngineWorld.id])
    world.center.start()
    world.press("more")
    #expect(try world.card.state == .snapshot)
    #expect(try world.card.pressCue == "waiting")
    world.settle()
    let methods = try world.widget.methods
    #expect(methods.filter { $0 == "performAction" }.count == 1)
    let press = try #require(methods.firstIndex(of: "performAction"))
    let appeared = try #require(methods.firstIndex(of: "viewWillAppear"))
    #expect(press > appeared)
    #expect(try world.card.pressCue == nil)
  }

  @Test func `a press that cannot be delivered is dropped with a cue`() throws {
    let world = try EngineWorld(["performAction": "{}"])
    world.answers["initialize"] = nil
    try world.open()
    world.press("more")
    #expect(try world.card.pressCue == "waiting")
    try world.widget.crash()
    #expect(try world.card.pressCue == "press dropped")
  }

  @Test func `a URL is opened only after a press`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    var opened: [TerminalProgram] = []
    world.center.terminalHandover = { opened.append($0) }
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
    widget.say(ask)
    world.settle()
    #expect(opened.count == 1)
  }

  @Test func `one URL is opened a second`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    var opened = 0
    world.center.terminalHandover = { _ in opened += 1 }
    try world.folder.app(
      "widgets/C.app",
      "com.example.C",
      schemes: ["clowntown"],
      more: "TodayNeedsTerminal = YES;"
    )
    let widget = try world.open()
    world.press("post")
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
