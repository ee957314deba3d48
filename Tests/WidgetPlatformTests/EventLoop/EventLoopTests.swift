import Glibc
import Testing

@testable import WidgetPlatform

/// The event loop as a test runner drives it; the end-to-end tests run that of the program.
@Suite(.timeLimit(.minutes(5))) struct EventLoopTests {
  private let loop = EventLoop.main

  /// Waits until the loop has called `resume`.
  private func wait(_ body: (@escaping () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in body { continuation.resume() } }
  }

  @Test func `timers happen in the order of their moments`() async {
    var order: [Int] = []
    var timers: [any HostTimer] = []
    await wait { done in
      timers.append(
        loop.schedule(after: .milliseconds(30)) {
          order.append(3)
          done()
        }
      )
      timers.append(loop.schedule(after: .milliseconds(10)) { order.append(1) })
      timers.append(loop.schedule(after: .milliseconds(20)) { order.append(2) })
      timers.append(loop.schedule(after: .zero) { order.append(0) })
    }
    #expect(order == [0, 1, 2, 3])
  }

  @Test func `a timer that is cancelled or released does not happen`() async {
    var happened: [String] = []
    let cancelled = loop.schedule(after: .milliseconds(5)) { happened.append("cancelled") }
    cancelled.cancel()
    _ = loop.schedule(after: .milliseconds(5)) { happened.append("released") }
    _ = loop.schedule(after: .zero) { happened.append("released, next turn") }
    let next = loop.schedule(after: .zero) { happened.append("cancelled, next turn") }
    next.cancel()
    var last: (any HostTimer)?
    await wait { done in last = loop.schedule(after: .milliseconds(10)) { done() } }
    #expect(happened == [])
    last?.cancel()
  }

  @Test(arguments: [Duration.seconds(1e15), .seconds(Int64.max)])
  func `a timer of any length can be set`(delay: Duration) async {
    let timer = loop.schedule(after: delay, leeway: delay / 100) { Issue.record("it happened") }
    var soon: (any HostTimer)?
    await wait { done in soon = loop.schedule(after: .milliseconds(1)) { done() } }
    timer.cancel()
    soon?.cancel()
  }

  @Test func `a watch calls its handler while there is something to read, and not while paused`()
    async throws
  {
    let ends = try PipeEnds(nonBlocking: .read)
    defer {
      close(ends.read)
      close(ends.write)
    }
    var count = 0
    var done: () -> Void = {}
    let watch = DescriptorWatch(ends.read, for: .reading)
    watch.handler = {
      var byte: UInt8 = 0
      #expect(unsafe read(ends.read, &byte, 1) == 1)
      count += 1
      done()
    }
    #expect(watch.resume())
    var byte: UInt8 = 1
    await wait {
      done = $0
      _ = unsafe write(ends.write, &byte, 1)
    }
    #expect(count == 1)
    watch.pause()
    _ = unsafe write(ends.write, &byte, 1)
    var timer: (any HostTimer)?
    await wait { finished in timer = loop.schedule(after: .milliseconds(5)) { finished() } }
    #expect(count == 1)
    await wait {
      done = $0
      watch.resume()
    }
    #expect(count == 2)
    watch.pause()
    timer?.cancel()
  }

  @Test func `a handler may pause and close another one that is ready in the same turn`()
    async throws
  {
    let pipes = [try PipeEnds(nonBlocking: .read), try PipeEnds(nonBlocking: .read)]
    var watches: [DescriptorWatch] = []
    var called = 0
    for index in 0..<2 {
      let watch = DescriptorWatch(pipes[index].read, for: .reading)
      watch.handler = {
        called += 1
        for watch in watches { watch.pause() }
        close(watches[1 - index].descriptor)
      }
      watches.append(watch)
    }
    var byte: UInt8 = 1
    for pipe in pipes { _ = unsafe write(pipe.write, &byte, 1) }
    for watch in watches { watch.resume() }
    var timer: (any HostTimer)?
    await wait { done in timer = loop.schedule(after: .milliseconds(5)) { done() } }
    #expect(called == 1)
    timer?.cancel()
    for pipe in pipes { close(pipe.write) }
  }

  @Test func `a regular file cannot be watched, which is no crash`() throws {
    let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    let watch = DescriptorWatch(file, for: .reading)
    #expect(!watch.resume() && !watch.isActive)
    watch.pause()
    close(file)
  }
}
