internal import Synchronization

/// Keeps programs from being started while a test has a file open for writing.
///
/// A child has all files of its parent until it executes its program, and a program that is open for writing cannot be
/// executed (“Text file busy”, execve(2)).
enum ProgramStarts {
  private static let lock = Mutex<Void>(())

  /// Starts a program, or writes a file.
  static func whileAlone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock { _ in try body() }
  }
}
