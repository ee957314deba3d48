import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SessionResourceTests {
  private let soft = MemoryLimits().softBytes
  private let hard = MemoryLimits().hardBytes

  @Test("a widget is warned above the soft limit, not at it", arguments: [-1, 0, 1])
  func softLimit(offset: Int) {
    let script = SessionScript.live(["didReceiveMemoryWarning"])
    let effects = script.at(.found(.memory(UInt64(Int(soft) + offset))))
    #expect(effects.sent == (offset > 0 ? [.didReceiveMemoryWarning] : []))
    #expect(effects.log == (offset > 0 ? ["memory: 64.1 MiB, it is ended above 128 MiB"] : []))
  }

  @Test("a widget is warned once until it is below four fifths of the limit")
  func warnedOnce() {
    let script = SessionScript.live(["didReceiveMemoryWarning"])
    #expect(script.at(.found(.memory(soft + 1))).sent.count == 1)
    #expect(script.at(.found(.memory(soft + 2))).isEmpty)
    #expect(script.at(.found(.memory(soft / 5 * 4))).isEmpty)
    #expect(script.at(.found(.memory(soft + 1))).isEmpty)
    #expect(script.at(.found(.memory(soft / 5 * 4 - 1))).isEmpty)
    #expect(script.at(.found(.memory(soft + 1))).sent == [.didReceiveMemoryWarning])
  }

  @Test("a widget that does not implement the warning is not sent it")
  func notImplemented() {
    let script = SessionScript.live()
    #expect(script.at(.found(.memory(soft + 1))).sent.isEmpty)
  }

  @Test("a widget is ended above the hard limit, not at it", arguments: [-1, 0, 1])
  func hardLimit(offset: Int) {
    let script = SessionScript.live()
    let effects = script.at(.found(.memory(UInt64(Int(hard) + offset))))
    #expect(effects.contains(.signal(.kill)) == (offset > 0))
    guard offset > 0 else { return }
    #expect(effects.log == ["memory: 128.1 MiB, the limit is 128 MiB"])
    let ended = script.at(.ended(.signaled(9)))
    #expect(ended.healths == [.health(.failed, message: "Unable to Load (memory)")])
    script.at(.deadline(.restart))
    script.at(.launched(.sample))
    script.initialize()
    script.at(1, .found(.memory(hard * 2)))
    #expect(
      script.at(1, .ended(.signaled(9))).healths == [
        .health(.failed, message: "Unable to Load (memory), starts again in 1 s")
      ]
    )
  }
}
