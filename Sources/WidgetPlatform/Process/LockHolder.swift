import CPlatform
import Glibc

/// The holder of a lock (flock(2)) that another process was refused.
///
/// Any process that may open the program's own files, including a widget, can lock them. Such a lock
/// does not block the program: only the lock of a running host counts.
package enum LockHolder: Equatable {
  /// A running `today`.
  case host
  /// Another program; the text describes it.
  case foreign(String)
  /// No visible process: it is in another container, or the descriptor's process has ended.
  case unknown

  /// Finds the holder of a lock on an open file, by its number in proc_locks(5).
  package static func of(_ descriptor: Int32) -> LockHolder {
    var file = stat()
    guard unsafe fstat(descriptor, &file) == 0, let locks = ProcFile.text("/proc/locks") else {
      return .unknown
    }
    var result = LockHolder.unknown
    for line in locks.split(separator: "\n") {
      guard let pid = holder(line, ofFile: file.st_ino) else { continue }
      switch kind(of: pid) {
      case .host: return .host
      case .foreign(let words): result = .foreign(words)
      case .unknown: break
      }
    }
    return result
  }

  /// Parses `2: FLOCK  ADVISORY  WRITE 1234 08:01:567 0 EOF`; a lock that is waited for has `->`.
  static func holder(_ line: some StringProtocol, ofFile number: UInt) -> Int32? {
    let words = line.split(separator: " ")
    guard words.count > 5, words[1] == "FLOCK", words[5].split(separator: ":").last == "\(number)"
    else { return nil }
    return Int32(words[4])
  }

  private static func kind(of pid: Int32) -> LockHolder {
    // The name in parentheses may contain anything; the state follows its last `)`.
    guard let text = ProcFile.text("/proc/\(pid)/stat"), let start = text.firstIndex(of: "("),
      let end = text.lastIndex(of: ")"), start < end,
      let state = text[text.index(after: end)...].split(separator: " ").first
    else { return .unknown }
    let words = "process \(pid) (\(text[text.index(after: start)..<end]))"
    guard ["R", "S", "D"].contains(state) else { return .foreign("\(words), which is suspended") }
    guard let program = SymbolicLink.target("/proc/\(pid)/exe") else { return .unknown }
    let isToday = program == SymbolicLink.target("/proc/self/exe") || name(program) == "today"
    guard isToday, platform_shares_mark(pid) != 0 else { return .foreign(words) }
    return .host
  }

  /// Returns the last part of a path, without the words that the kernel adds if the file was replaced.
  private static func name(_ path: String) -> Substring? {
    path.split(separator: "/").last?.split(separator: " ").first
  }
}
