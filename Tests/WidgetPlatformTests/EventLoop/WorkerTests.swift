import Synchronization
import Testing

@testable import WidgetPlatform

@Suite struct WorkerTests {
  @Test func `work is done in its order, and drain waits for all of it`() {
    let done = Mutex<[Int]>([])
    for number in 0..<1_000 {
      Worker.background.async { done.withLock { $0.append(number) } }
    }
    Worker.background.drain()
    #expect(done.withLock { $0 } == Array(0..<1_000))
  }

  @Test func `a worker that is busy holds up no other one`() {
    let gate = Mutex(0)
    let isBusy = Mutex(false)
    gate.withLock { _ in
      Worker.background.async {
        isBusy.withLock { $0 = true }
        gate.withLock { $0 += 1 }
      }
      Worker.writing.drain()
      Worker.decoding.drain()
    }
    Worker.background.drain()
    #expect(gate.withLock { $0 } == 1 && isBusy.withLock { $0 })
  }
}
