import WidgetKitCore

/// What a widget's use of the machine leads to.
nonisolated extension SessionState {
  /// Takes note of what all its processes hold, in bytes.
  mutating func memory(_ bytes: UInt64) -> [SessionEffect] {
    guard phase == .initializing || phase == .running else { return [] }
    if bytes > resources.memory.hardBytes {
      let limit = Self.mebibytes(resources.memory.hardBytes)
      return exhausted("memory", "memory: \(Self.mebibytes(bytes)), the limit is \(limit)")
    }
    if bytes > resources.memory.softBytes, !isShortOfMemory {
      isShortOfMemory = true
      let warning: [SessionEffect] =
        sends(DidReceiveMemoryWarningNotification.method) ? [.send(.didReceiveMemoryWarning)] : []
      let limit = Self.mebibytes(resources.memory.hardBytes)
      return [.log("memory: \(Self.mebibytes(bytes)), it is ended above \(limit)")] + warning
    }
    if bytes < resources.memory.softBytes / 5 * 4 { isShortOfMemory = false }
    return []
  }

  /// Takes note of how many processes it has.
  mutating func processes(_ count: Int) -> [SessionEffect] {
    guard count > resources.processes else { return [] }
    return exhausted(
      "too many processes",
      "processes: \(count), the limit is \(resources.processes)"
    )
  }

  /// Takes note of what its container holds, in bytes of the disk.
  mutating func storage(_ bytes: UInt64) -> [SessionEffect] {
    guard bytes > resources.containerBytes else { return [] }
    let limit = Self.mebibytes(resources.containerBytes)
    // Counting stops where there is no end to it.
    let found =
      bytes == .max
      ? "more files than are counted, or folders too deep in each other" : Self.mebibytes(bytes)
    return exhausted(
      "storage full",
      "storage: its container uses \(found), the limit is \(limit)"
    )
  }

  private mutating func exhausted(_ reason: String, _ words: String) -> [SessionEffect] {
    guard phase == .initializing || phase == .running else { return [] }
    phase = .ending(failure: "Unable to Load (\(reason))")
    return [.log(words, isKept: true), .signal(.kill)]
  }

  private static func mebibytes(_ bytes: UInt64) -> String {
    // Rounded up, so that what is above a limit never reads as the limit.
    let tenths = bytes.multipliedSaturated(by: 10).addingSaturated((1 << 20) - 1) / (1 << 20)
    return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
  }
}

nonisolated extension SessionState {
  /// Whether the widget works on something that it was asked for.
  var isAtWork: Bool {
    phase == .initializing
      || phase == .running && rest != .suspended
        && (update != nil || openActions > 0 || !activities.isEmpty || !openTransitions.isEmpty)
  }
}
