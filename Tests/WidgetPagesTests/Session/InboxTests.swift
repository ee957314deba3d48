import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetPlatform
@testable import WidgetSessions

/// Long messages are read off the main actor, and the order of messages is preserved.
@Suite struct InboxTests {
  private let long = stack(400, "a row of a view that takes a while")

  @Test("a long view is not decoded on the main queue")
  func readElsewhere() async throws {
    let world = try EngineWorld(first: #","view":"first""#)
    let widget = try world.open()
    #expect(long.utf8.count > Inbox.longLineBytes)
    widget.notify("setView", #"{"view":\#(long)}"#)
    world.pass(.milliseconds(50))
    // The test has not left the main actor yet: whoever read it here would have shown it.
    #expect(world.picture == ["first"])
    try await world.finishReading()
    #expect(world.picture.first == "a row of a view that takes a while 1")
  }

  @Test("messages after a long one wait for it")
  func order() async throws {
    let world = try EngineWorld(first: #","view":"first""#)
    let widget = try world.open()
    widget.notify("setView", #"{"view":\#(long)}"#)
    widget.notify("log", #"{"level":"info","message":"after the long one"}"#)
    widget.notify("setView", #"{"view":"last"}"#)
    widget.say(#"{"jsonrpc":"2.0","id":"u","method":"frobnicate"}"#)
    #expect(world.picture == ["first"])
    try await world.finishReading()
    world.pass(.milliseconds(50))
    try await world.finishReading()
    #expect(world.picture == ["last"])
    #expect(widget.received.contains { $0.kind == .error(.string("u")) })
  }

  @Test("a long answer completes its update")
  func reply() async throws {
    let world = try EngineWorld(["widgetPerformUpdate": "{}"])
    world.answers["widgetPerformUpdate"] = nil
    let widget = try world.open()
    widget.answer("widgetPerformUpdate", #"{"result":"newData","view":\#(long)}"#)
    #expect(world.updates == [])
    try await world.finishReading()
    #expect(world.updates == [.newData])
    #expect(world.picture.first == "a row of a view that takes a while 1")
  }

  @Test("a long view sent before the exit is shown")
  func end() async throws {
    let world = try EngineWorld(first: #","view":"first""#)
    let widget = try world.open()
    // The next run says nothing.
    world.answers["initialize"] = nil
    widget.notify("setView", #"{"view":\#(long)}"#)
    widget.crash()
    #expect(world.runs.count == 1)
    try await world.finishReading()
    #expect(world.picture.first == "a row of a view that takes a while 1")
    #expect(world.runs.count == 2)
  }

  @Test("a long invalid line is answered and counted")
  func garbage() async throws {
    let world = try EngineWorld(first: #","view":"first""#)
    let widget = try world.open()
    widget.say(String(repeating: "[", count: 20_000))
    try await world.finishReading()
    #expect(widget.received.contains { $0.kind == .error(nil) })
    #expect(world.picture == ["first"])
  }

  @Test("many messages behind a long one are handled in several turns, in order")
  func many() async throws {
    let world = try EngineWorld(first: #","view":"first""#)
    let widget = try world.open()
    widget.notify("setView", #"{"view":\#(long)}"#)
    let count = 20 * Inbox.turn
    for number in 0..<count {
      widget.say(#"{"jsonrpc":"2.0","id":"\#(number)","method":"frobnicate"}"#)
    }
    await eventually("an answer to each") { widget.received.count >= count }
    let ids = widget.received.compactMap { line -> String? in
      if case .error(.string(let id)) = line.kind { id } else { nil }
    }
    #expect(ids == (0..<count).map { "\($0)" })
  }

  @Test("messages are taken in order, and returned ones come first")
  func queue() {
    var inbox = Inbox()
    func append(_ words: String) { inbox.append(.report(.violation(words))) }
    func next() -> String? {
      if case .report(.violation(let words)) = inbox.next() { words } else { nil }
    }
    inbox.putBack(.report(.violation("first")))
    append("second")
    #expect(next() == "first")
    inbox.putBack(.report(.violation("first again")))
    #expect(next() == "first again")
    inbox.beginReading()
    #expect(next() == nil)
    inbox.endReading()
    #expect(next() == "second")
    #expect(inbox.isEmpty)
    #expect(next() == nil)
  }
}
