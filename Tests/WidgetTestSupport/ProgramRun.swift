internal import CTestPlatform
internal import Glibc

/// A program that ran to its end without a terminal, and its output.
package struct ProgramRun: Sendable {
  package var status: ProgramStatus
  package var output: [UInt8]
  package var error: [UInt8]

  package var outputText: String { String(decoding: output, as: UTF8.self) }
  package var errorText: String { String(decoding: error, as: UTF8.self) }

  /// Runs the program in a session without a terminal, with an empty standard input.
  ///
  /// It may take `patience` times the usual deadline.
  /// - Throws: `WaitFailure` with both outputs when it has not ended by the deadline; it is killed.
  package init(
    _ program: ProgramDescription,
    patience: Int = 1,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws {
    var run = test_run()
    let result = unsafe program.withProgram { unsafe test_run_start($0, &run) }
    guard result == 0 else {
      self.init(status: .couldNotStart(errno: -result), output: [], error: [])
      return
    }
    var streams = Streams(output: run.output, error: run.error, process: run.process)
    let ended = streams.collect(until: .now + TestDeadline.duration * patience)
    if !ended { kill(run.pid, SIGKILL) }
    let code = test_wait(run.pid)
    streams.close()
    self.init(
      status: code >= 0 ? .exited(code: code) : .killed(signal: -code),
      output: streams.outputBytes,
      error: streams.errorBytes
    )
    guard ended else {
      throw WaitFailure(
        condition: "the end of \(program.path) \(program.arguments.joined(separator: " "))",
        reason: "\(TestDeadline.duration * patience) went by",
        picture: "standard output:\n\(outputText)\nstandard error:\n\(errorText)",
        location: "\(fileID):\(line)"
      )
    }
  }

  private init(status: ProgramStatus, output: [UInt8], error: [UInt8]) {
    self.status = status
    self.output = output
    self.error = error
  }
}

/// The two pipes of a program and its pidfd.
private struct Streams {
  var output: Int32
  var error: Int32
  var process: Int32
  var outputBytes: [UInt8] = []
  var errorBytes: [UInt8] = []

  /// Reads until the process has ended, even if a grandchild keeps the pipes open.
  mutating func collect(until deadline: ContinuousClock.Instant) -> Bool {
    var openOutput = true
    var openError = true
    while true {
      var watched = [
        pollfd(fd: process, events: Int16(POLLIN), revents: 0),
        pollfd(fd: openOutput ? output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: openError ? error : -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&watched, nfds_t(watched.count), deadline.pollTimeout)
      openOutput = Self.drain(output, into: &outputBytes)
      openError = Self.drain(error, into: &errorBytes)
      if watched[0].revents != 0 {
        _ = Self.drain(output, into: &outputBytes)
        _ = Self.drain(error, into: &errorBytes)
        return true
      }
      if count == 0 || ContinuousClock.now >= deadline { return false }
    }
  }

  func close() {
    for descriptor in [output, error, process] { _ = Glibc.close(descriptor) }
  }

  /// Reads the available bytes; false at the end of the stream.
  private static func drain(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return count < 0 && errno == EAGAIN }
      bytes += buffer.prefix(count)
    }
  }
}
