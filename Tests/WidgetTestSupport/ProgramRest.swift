internal import FoundationEssentials
internal import Glibc

/// Whether a program waits: it has handled everything that came, and has nothing to do for a while.
///
/// The kernel says so: no thread of it runs, and its timer (timerfd, proc_pid_fdinfo(5)) is not due soon.
/// A quiet terminal alone would not show it, as on a busy machine a program may not have had its turn.
struct ProgramRest {
  let pid: Int32

  /// Whether all threads sleep, or the program is stopped, and no timer expires within this time.
  func lasts(_ duration: Duration) -> Bool {
    let tasks = Self.names(in: "/proc/\(pid)/task")
    guard !tasks.isEmpty, tasks.allSatisfy(isWaiting) else { return false }
    return Self.names(in: "/proc/\(pid)/fd").allSatisfy { descriptor in
      guard let left = timeLeft(descriptor) else { return true }
      return left >= duration
    }
  }

  private func isWaiting(_ task: String) -> Bool {
    let text = Self.text("/proc/\(pid)/task/\(task)/stat")
    // The name before the state may have parentheses itself.
    guard let state = text.split(separator: ")").last?.split(separator: " ").first else {
      return true
    }
    return ["S", "T", "t", "I", "Z"].contains(state)
  }

  /// The time until a timer expires; nil for other descriptors and for a timer that is not set.
  private func timeLeft(_ descriptor: String) -> Duration? {
    let link = "/proc/\(pid)/fd/\(descriptor)"
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
    guard target == "anon_inode:[timerfd]" else { return nil }
    // `it_value: (0, 14999876)`: seconds and nanoseconds, both 0 if it is not set.
    let lines = Self.text("/proc/\(pid)/fdinfo/\(descriptor)").split(separator: "\n")
    guard let value = lines.first(where: { $0.hasPrefix("it_value:") }) else { return nil }
    let numbers = value.split { !$0.isNumber }.compactMap { Int64($0) }
    guard numbers.count == 2, numbers != [0, 0] else { return nil }
    return .seconds(numbers[0]) + .nanoseconds(numbers[1])
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
