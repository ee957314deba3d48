import CPlatform
import Glibc
import WidgetPlatform

/// A command that was run in place of this program, with its terminal, streams and signals, to its end.
struct AttendedRun {
  /// How it ended; nil if it could not be started.
  let end: TerminationStatus?
  /// How long it took.
  let time: Duration
  /// The last lines of its errors, as far as they were seen.
  private(set) var errors = OutputTail()

  private let code: Int32

  /// Runs a command, which is looked for in PATH, and returns when it has ended.
  ///
  /// It is in the process group of this program, so that keys of the terminal go to it as without this program. If
  /// it stops, so does this program. A pipe that is its standard error is passed on byte for byte.
  ///
  /// - Parameters:
  ///   - arguments: The command and its arguments.
  ///   - hasTerminal: Whether it gets a terminal of its own that is passed on, so that what it writes there is seen.
  ///   - running: What is told while it runs.
  init(_ arguments: [String], hasTerminal: Bool, _ running: inout RunningCommand) {
    let start = ContinuousClock.now
    let streams = Int32(PLATFORM_ATTEND_ERRORS | (hasTerminal ? PLATFORM_ATTEND_TERMINAL : 0))
    let file = ErrorFile()
    let failure = unsafe HostProcess.withPointers(to: arguments) { list in
      unsafe platform_attend_start(list, streams)
    }
    guard failure == 0 else {
      (end, time) = (nil, .now - start)
      code = failure == ENOENT ? 127 : 126
      let name = arguments.first ?? ""
      StandardStreams.writeError(HostError.launch(name, failure).description)
      return
    }
    var (written, shown) = (OutputTail(), OutputTail())
    var buffer = [UInt8](repeating: 0, count: 32 << 10)
    while true {
      var count = 0
      let pause = min(max(.zero, running.pause(after: .now - start)), .seconds(3600))
      let limit = Int32((pause.seconds * 1000).rounded(.up))
      let event = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
        unsafe bytes.baseAddress.map { unsafe platform_attend_turn(limit, $0, bytes.count, &count) }
      }
      guard let event, event != PLATFORM_ATTEND_ENDED else { break }
      if event == PLATFORM_ATTEND_SAW_ERRORS { written.append(buffer[..<count]) }
      if event == PLATFORM_ATTEND_SAW_TERMINAL { shown.append(buffer[..<count]) }
      running.take(buffer[..<count], after: .now - start)
    }
    time = .now - start
    var result = platform_exit()
    unsafe platform_attend_finish(&result)
    end = result.signaled != 0 ? .signaled(result.code) : .exited(result.code)
    code = result.code
    if let file { written.append(file.added()[...]) }
    // A terminal has what went well, too.
    errors = written.isEmpty && code != 0 ? shown : written
  }

  /// Ends this program as the command has ended.
  func exit() -> Never {
    if case .signaled(let number) = end { platform_end_by_signal(number) }
    Glibc.exit(code)
  }
}

/// The file that standard error is, in which a command leaves its errors.
private struct ErrorFile {
  /// Where the errors of the command begin.
  private let start: Int

  /// Nil if standard error is no regular file.
  init?() {
    var status = stat()
    guard unsafe fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    start = status.st_size
  }

  /// The last of what was added.
  func added() -> [UInt8] {
    // Standard error is open for writing alone.
    let number = unsafe open("/proc/self/fd/\(STDERR_FILENO)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return [] }
    let file = Descriptor(number)
    guard let size = file.status()?.st_size, size > start else { return [] }
    let from = max(start, size - OutputTail.byteLimit)
    return file.read(size - from, from: from)
  }
}
