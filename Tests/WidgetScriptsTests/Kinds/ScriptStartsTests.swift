import Testing
import WidgetTesting

@testable import WidgetPlatform
@testable import WidgetScripts

@Suite struct `Starts of scripts` {
  @Test func `are spread where many are due at once`() {
    let clock = VirtualClock()
    let starts = ScriptStarts(clock: clock)
    let begin = clock.now
    var moments: [Duration] = []
    var timers: [any HostTimer] = []
    for _ in 0..<200 {
      if let timer = starts.take({ moments.append(begin.duration(to: clock.now)) }) {
        timers.append(timer)
      }
    }
    let first = Array(repeating: Duration.zero, count: ScriptStarts.startsPerTurn)
    #expect(moments == first)
    clock.advance(by: .seconds(1))
    #expect(moments.count == 200)
    #expect(moments.last == ScriptStarts.pause * (200 / ScriptStarts.startsPerTurn - 1))
    // One that comes later does not wait.
    #expect(starts.take { moments.append(begin.duration(to: clock.now)) } == nil)
    #expect(moments.last == .seconds(1))
  }
}
