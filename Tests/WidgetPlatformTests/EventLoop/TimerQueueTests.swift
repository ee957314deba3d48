import Testing
import WidgetTestSupport

@testable import WidgetPlatform

@Suite struct TimerQueueTests {
  private let start = ContinuousClock.now

  private func moment(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func `random timers come due in the order of their moments, cancelled ones never`() {
    for seed: UInt64 in 0..<50 {
      var random = SeededGenerator(seed: seed)
      var queue = TimerQueue()
      var expected: [(moment: Int, id: TimerQueue.ID)] = []
      for _ in 0..<200 {
        let seconds = Int.random(in: 0...100, using: &random)
        let leeway = Int.random(in: 0...20, using: &random)
        let id = queue.add(earliest: moment(seconds), latest: moment(seconds + leeway)) {}
        if Int.random(in: 0..<3, using: &random) == 0 {
          queue.cancel(id)
        } else {
          expected.append((seconds, id))
        }
      }
      expected.sort { ($0.moment, $0.id) < ($1.moment, $1.id) }
      #expect(queue.count == expected.count)
      var due: [TimerQueue.ID] = []
      while let wake = queue.nextWake() {
        let now = queue.takeDue(at: wake)
        #expect(!now.isEmpty)
        for id in now where queue.takeAction(of: id) != nil { due.append(id) }
      }
      // Timers with leeway share a wake-up, in which they are in the order of their moments.
      #expect(Set(due) == Set(expected.map(\.id)) && due.count == expected.count)
      #expect(queue.count == 0)
    }
  }

  @Test func `a timer is due neither before its moment nor after its leeway`() {
    var queue = TimerQueue()
    let id = queue.add(earliest: moment(10), latest: moment(12)) {}
    #expect(queue.nextWake() == moment(12))
    #expect(queue.takeDue(at: moment(9)) == [])
    // Something else has woken the program.
    #expect(queue.takeDue(at: moment(10)) == [id])
  }

  @Test func `timers that are cancelled again and again take no room`() {
    var queue = TimerQueue()
    for _ in 0..<100_000 { queue.cancel(queue.add(earliest: moment(1), latest: moment(1)) {}) }
    #expect(queue.count == 0)
    #expect(queue.nextWake() == nil)
  }
}
