import Glibc
import WidgetPlatform

/// The process of a page, by which other programs find out whether it is stopped.
struct PageProcess: Hashable {
  var number: Int
  /// When it was started, in ticks since the machine was: another process with its number has another one.
  var start: Int

  /// The present process.
  static let own = PageProcess(number: Int(getpid()), start: stat("self")?.start ?? 0)

  /// Whether it is stopped, by a signal or by a debugger.
  ///
  /// False for a process that is not visible here, such as one in a container: its page counts as one that runs.
  var isStopped: Bool {
    guard start > 0, let (state, start) = Self.stat("\(number)"), start == self.start else {
      return false
    }
    return state == "T" || state == "t"
  }

  /// The state and the start of a process (proc_pid_stat(5)); nil if it is not visible.
  private static func stat(_ name: String) -> (state: Character, start: Int)? {
    // The name in parentheses may contain anything; the fields follow its last `)`.
    guard let text = ProcFile.text("/proc/\(name)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, let state = fields[0].first, let start = Int(fields[19]) else {
      return nil
    }
    return (state, start)
  }
}
