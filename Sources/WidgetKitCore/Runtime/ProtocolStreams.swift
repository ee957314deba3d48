import Glibc

/// The two streams of the protocol: received and sent lines.
///
/// Foundation's file handles are not used, as a write to a closed pipe would be a fatal
/// error instead of an answer.
struct ProtocolStreams: Sendable {
  private let input: Int32
  private let output: Int32

  /// Creates streams on two open descriptors, which the caller still owns.
  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  /// Reserves standard output for the protocol: other output goes to standard error,
  /// which is the widget's log.
  static func takeOver() -> ProtocolStreams {
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      return ProtocolStreams(input: STDIN_FILENO, output: STDOUT_FILENO)
    }
    return ProtocolStreams(input: STDIN_FILENO, output: output)
  }

  /// The received lines, in order, without line feeds; it finishes with the stream.
  ///
  /// A thread blocks in `read`, so that there are no wake-ups without messages.
  func lines() -> AsyncStream<[UInt8]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let reader = Unmanaged.passRetained(LineReader(input: input, lines: continuation))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 256 * 1024)
    let status = pthread_create(
      &thread,
      &attributes,
      { argument in
        if let argument {
          Unmanaged<LineReader>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      },
      reader.toOpaque()
    )
    pthread_attr_destroy(&attributes)
    if status != 0 {
      reader.release()
      continuation.finish()
    }
    return stream
  }

  /// Writes all of `bytes`; blocks while the pipe is full.
  ///
  /// - Returns: False if the reader has closed the pipe.
  func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          output,
          UnsafeRawBufferPointer(rebasing: rest).baseAddress,
          rest.count
        )
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
          _ = poll(&descriptor, 1, -1)
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }
}

/// Reads lines in a thread of its own; a class, as a thread's argument is a reference.
private final class LineReader: Sendable {
  private let input: Int32
  private let lines: AsyncStream<[UInt8]>.Continuation

  init(input: Int32, lines: AsyncStream<[UInt8]>.Continuation) {
    self.input = input
    self.lines = lines
  }

  func run() {
    var framer = LineFramer()
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = read(input, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, -1)
        continue
      }
      guard count > 0 else { break }
      framer.append(chunk[..<count])
      do {
        while let line = try framer.next() { lines.yield(Array(line)) }
      } catch {
        // The stream cannot be read any further, which counts as its end.
        break
      }
    }
    lines.finish()
  }
}
