import CPlatform
import Glibc

/// A run of a child process for which the calling thread waits, where there is no event loop to wait in.
package nonisolated enum AwaitedRun {
  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - launch: The program.
  ///   - isolation: What it shares with the host.
  ///   - input: What it reads from its standard input.
  ///   - stream: Which of 1 and 2 is kept; the other one is discarded.
  ///   - byteLimit: The bytes that it may print there.
  ///   - time: The time that it may take.
  /// - Returns: How it has ended.
  /// - Throws: ``HostError`` if it cannot be started.
  package static func end(
    of launch: LaunchDescription,
    isolation: ChildProcess.Isolation,
    input: [UInt8] = [],
    keeping stream: Int,
    byteLimit: Int,
    time: Duration
  ) throws(HostError) -> ChildRun.End {
    let deadline = ContinuousClock.now + time
    var (child, output) = try start(launch, isolation, input, keeping: stream)
    defer {
      close(output)
      close(child.pidfd)
    }
    var end = ChildRun.End(status: .unknown)
    var isOpen = true
    var hasExited = false
    while !hasExited, end.failure == nil {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      var ready = [
        pollfd(fd: child.pidfd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&ready, 2, Int32(clamping: Int(max(0, left))))
      if count == 0, left <= 0 {
        // One that has closed its output has said what it had to say.
        if isOpen { end.failure = .tooSlow(time) }
        break
      }
      hasExited = ready[0].revents != 0
      if ready[1].revents != 0 { isOpen = read(output, into: &end.output) != 0 }
      if end.output.count > byteLimit { end.failure = .tooLong(bytes: byteLimit) }
    }
    // What it has started must not wait for it for ever.
    _ = platform_signal_group(child.pid, SIGKILL)
    var ready = pollfd(fd: child.pidfd, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&ready, 1, 1_000)
    while end.output.count <= byteLimit, read(output, into: &end.output) > 0 {}
    var exit = platform_exit()
    if unsafe platform_reap(&child, &exit) == 0 { end.status = TerminationStatus(exit) }
    return end
  }

  /// Starts a program; returns it, and the end of the pipe from which its output is read.
  private static func start(
    _ launch: LaunchDescription,
    _ isolation: ChildProcess.Isolation,
    _ input: [UInt8],
    keeping stream: Int
  ) throws(HostError) -> (platform_child, output: Int32) {
    var streams = ChildStreams()
    defer { streams.close() }
    try streams.add(input)
    var output: Int32 = -1
    do throws(HostError) {
      for number in 1...2 {
        if number == stream {
          output = try streams.addPipe().read
        } else {
          try streams.addNowhere()
        }
      }
      return (try ChildProcess.spawn(launch, isolation, streams: streams.numbers), output)
    } catch {
      if output >= 0 { close(output) }
      throw error
    }
  }

  /// Reads what is there; returns how much that was, 0 at the end and −1 if there is nothing now.
  private static func read(_ file: Int32, into bytes: inout [UInt8]) -> Int {
    var buffer = [UInt8](repeating: 0, count: ChildRun.turn)
    let count = unsafe Glibc.read(file, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] }
    return count < 0 && errno != EAGAIN && errno != EINTR ? 0 : count
  }
}
