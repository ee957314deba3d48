import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// An answer that cannot be read fails its request at once.
@Suite struct UnreadableAnswerTests {
  private func log(_ world: EngineWorld) throws -> String {
    let path = world.center.folders.log(of: EngineWorld.id)
    return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// A page whose widget was asked for an update and has not answered.
  private func openWorld() throws -> (EngineWorld, FakeWidget) {
    let world = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"noData"}"#],
      first: #","view":"a""#
    )
    let widget = try world.open()
    widget.answers["widgetPerformUpdate"] = nil
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    return (world, widget)
  }

  @Test func `an update whose answer is not JSON fails at once, with the bytes around the error`()
    throws
  {
    let (world, widget) = try openWorld()
    widget.say(#"{"jsonrpc":"2.0","result":None}"#)
    world.settle()
    let card = try world.card
    #expect(card.state == .failed)
    #expect(card.message?.string.contains("near “…\"2.0\",\"result\":None}”") == true)
    #expect(world.picture == ["a"])
    #expect(try log(world).contains("widgetPerformUpdate: at byte 26: expected a value"))
  }

  @Test func `an unreadable line counts as a bad message`() throws {
    let (world, widget) = try openWorld()
    for _ in 0..<11 { widget.say("Traceback") }
    #expect(widget.signals == [.kill])
    world.settle()
  }

  @Test(arguments: [
    ("1e30", "Needs a later protocol version; expected 1"),
    ("1000000000000000000000000000000", "Needs a later protocol version; expected 1"),
    ("0", "protocolVersion is 0; expected 1"),
    ("-1", "protocolVersion is -1; expected 1"),
    ("-1e30", "protocolVersion: expected 1"),
    ("1.5", "protocolVersion: expected 1"),
    (#""1""#, "protocolVersion: expected 1"),
    ("null", "protocolVersion: expected 1"),
    ("[1]", "protocolVersion: expected 1"),
    ("true", "protocolVersion: expected 1"),
  ])
  func `a version of the protocol that no host has is named in the card`(
    version: String,
    words: String
  ) throws {
    let world = try EngineWorld()
    world.answers["initialize"] = #"{"protocolVersion":\#(version),"implements":[]}"#
    try world.open()
    world.pass(.seconds(1))
    let message = try #require(try world.card.message).string
    #expect(message.contains(words), "\(message)")
  }

  @Test func `a broken notification fails no request`() throws {
    let (world, widget) = try openWorld()
    widget.say(#"{"jsonrpc":"2.0","method":"setView","params":{"view":NaN}}"#)
    world.settle()
    #expect(try world.card.state == .live)
    widget.answer("widgetPerformUpdate", #"{"result":"newData","view":"b"}"#)
    world.settle()
    #expect(world.picture == ["b"])
  }

  @Test func `an update without an answer is logged, with the likely reason`() throws {
    let (world, _) = try openWorld()
    world.pass(.seconds(31), step: .milliseconds(200))
    #expect(
      try log(world).contains(
        "no answer to widgetPerformUpdate in 30 s; standard output may be buffered"
      )
    )
  }

  @Test(arguments: [
    (#"{"type":"vstack","children":["a",7]}"#, "result.view.children[1]: expected a node"),
    (#"{"type":"vstack","children":["a",null]}"#, "result.view.children[1]: expected an array"),
    (#"{"type":"grid","rows":[["a"],["b",7]]}"#, "result.view.rows[1][1]: expected a node"),
    (#"{"type":"button","action":"x","label":7}"#, "result.view.label: expected a node"),
    (#"{"type":"vstack","children":[{"type":"lamp"}]}"#, "unknown node type “lamp”"),
  ])
  func `an invalid child is named with its path, and an unknown type by its name`(
    view: String,
    words: String
  ) throws {
    let (world, widget) = try openWorld()
    widget.answer("widgetPerformUpdate", #"{"result":"newData","view":\#(view)}"#)
    world.settle()
    #expect(try log(world).contains(words))
  }
}
