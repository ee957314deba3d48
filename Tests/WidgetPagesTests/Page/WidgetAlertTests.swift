import Foundation
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetPages

/// What widgets tell the user at once.
@Suite(.timeLimit(.minutes(5))) struct WidgetAlertTests {
  private func world(requests entitlement: Bool = true) throws -> (EngineWorld, FakeWidget) {
    let world = try EngineWorld([:], first: #","view":"a""#)
    if entitlement {
      try Data(#"{ "org.today.notifications" = YES; }"#.utf8).write(
        to: URL(filePath: "\(world.folder.path)/widgets/A.widget/Entitlements.plist")
      )
    }
    return (world, try world.open())
  }

  /// Sends a request; returns the line of the answer.
  private func tell(_ text: String, _ world: EngineWorld, _ widget: FakeWidget) throws -> String {
    widget.say(
      #"{"jsonrpc":"2.0","id":"k","method":"org.today.alert","params":{"text":"\#(text)"}}"#
    )
    world.settle()
    let line = widget.received.last {
      [.result(.string("k")), .error(.string("k"))].contains($0.kind)
    }
    return String(decoding: try #require(line).bytes, as: UTF8.self)
  }

  @Test func `a widget that may tells the user, and not twice in ten seconds`() throws {
    let (world, widget) = try world()
    var bells = 0
    world.center.alerts.onBell = { bells += 1 }
    #expect(try tell(#"Work is over.\u001b[2J"#, world, widget).contains(#""result":{}"#))
    #expect(bells == 1)
    let notice = try #require(world.center.notices.current).string
    #expect(notice.contains("Work is over.") && !notice.contains("\u{1B}"))
    #expect(try tell("again", world, widget).contains("-32004"))
    #expect(bells == 1)
    world.clock.advance(by: .seconds(10))
    #expect(try tell("again", world, widget).contains(#""result":{}"#))
    #expect(bells == 2)
  }

  @Test func `a widget without the entitlement is refused`() throws {
    let (world, widget) = try world(requests: false)
    var bells = 0
    world.center.alerts.onBell = { bells += 1 }
    #expect(try tell("hello", world, widget).contains("-32001"))
    #expect(bells == 0)
  }

  @Test func `a long text is cut`() throws {
    let (world, widget) = try world()
    _ = try tell(String(repeating: "x", count: 5_000), world, widget)
    let notice = try #require(world.center.notices.current)
    #expect(notice.string.count < 600)
  }
}
