import Glibc

/// Temporary files, and those that were left behind.
extension OwnFolder {
  private static let temporaryEnding = ".tmp"
  /// The age in seconds after which a temporary file is certainly no longer being written.
  private static let longestWriting = 60

  /// Returns a name that cannot be predicted and contains its process; short, whatever the file's name
  /// is.
  package static func temporaryName() -> String {
    "\(String(UInt64.random(in: 0 ... .max), radix: 36)).\(getpid())\(temporaryEnding)"
  }

  /// Whether a name is that of a temporary file.
  package static func isTemporary(_ name: some StringProtocol) -> Bool {
    name.hasSuffix(temporaryEnding)
  }

  /// Removes temporary files whose writers have ended.
  ///
  /// Call it when this process is not writing any. A process number that has been reused must not keep
  /// a file forever: after a minute it is removed too.
  package func removeStrays() {
    for name in names() where Self.isTemporary(name) {
      let writer = name.split(separator: ".").dropLast().last.flatMap { pid_t($0) }
      if let writer, writer != getpid(), !ProcFile.hasEnded(writer),
        let age = age(name), age < Self.longestWriting
      {
        continue
      }
      remove(name)
    }
  }

  /// Returns for how many seconds a file has been unchanged, or nil if there is none.
  package func age(_ name: String) -> Int? {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return status(name).map {
      now.tv_sec.subtractingReportingOverflow($0.st_mtim.tv_sec).partialValue
    }
  }
}
