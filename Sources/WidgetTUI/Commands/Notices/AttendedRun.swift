import CPlatform
import Glibc
import WidgetPlatform

/// A command that was run in place of this program, with its terminal, streams and signals, to its end.
struct AttendedRun {
  /// How it ended; nil if it could not be started.
  let end: TerminationStatus?
  /// How long it took.
  let time: Duration

  private let code: Int32

  /// Runs a command, which is looked for in PATH, and returns when it has ended.
  ///
  /// It is in the process group of this program, so that keys of the terminal go to it as without this program. If
  /// it stops, so does this program.
  init(_ arguments: [String]) {
    let start = ContinuousClock.now
    var result = platform_exit()
    let failure = unsafe HostProcess.withPointers(to: arguments) { list in
      unsafe platform_attend(list, &result)
    }
    time = .now - start
    guard failure == 0 else {
      end = nil
      code = failure == ENOENT ? 127 : 126
      let name = arguments.first ?? ""
      StandardStreams.writeError(HostError.launch(name, failure).description)
      return
    }
    end = result.signaled != 0 ? .signaled(result.code) : .exited(result.code)
    code = result.code
  }

  /// Ends this program as the command has ended.
  func exit() -> Never {
    if case .signaled(let number) = end { platform_end_by_signal(number) }
    Glibc.exit(code)
  }
}

/// The file that standard error is, in which a command leaves its errors.
///
/// A terminal and a pipe are left alone: nothing can be between them and the command without a difference to it.
struct ErrorFile {
  /// Where the errors of the command begin.
  private let start: Int

  /// The most bytes that are looked at.
  private static let byteLimit = 64 << 10

  /// Nil if standard error is no regular file.
  init?() {
    var status = stat()
    guard unsafe fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    start = status.st_size
  }

  /// The last lines that were added.
  func lastLines(_ count: Int) -> String? {
    // Standard error is open for writing alone.
    let number = unsafe open("/proc/self/fd/\(STDERR_FILENO)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = Descriptor(number)
    guard let size = file.status()?.st_size, size > start else { return nil }
    let from = max(start, size - Self.byteLimit)
    let text = String(decoding: file.read(size - from, from: from), as: UTF8.self)
    return text.split(separator: "\n").suffix(count).joined(separator: "\n")
  }
}
