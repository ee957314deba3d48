import Testing
import WidgetTesting

@testable import WidgetScripts

@Suite("Connections to many machines")
struct ConnectionGateTests {
  private let clock = VirtualClock()

  @Test func `at most eight are made at once, after each other`() {
    let gate = ConnectionGate(clock: clock)
    var begun: [ContinuousClock.Instant] = []
    for _ in 0..<50 { gate.enter { begun.append(clock.now) } }
    #expect(begun.count == 1, "the first one waits for nothing")
    clock.advance(by: .seconds(10))
    #expect(begun.count == 8)
    #expect(Set(begun).count == 8, "they are spread")
    for _ in 0..<3 { gate.leave() }
    clock.advance(by: .seconds(10))
    #expect(begun.count == 11)
    var left = 11 - 3
    while left > 0 {
      let before = begun.count
      gate.leave()
      left -= 1
      clock.advance(by: .seconds(1))
      left += begun.count - before
      #expect(left <= 8)
    }
    #expect(begun.count == 50)
  }

  @Test func `who does not want one any more takes no place`() {
    let gate = ConnectionGate(limit: 1, clock: clock)
    var begun: [Int] = []
    gate.enter { begun.append(1) }
    let second = gate.enter { begun.append(2) }
    gate.enter { begun.append(3) }
    gate.withdraw(second)
    gate.leave()
    clock.advance(by: .seconds(1))
    #expect(begun == [1, 3])
  }
}
