import Glibc

/// Temporary files, and those that were left behind.
nonisolated extension OwnFolder {
  private static let temporaryEnding = ".tmp"
  /// After so many seconds nobody writes a temporary file any more.
  private static let longestWriting = 60

  /// A name that nobody can foresee, and that says whose it is; short, whatever the file's name is.
  static func temporaryName() -> String {
    "\(String(UInt64.random(in: 0 ... .max), radix: 36)).\(getpid())\(temporaryEnding)"
  }

  /// Whether a name is that of a temporary file.
  static func isTemporary(_ name: some StringProtocol) -> Bool { name.hasSuffix(temporaryEnding) }

  /// Removes the temporary files whose writers are gone.
  ///
  /// Call it where this process writes none. A number that another process has meanwhile must not
  /// keep a file for ever: after a minute it goes too.
  func removeStrays() {
    for name in names() where Self.isTemporary(name) {
      let writer = name.split(separator: ".").dropLast().last.flatMap { pid_t($0) }
      if let writer, writer > 0, writer != getpid(), kill(writer, 0) == 0 || errno == EPERM,
        let age = age(name), age < Self.longestWriting
      {
        continue
      }
      remove(name)
    }
  }

  /// For how many seconds a file has been as it is; nil where there is none.
  func age(_ name: String) -> Int? {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return status(name).map {
      now.tv_sec.subtractingReportingOverflow($0.st_mtim.tv_sec).partialValue
    }
  }
}
