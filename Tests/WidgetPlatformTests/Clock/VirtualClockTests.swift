import FoundationEssentials
import Testing
import WidgetPlatform
import WidgetTesting

@Suite struct VirtualClockTests {
  private let clock = VirtualClock()

  @Test func `timers fire in the order of their times, each at its own time`() {
    var fired: [String] = []
    let start = clock.now
    let timers = [(3, "c"), (1, "a"), (2, "b"), (2, "b2")].map { seconds, name in
      clock.schedule(after: .seconds(seconds)) {
        fired.append(name)
        #expect(start.duration(to: clock.now) == .seconds(seconds))
      }
    }
    clock.advance(by: .seconds(2))
    #expect(fired == ["a", "b", "b2"])
    clock.advance(by: .seconds(1))
    #expect(fired == ["a", "b", "b2", "c"])
    #expect(timers.count == 4)
  }

  @Test func `a timer scheduled by another timer fires in the same advance`() {
    var count = 0
    var timer: (any HostTimer)?
    func again() {
      count += 1
      timer = clock.schedule(after: .seconds(1)) { again() }
    }
    again()
    clock.advance(by: .seconds(10))
    #expect(count == 11)
    #expect(clock.timeToNextTimer == .seconds(1))
    timer?.cancel()
    #expect(clock.timeToNextTimer == nil)
  }

  @Test func `a timer that is cancelled or released does not fire`() {
    var fired = 0
    let cancelled = clock.schedule(after: .seconds(1)) { fired += 1 }
    cancelled.cancel()
    _ = clock.schedule(after: .seconds(1)) { fired += 1 }
    clock.advance(by: .seconds(5))
    #expect(fired == 0)
  }

  @Test func `a timer without delay fires with the next advance, also by zero`() {
    var fired = 0
    let timer = clock.schedule(after: .seconds(-1)) { fired += 1 }
    #expect(fired == 0)
    clock.advance(by: .zero)
    clock.advance(by: .zero)
    #expect(fired == 1)
    timer.cancel()
  }

  @Test func `the wall clock advances with the clock`() {
    let date = clock.date
    clock.advance(by: .milliseconds(1_500))
    #expect(clock.date.timeIntervalSince(date) == 1.5)
  }
}
