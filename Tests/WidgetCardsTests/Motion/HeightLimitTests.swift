import Testing

@testable import WidgetCards

@Suite struct HeightLimitTests {
  private let start = ContinuousClock.Instant.now
  private var limit = HeightLimit(pause: .seconds(1))

  @Test mutating func `the first change is allowed, and so is one after the pause`() {
    let isFirstAllowed = limit.allows(start)
    limit.note(start)
    let isNextAllowed = limit.allows(start + .seconds(1))
    #expect(isFirstAllowed && isNextAllowed)
    #expect(!limit.isHolding)
  }

  @Test mutating func `many requests in the pause are due together, once, at its end`() {
    limit.note(start)
    let times = (1...20).map { start + .milliseconds(40 * $0) }
    let (allowed, early) = (times.filter { limit.allows($0) }, times.filter { limit.takeDue($0) })
    #expect(allowed.isEmpty && early.isEmpty)
    #expect(limit.due == start + .seconds(1))
    let due = [1, 10].map { limit.takeDue(start + .seconds($0)) }
    #expect(due == [true, false])
    #expect(!limit.isHolding)
  }

  @Test mutating func `a limit that is lifted allows the next change at once`() {
    limit.note(start)
    limit.lift()
    let isAllowed = limit.allows(start)
    #expect(isAllowed)
  }

  @Test mutating func `nothing is due of a stopped limit`() {
    limit.note(start)
    _ = limit.allows(start)
    limit.stop()
    let isDue = limit.takeDue(start + .seconds(2))
    #expect(limit.due == nil && !isDue)
  }
}
