import Glibc
import WidgetKitCore
import WidgetPlatform
import WidgetRequests

/// Standard input as content of a request.
enum StandardInput {
  /// How long it may say nothing before a person is told that it is waited for.
  private static let patience = Duration.seconds(2)

  /// Refuses a terminal, of which a person is asked on what stands in it.
  static func check() throws(CommandError) {
    guard isatty(STDIN_FILENO) == 0 else {
      throw .usage("standard input is the terminal; expected files, a pipe or --text")
    }
  }

  /// Reads it to its end; nothing else is done meanwhile.
  ///
  /// - Parameter byteLimit: The most bytes.
  /// - Returns: All bytes.
  /// - Throws: ``CommandError`` if it is the terminal, cannot be read, or has more bytes.
  static func bytes(byteLimit: Int = 64 << 20) throws(CommandError) -> [UInt8] {
    guard isatty(STDIN_FILENO) == 0 else {
      throw .usage("standard input is the terminal; expected a pipe or a file")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= byteLimit {
      let count = unsafe Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw .failure("could not read standard input: \(HostError.text(of: errno))")
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    throw .failure("standard input has more than \(byteLimit >> 20) MiB")
  }

  /// Reads a secret, without a line feed at its end; a person at the terminal is asked for it, and does not see it.
  ///
  /// - Parameter prompt: What a person is asked for.
  /// - Returns: The secret; nil if it is empty, too long, or not UTF-8 text, or if the person has cancelled it.
  static func secret(_ prompt: String) -> SecretValue? {
    let bytes = isatty(STDIN_FILENO) == 1 ? HiddenLine.read(prompt) : allBytes()
    return bytes.flatMap { String(validating: $0, as: UTF8.self) }.flatMap { SecretValue($0) }
  }

  private static func allBytes() -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= SecretValue.byteLimit + 1 {
      let count = unsafe Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    if bytes.last == 0x0A { bytes.removeLast() }
    return bytes
  }

  /// Reads it to its end, while signals are taken.
  ///
  /// - Parameters:
  ///   - spool: Where it is kept.
  ///   - byteLimit: The most bytes.
  /// - Returns: Whether the end was reached, and not the limit.
  /// - Throws: ``CommandError`` with the reason.
  static func read(into spool: RequestSpool, byteLimit: Int) async throws(CommandError) -> Bool {
    // Instead of a closed one there is something that cannot be read.
    let mode = fcntl(STDIN_FILENO, F_GETFL)
    guard mode >= 0, mode & O_ACCMODE != O_WRONLY else {
      throw .usage("standard input is closed; expected files, or a pipe")
    }
    let notice = EventLoop.main.schedule(after: patience) {
      guard isatty(STDERR_FILENO) == 1 else { return }
      StandardStreams.writeError("reading standard input…")
    }
    defer { notice.cancel() }
    // Tasks run on the main thread, which must not wait for a pipe.
    let result: Result<Bool, HostError> = await withCheckedContinuation { continuation in
      Worker.content.async {
        let result = Result { () throws(HostError) in
          try spool.read(from: STDIN_FILENO, byteLimit: byteLimit)
        }
        Task { @MainActor in continuation.resume(returning: result) }
      }
    }
    return try CommandError.from { () throws(HostError) in try result.get() }
  }
}
