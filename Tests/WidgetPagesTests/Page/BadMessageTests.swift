import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct BadMessageTests {
  @Test(arguments: [
    ("nonsense", MessageID?.none, WireError.Code.parseError),
    ("[]", nil, .invalidRequest),
    (#"{"jsonrpc":"2.0","id":"x","method":"noSuchMethod"}"#, .string("x"), .methodNotFound),
    (#"{"jsonrpc":"2.0","id":"x","method":"openURL"}"#, .string("x"), .invalidParams),
    (
      #"{"jsonrpc":"2.0","id":4,"method":"openURL","params":{"url":7}}"#, .number(4),
      .invalidParams
    ),
  ])
  func `an invalid request is answered with its error code`(
    line: String,
    id: MessageID?,
    code: WireError.Code
  ) throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    widget.say(line)
    let answer = try #require(widget.received.first { $0.kind == .error(id) })
    #expect(try answer.decode(WireError.self).code == code)
    #expect(world.picture == ["a"])
  }

  @Test func `an invalid notification is not answered`() throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    let count = widget.received.count
    widget.notify("noSuchMethod", "{}")
    widget.notify("setView", #"{"view":{"type":17}}"#)
    widget.notify("log", #"{"message":7}"#)
    world.settle()
    #expect(widget.received.count == count)
  }

  @Test func `a widget that sends no valid messages is ended and its content stays`() throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    for _ in 0..<11 { widget.say("Content-Length: 2") }
    #expect(widget.signals == [.kill])
    _ = widget.goOn()
    #expect(try world.card.state == .failed)
    #expect(try world.card.message?.string.contains("too many invalid messages") == true)
    #expect(world.picture == ["a"])
  }
}
