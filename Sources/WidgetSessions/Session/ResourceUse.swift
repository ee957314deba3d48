import WidgetKitCore
import WidgetPlatform

/// Compares what one process and its children use with the limits.
struct ResourceUse {
  /// What follows from a measurement.
  enum Verdict: Hashable {
    case withinLimits
    /// The widget is to be warned; the words are for the log.
    case memoryWarning(log: String)
    /// The widget is to be killed; `reason` is for the heading.
    case exhausted(reason: String, log: String)
  }

  private let limits: ResourceLimits
  /// Whether the widget was warned, and has not released enough since.
  private var isShortOfMemory = false

  init(limits: ResourceLimits) {
    self.limits = limits
  }

  /// Compares a measurement with the limits.
  mutating func verdict(on finding: ResourceFinding) -> Verdict {
    switch finding {
    case .memory(let bytes): memory(bytes)
    case .processes(let count): processes(count)
    case .hidden(let count): hidden(count)
    case .storage(let bytes): storage(bytes)
    case .outOfMemory:
      .exhausted(
        reason: "memory",
        log:
          "memory: the kernel ended it at the limit of \(Self.mebibytes(limits.memory.hardBytes))"
      )
    case .release: .withinLimits
    }
  }

  /// A widget is warned once, until it uses less than four fifths of the soft limit.
  private mutating func memory(_ bytes: UInt64) -> Verdict {
    let limit = Self.mebibytes(limits.memory.hardBytes)
    if bytes > limits.memory.hardBytes {
      let words = "memory: \(Self.mebibytes(bytes)), the limit is \(limit)"
      return .exhausted(reason: "memory", log: words)
    }
    if bytes > limits.memory.softBytes, !isShortOfMemory {
      isShortOfMemory = true
      return .memoryWarning(log: "memory: \(Self.mebibytes(bytes)), it is ended above \(limit)")
    }
    if bytes < limits.memory.softBytes / 5 * 4 { isShortOfMemory = false }
    return .withinLimits
  }

  private func processes(_ count: Int) -> Verdict {
    guard count > limits.processes else { return .withinLimits }
    let words = "processes: \(count), the limit is \(limits.processes)"
    return .exhausted(reason: "too many processes", log: words)
  }

  private func hidden(_ count: Int) -> Verdict {
    guard count > 0 else { return .withinLimits }
    let words =
      "processes: \(count) in its sandbox cannot be looked at, so that their memory cannot be counted; "
      + "run no program whose file cannot be read"
    return .exhausted(reason: "hidden process", log: words)
  }

  /// The bytes are `.max` if not all of them were counted.
  private func storage(_ bytes: UInt64) -> Verdict {
    guard bytes > limits.containerBytes else { return .withinLimits }
    let limit = Self.mebibytes(limits.containerBytes)
    let found =
      bytes == .max
      ? "more files than are counted, or folders too deep in each other" : Self.mebibytes(bytes)
    let words = "storage: its container uses \(found), the limit is \(limit)"
    return .exhausted(reason: "storage full", log: words)
  }

  /// Bytes in MiB with one decimal, rounded up, so that no use above a limit reads as the limit.
  private static func mebibytes(_ bytes: UInt64) -> String {
    let tenths = bytes.multipliedSaturated(by: 10).addingSaturated((1 << 20) - 1) / (1 << 20)
    return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
  }
}
