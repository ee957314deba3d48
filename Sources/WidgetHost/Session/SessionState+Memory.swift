import WidgetKitCore

/// What a widget's use of memory leads to (I9).
nonisolated extension SessionState {
  /// Takes note of what the whole process group holds, in bytes.
  mutating func memory(_ bytes: UInt64) -> [SessionEffect] {
    guard phase == .initializing || phase == .running else { return [] }
    if bytes > memoryLimits.hardBytes {
      phase = .ending(failure: "Unable to Load (memory)")
      return [
        .log(
          "memory: \(Self.mebibytes(bytes)), the limit is \(Self.mebibytes(memoryLimits.hardBytes))"
        ),
        .signal(.kill),
      ]
    }
    if bytes > memoryLimits.softBytes, !isShortOfMemory {
      isShortOfMemory = true
      let warning: [SessionEffect] =
        sends(DidReceiveMemoryWarningNotification.method) ? [.send(.didReceiveMemoryWarning)] : []
      let limit = Self.mebibytes(memoryLimits.hardBytes)
      return [.log("memory: \(Self.mebibytes(bytes)), it is ended above \(limit)")] + warning
    }
    if bytes < memoryLimits.softBytes / 5 * 4 { isShortOfMemory = false }
    return []
  }

  private static func mebibytes(_ bytes: UInt64) -> String {
    let tenths = bytes * 10 / (1 << 20)
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
