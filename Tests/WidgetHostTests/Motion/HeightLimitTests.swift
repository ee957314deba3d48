import Testing
import WidgetTesting

@testable import WidgetHost

@Suite struct HeightLimitTests {
  private let clock = VirtualClock()

  private func limit() -> HeightLimit { HeightLimit(clock: clock, pause: .seconds(1)) }

  @Test func `the first change is allowed, and so is one after the pause`() {
    let limit = limit()
    #expect(limit.allows(clock.now) {})
    limit.note(clock.now)
    clock.advance(by: .seconds(1))
    #expect(limit.allows(clock.now) {})
    #expect(!limit.isHolding)
  }

  @Test func `many requests in the pause are due together, once, at its end`() {
    let limit = limit()
    limit.note(clock.now)
    var due = 0
    for _ in 0..<20 {
      clock.advance(by: .milliseconds(40))
      #expect(!limit.allows(clock.now) { due += 1 })
    }
    #expect(limit.isHolding)
    #expect(due == 0)
    clock.advance(by: .milliseconds(200))
    #expect(due == 1)
    #expect(!limit.isHolding)
    clock.advance(by: .seconds(10))
    #expect(due == 1)
  }

  @Test func `a limit that is lifted allows the next change at once`() {
    let limit = limit()
    limit.note(clock.now)
    limit.lift()
    #expect(limit.allows(clock.now) {})
  }

  @Test func `a stopped limit calls nobody`() {
    let limit = limit()
    limit.note(clock.now)
    var due = 0
    _ = limit.allows(clock.now) { due += 1 }
    limit.stop()
    clock.advance(by: .seconds(2))
    #expect(due == 0)
  }
}
