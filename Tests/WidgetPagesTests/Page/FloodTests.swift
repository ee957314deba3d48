import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages

@Suite struct FloodTests {
  @Test func `of a flood of views 30 per second are decoded, and the newest is shown`() throws {
    let world = try EngineWorld(first: #","view":"start""#)
    let widget = try world.open()
    world.pass(.seconds(1))
    var pictures: Set<String> = []
    let steps = 2_000
    for number in 1...steps {
      widget.notify("setView", #"{"view":"flood \#(number)"}"#)
      world.clock.advance(by: .milliseconds(1))
      pictures.insert(world.picture.first ?? "")
    }
    world.pass(.milliseconds(100))
    #expect(world.picture == ["flood \(steps)"])
    #expect(pictures.count <= 30 * 2 + 2)
    #expect(pictures.count >= 50)
  }

  @Test func `a view that is replaced before it is shown is not decoded`() throws {
    let world = try EngineWorld(first: #","view":"start""#)
    let widget = try world.open()
    world.pass(.seconds(1))
    widget.notify("setView", #"{"view":"first"}"#)
    widget.notify("setView", #"{"view":{"type":17}}"#)
    widget.notify("setView", #"{"view":"last"}"#)
    world.settle()
    #expect(world.picture == ["last"])
  }

  @Test func `views keep their order among other messages`() throws {
    let world = try EngineWorld(first: #","view":"start""#)
    let widget = try world.open()
    world.pass(.seconds(5))
    widget.notify("setView", #"{"view":\#(stack(5))}"#)
    widget.notify("setPreferredContentSize", #"{"height":2}"#)
    world.pass(.seconds(3))
    #expect(world.rows == 2)
    #expect(world.picture.first == "row 1")
  }

  @Test func `several changes in one turn notify the page once`() throws {
    let world = try EngineWorld(first: #","view":"start""#)
    let widget = try world.open()
    world.pass(.seconds(1))
    let changes = world.changes
    widget.notify("setPreferredContentSize", #"{"height":2}"#)
    widget.notify("setLargestAvailableDisplayMode", #"{"mode":"expanded"}"#)
    widget.notify("setPreferredContentSize", #"{"height":3}"#)
    world.clock.advance(by: .zero)
    #expect(world.changes <= changes + 2)
  }

  @Test func `64 requests may be open and the next is refused`() throws {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":"a""#)
    world.center.urls.terminalHandover = { _ in }
    world.center.urls.onQuestion = { if $0 != nil { world.center.urls.answer(.always) } }
    try world.folder.app(
      "widgets/C.app",
      "com.example.C",
      schemes: ["clowntown"],
      more: "TodayNeedsTerminal = YES;"
    )
    let widget = try world.open()
    for number in 0..<65 {
      world.press("post")
      world.pass(.seconds(1.1), step: .seconds(1.1))
      widget.say(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"openURL","params":{"url":"clowntown:1"}}"#
      )
    }
    let error = try widget.received.first { $0.kind == .error(.number(64)) }?
      .decode(WireError.self)
    #expect(error?.code == .tooManyRequests)
    #expect(!widget.received.contains { $0.kind == .error(.number(63)) })
  }
}
