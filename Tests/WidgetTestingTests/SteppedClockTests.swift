import FoundationEssentials
import Testing
import WidgetPlatform
import WidgetTesting

/// The clock of `today dev`.
@Suite struct SteppedClockTests {
  @Test func `timers fire when the clock is put past them, in their order`() {
    let clock = SteppedClock()
    var fired: [String] = []
    let later = clock.schedule(after: .seconds(100)) { fired.append("later") }
    let sooner = clock.schedule(after: .seconds(50)) { fired.append("sooner") }
    let cancelled = clock.schedule(after: .seconds(60)) { fired.append("cancelled") }
    cancelled.cancel()
    let start = clock.date
    clock.advance(by: .seconds(40))
    #expect(fired.isEmpty)
    clock.advance(by: .seconds(200))
    #expect(fired == ["sooner", "later"])
    #expect(clock.offset == .seconds(240))
    #expect(clock.date.timeIntervalSince(start) >= 240)
    withExtendedLifetime((later, sooner)) {}
  }

  @Test func `the next step is the first timer that is not due at once`() throws {
    let clock = SteppedClock()
    #expect(clock.timeToNextStep == nil)
    let tick = clock.schedule(after: .milliseconds(100)) {}
    let next = clock.schedule(after: .seconds(3_600)) {}
    let step = try #require(clock.timeToNextStep)
    #expect(step > .seconds(3_590) && step <= .seconds(3_600))
    withExtendedLifetime((tick, next)) {}
  }

  @Test func `it never goes back, and a timer may schedule the next one`() {
    let clock = SteppedClock()
    clock.advance(by: .seconds(-5))
    #expect(clock.offset == .zero)
    var count = 0
    var timer: (any HostTimer)?
    func again() {
      count += 1
      timer = clock.schedule(after: .seconds(10)) { again() }
    }
    again()
    clock.advance(by: .seconds(10))
    clock.advance(by: .seconds(10))
    #expect(count == 3)
    timer?.cancel()
  }
}
