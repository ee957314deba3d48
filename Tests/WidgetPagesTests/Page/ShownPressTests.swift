import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages

/// The card before and after the widget has answered a press.
@Suite struct ShownPressTests {
  private func toggle(_ isOn: Bool) -> String {
    #"{"type":"toggle","id":"lamp","label":"Lamp","action":"lamp","isOn":\#(isOn)}"#
  }

  /// A live card with a toggle that is off, whose widget answers when a test lets it.
  private func world(_ view: String? = nil) throws -> EngineWorld {
    let world = try EngineWorld(
      ["performAction": "{}"],
      first: ",\"view\":\(view ?? toggle(false))"
    )
    world.answers["performAction"] = nil
    try world.open()
    world.pass(.seconds(2))
    return world
  }

  @Test func `a toggle changes at once and stays if the press succeeds`() throws {
    let world = try world()
    try world.press(element: "lamp")
    #expect(world.picture == ["☑ Lamp"])
    #expect(try world.presses == [PerformActionRequest(action: "lamp", value: true)])
    try world.widget.answer("performAction", #"{"view":\#(toggle(true))}"#)
    #expect(world.picture == ["☑ Lamp"])
    world.pass(.seconds(60))
    #expect(world.picture == ["☑ Lamp"])
  }

  @Test(arguments: [
    #""result":{"result":"failed"}"#, #""error":{"code":-32000,"message":"no power"}"#,
  ])
  func `a toggle changes back if the press fails, and the reason is shown`(answer: String) throws {
    let world = try world()
    try world.press(element: "lamp")
    let widget = try world.widget
    guard
      case .request(.number(let id), _)? = widget.received.last(where: {
        if case .request(_, "performAction") = $0.kind { true } else { false }
      })?.kind
    else {
      Issue.record("no press")
      return
    }
    widget.say(#"{"jsonrpc":"2.0","id":\#(id),\#(answer)}"#)
    #expect(world.picture == ["☐ Lamp"])
    #expect(try world.card.pressCue == "press failed")
    let notice = try #require(world.center.notices.current)
    #expect(notice.string.contains(answer.contains("no power") ? "no power" : "failure"))
    world.pass(.seconds(10))
    #expect(world.center.notices.current == nil)
  }

  @Test(
    arguments: [
      (#"{"code":-32001,"message":"you do not permit it"}"#, "A: you do not permit it"),
      (#"{"code":-32800,"message":"not now"}"#, nil),
    ] as [(String, SafeText?)]
  )
  func `a press that the user has refused has not failed`(error: String, words: SafeText?) throws {
    let world = try world()
    try world.press(element: "lamp")
    let widget = try world.widget
    guard
      case .request(.number(let id), _)? = widget.received.last(where: {
        if case .request(_, "performAction") = $0.kind { true } else { false }
      })?.kind
    else {
      Issue.record("no press")
      return
    }
    widget.say(#"{"jsonrpc":"2.0","id":\#(id),"error":\#(error)}"#)
    #expect(world.picture == ["☐ Lamp"])
    #expect(try world.card.pressCue == nil)
    #expect(world.center.notices.current == words)
  }

  @Test func `a toggle that is pressed twice has its first state`() throws {
    let world = try world()
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    let target = try #require(body.from.targets.first)
    world.center.input.press(target, on: EngineWorld.id)
    world.center.input.press(target, on: EngineWorld.id)
    #expect(world.picture == ["☐ Lamp"])
    #expect(try world.presses.map(\.value) == [true, false])
  }

  @Test func `a crash changes a toggle back`() throws {
    let world = try world()
    try world.press(element: "lamp")
    try world.widget.crash()
    #expect(world.picture == ["☐ Lamp"])
  }

  @Test func `a button shows its press until the answer, and for a minimum time`() throws {
    let button = #"{"type":"button","id":"b","label":"Go","action":"go"}"#
    for (answersAfter, end) in [(0, 150), (400, 400), (5_000, 1_000)] {
      let world = try world(button)
      try world.press(element: "b")
      var shown = 0
      for time in stride(from: 0, to: 2_000, by: 10) {
        if time == answersAfter { try world.widget.answer("performAction", "{}") }
        if !(try world.card.pressed.isEmpty) { shown = time + 10 }
        world.pass(.milliseconds(10))
      }
      #expect(abs(shown - end) <= 10, "answered after \(answersAfter) ms")
    }
  }

  @Test func `a link that cannot be opened shows the reason`() throws {
    let world = try world(#"{"type":"text","id":"l","text":"x","link":"nothing:1"}"#)
    world.center.urls.terminalHandover = { _ in }
    try world.press(element: "l")
    #expect(world.center.notices.current == "A: not opened: no app opens “nothing:”")
  }
}
