import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// The deadlines of the default configuration: each just before it, at it, and just after it.
@Suite struct TimeLimitTests {
  private nonisolated static let offsets: [Duration] = [
    .milliseconds(-10), .zero, .milliseconds(10),
  ]

  @Test("a widget has five seconds to answer initialize", arguments: offsets)
  func initialize(offset: Duration) throws {
    let world = try EngineWorld()
    let greeting = try #require(world.answers["initialize"])
    world.answers["initialize"] = nil
    let widget = try world.open()
    world.pass(.seconds(5) + offset)
    if offset < .zero {
      widget.answer("initialize", greeting)
      world.settle()
      #expect(widget.signals.isEmpty)
      #expect(try world.card.state == .live)
    } else {
      #expect(widget.signals == [.kill])
      let log = try world.center.folders.readLog(of: world.card.id) ?? ""
      #expect(log.contains("Unable to Load: no answer in 5 s"))
    }
  }

  @Test("a widget has thirty seconds for an update", arguments: offsets)
  func update(offset: Duration) throws {
    let world = try EngineWorld(["widgetPerformUpdate": "{}"])
    world.answers["widgetPerformUpdate"] = nil
    let widget = try world.open()
    world.pass(.seconds(30) + offset, step: .milliseconds(10))
    #expect(world.updates == (offset < .zero ? [] : [.failed]))
    widget.answer("widgetPerformUpdate", #"{"result":"newData","view":"new"}"#)
    world.settle()
    #expect(world.updates == (offset < .zero ? [.newData] : [.failed]))
    #expect(world.picture == (offset < .zero ? ["new"] : []))
  }

  @Test(
    "a widget ended for memory has two seconds to exit, and another after SIGTERM",
    arguments: offsets
  )
  func shutdown(offset: Duration) throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    widget.isDeaf = true
    world.center.screen.setVisible([])
    world.pass(.seconds(5.25))
    #expect(widget.isSuspended)
    world.pass(.seconds(600), step: .seconds(1))
    #expect(widget.methods.last == "shutdown")
    world.pass(.seconds(2) + offset)
    #expect(widget.signals == [.resume] + (offset < .zero ? [] : [.terminate]))
    world.pass(.seconds(1))
    #expect(widget.signals.contains(.kill) == (offset >= .zero))
  }

  @Test("a widget is suspended for ten minutes at most", arguments: offsets)
  func idle(offset: Duration) throws {
    let world = try EngineWorld(first: #","view":"a""#)
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(5.25))
    #expect(widget.isSuspended)
    world.pass(.seconds(599), step: .seconds(1))
    world.pass(.seconds(1) + offset, step: .milliseconds(10))
    #expect(widget.isSuspended == (offset < .zero))
  }
}
