import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// Limits on the requests of a widget: one below, at, and one above each.
@Suite struct PageLimitTests {
  private func log(_ world: EngineWorld) throws -> String {
    try world.center.folders.readLog(of: world.card.id) ?? ""
  }

  @Test("a body has at most 100 rows", arguments: [99, 100, 101, 5_000])
  func bodyRows(rows: Int) throws {
    let world = try EngineWorld(first: #","view":"a","preferredContentSize":{"height":\#(rows)}"#)
    try world.open()
    #expect(world.rows == min(rows, 100))
  }

  @Test(arguments: [
    "1e300", "-1e300", "1e999", "-1e999", "9223372036854775808", "-9223372036854775809", "10001",
    "-1", "2.5", "1e-300", "\"NaN\"", "\"Infinity\"", "\"1e300\"", "true", "[7]", "{}",
  ])
  func `an impossible height is logged and changes nothing`(number: String) throws {
    let world = try EngineWorld(first: #","view":\#(stack(3))"#)
    let widget = try world.open()
    world.pass(.milliseconds(200))
    widget.notify("setPreferredContentSize", #"{"height":\#(number)}"#)
    world.pass(.seconds(2))
    #expect(world.rows == 3)
    #expect(try world.card.state == .live)
    #expect(
      try log(world).contains("refused: params.height: expected a whole number from 0 to 10000")
    )
    // It goes on: the next one that is good counts.
    widget.notify("setPreferredContentSize", #"{"height":7}"#)
    world.pass(.seconds(2))
    #expect(world.rows == 7)
  }

  @Test(arguments: [("0", 0), ("-0.0", 0), ("7.0", 7), ("7e0", 7), ("10000", 100), ("null", 3)])
  func `a height at the ends of its range is granted`(number: String, rows: Int) throws {
    let world = try EngineWorld(
      first: #","view":\#(stack(3)),"preferredContentSize":{"height":5}"#
    )
    let widget = try world.open()
    world.pass(.milliseconds(200))
    #expect(world.rows == 5)
    widget.notify("setPreferredContentSize", #"{"height":\#(number)}"#)
    world.pass(.seconds(2))
    #expect(world.rows == rows)
  }

  @Test("a height changes at most once a second", arguments: [-10, 0, 10])
  func heightChanges(milliseconds: Int) throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    world.pass(.milliseconds(200))
    widget.notify("setPreferredContentSize", #"{"height":5}"#)
    world.pass(.milliseconds(1_000 + milliseconds))
    #expect(world.rows == 5)
    widget.notify("setPreferredContentSize", #"{"height":9}"#)
    world.settle()
    let isMoving = world.center.drawing.isAnimating
    #expect(isMoving == (milliseconds >= 0))
    // What was held back comes after all.
    world.pass(.seconds(2))
    #expect(world.rows == 9)
  }

  @Test("the time between changes of a height is a setting")
  func heightSetting() throws {
    let world = try EngineWorld(first: #","view":"a""#) { $0.limits.heightPause = .seconds(5) }
    let widget = try world.open()
    world.pass(.milliseconds(200))
    widget.notify("setPreferredContentSize", #"{"height":5}"#)
    world.pass(.seconds(4))
    widget.notify("setPreferredContentSize", #"{"height":9}"#)
    world.pass(.milliseconds(900))
    #expect(world.rows == 5)
    world.pass(.seconds(1))
    #expect(world.rows == 9)
  }

  @Test("the number of open requests is limited", arguments: [63, 64, 65])
  func openRequests(open: Int) throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    let session = try #require(world.center.page.controllers.first?.session)
    let reader = try #require(session.connection?.reader)
    for number in 0..<open { reader.open(.string("open \(number)")) }
    widget.say(
      #"{"jsonrpc":"2.0","id":"one more","method":"beginExpiringActivity","params":{"reason":"r"}}"#
    )
    world.settle()
    let isRefused = widget.received.contains { $0.kind == .error(.string("one more")) }
    #expect(isRefused == (open >= 64))
    #expect(try log(world).contains("\(open) requests are open, the limit is 64") == (open >= 64))
  }

  @Test("the number of unanswered presses is limited", arguments: [7, 8, 9])
  func openPresses(presses: Int) throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    world.answers["performAction"] = nil
    let widget = try world.open()
    for number in 0..<presses { world.press("press \(number)") }
    world.settle()
    #expect(try widget.messages(PerformActionRequest.self).count == min(presses, 8))
    #expect((try world.card.pressCue != nil) == (presses > 8))
  }

  @Test("the number of open activities is limited", arguments: [7, 8, 9])
  func openActivities(count: Int) throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    for number in 0..<count {
      widget.say(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"beginExpiringActivity","params":{"reason":"r"}}"#
      )
    }
    world.settle()
    let replies = try (0..<count).compactMap {
      try widget.result(BeginExpiringActivityRequest.Reply.self, of: .number($0))
    }
    let granted = replies.count { !$0.expired }
    #expect(granted == min(count, 8))
  }

  @Test("a widget opens at most one URL per second, after a press", arguments: [-10, 0, 10])
  func openURL(milliseconds: Int) throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    let widget = try world.open()
    let ask = { (id: Int) in
      widget.say(#"{"jsonrpc":"2.0","id":\#(id),"method":"openURL","params":{"url":"nobody:x"}}"#)
      world.settle()
    }
    ask(1)
    #expect(try log(world).contains("openURL refused: nobody pressed anything"))
    world.press("go")
    ask(2)
    world.pass(.milliseconds(1_000 + milliseconds))
    ask(3)
    let refusal = "openURL refused: more than one in 1 s"
    #expect(try log(world).contains(refusal) == (milliseconds < 0))
  }

  @Test("a URL has at most 2,048 bytes", arguments: [-1, 0, 1])
  func urlBytes(offset: Int) throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    let widget = try world.open()
    world.press("go")
    let url = "nobody:" + String(repeating: "x", count: 2_048 + offset - 7)
    widget.say(#"{"jsonrpc":"2.0","id":1,"method":"openURL","params":{"url":"\#(url)"}}"#)
    world.settle()
    let refusal = "openURL refused: the URL has 2049 bytes, the limit is 2048"
    #expect(try log(world).contains(refusal) == (offset > 0))
  }
}
