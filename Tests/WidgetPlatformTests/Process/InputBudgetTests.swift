import Testing

@testable import WidgetPlatform

@Suite struct InputBudgetTests {
  private let start = ContinuousClock.now
  private let second = 256 * 1024

  @Test func `a burst of up to 1 MiB is read`() {
    var budget = InputBudget(HostLimits())
    #expect(budget.spend(4 * second, at: start) == .readOn)
    #expect(budget.spend(1, at: start) != .readOn)
  }

  @Test func `the saved budget never exceeds a burst`() {
    var budget = InputBudget(HostLimits())
    #expect(budget.spend(0, at: start) == .readOn)
    let later = start + .seconds(3_600)
    #expect(budget.spend(4 * second, at: later) == .readOn)
    #expect(budget.spend(1, at: later) != .readOn)
  }

  @Test func `a steady stream at the limit is never paused`() {
    var budget = InputBudget(HostLimits())
    for number in 0..<600 {
      let now = start + .milliseconds(number * 100)
      #expect(budget.spend(second / 10, at: now) == .readOn, "\(number)")
    }
  }

  @Test func `a pause compensates for the excess`() throws {
    var budget = InputBudget(HostLimits())
    guard case .pause(let pause) = budget.spend(5 * second, at: start) else {
      Issue.record("not paused")
      return
    }
    #expect(pause >= .seconds(1))
    #expect(pause < .seconds(1.1))
    #expect(budget.spend(0, at: start + pause) == .readOn)
  }

  @Test func `a flood is read at the limit and ended after ten seconds`() {
    var budget = InputBudget(HostLimits())
    var now = start
    var read = 0
    while true {
      read += 64 * 1024
      switch budget.spend(64 * 1024, at: now) {
      case .readOn: now += .microseconds(100)
      case .pause(let pause): now += pause
      case .exhausted:
        let seconds = start.duration(to: now).seconds
        #expect((10...12).contains(seconds))
        #expect(read <= Int(Double(second) * (seconds + 4.5)))
        return
      }
    }
  }

  @Test func `a flood that ends in time has no consequences`() {
    var budget = InputBudget(HostLimits())
    for round in 0..<5 {
      var now = start + .seconds(round * 60)
      let end = now + .seconds(8)
      while now < end {
        let verdict = budget.spend(64 * 1024, at: now)
        #expect(verdict != .exhausted)
        if case .pause(let pause) = verdict { now += pause } else { now += .milliseconds(1) }
      }
    }
  }

  @Test func `the number of lines is limited too`() {
    var budget = InputBudget(HostLimits())
    var now = start
    var lines = 0
    while start.duration(to: now) < .seconds(8) {
      lines += 1_000
      switch budget.spend(2_000, lines: 1_000, at: now) {
      case .readOn: now += .microseconds(100)
      case .pause(let pause): now += pause
      case .exhausted: Issue.record("ended after \(start.duration(to: now))")
      }
    }
    // The burst and eight seconds, at 130 bytes a line.
    #expect(lines < (4 + 9) * second / 130)
    #expect(lines > 8 * second / 130)
  }
}
