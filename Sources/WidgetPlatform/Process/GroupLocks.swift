import FoundationEssentials
import Glibc

/// Exclusive locks on files that several widgets and apps share.
///
/// A suspended process that holds one would block the others. The locks are read from /proc/PID/fdinfo,
/// which has the lines of /proc/locks by descriptor (proc_pid_fdinfo(5)). /proc/locks itself names the
/// process that took the lock; for `flock 9` in a shell that process has ended while the shell's
/// descriptor still holds the lock.
enum GroupLocks {
  /// Returns a file below `folder` on which one of these processes holds an exclusive lock.
  ///
  /// Advisory locks of every kind count: flock(2), fcntl(2), and those of open file descriptions.
  static func exclusive(of pids: [Int32], under folder: String) -> String? {
    guard let root = unsafe realpath(folder, nil) else { return nil }
    defer { unsafe free(root) }
    let prefix = unsafe String(cString: root) + "/"
    for pid in pids {
      if let path = exclusive(ofProcess: pid, below: prefix) { return path }
    }
    return nil
  }

  private static func exclusive(ofProcess pid: Int32, below prefix: String) -> String? {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
    for name in names ?? [] {
      guard let path = SymbolicLink.target("/proc/\(pid)/fd/\(name)"), path.hasPrefix(prefix),
        let info = ProcFile.text("/proc/\(pid)/fdinfo/\(name)")
      else { continue }
      if info.split(separator: "\n").contains(where: isExclusive) { return path }
    }
    return nil
  }

  /// Parses `lock:   1: FLOCK  ADVISORY  WRITE 1234 08:01:567 0 EOF`; a lock that is waited for has
  /// `->`.
  static func isExclusive(_ line: some StringProtocol) -> Bool {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count > 4, words[0] == "lock:", words[2] != "->" else { return false }
    return ["FLOCK", "POSIX", "OFDLCK"].contains(words[2]) && words[4] == "WRITE"
  }
}
