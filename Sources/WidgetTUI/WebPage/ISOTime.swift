import FoundationEssentials

/// Moments for programs.
nonisolated enum ISOTime {
  /// The moment in UTC, to the second: `2026-11-29T14:05:00Z`.
  static func text(_ date: Date) -> String {
    let limit = 4e10
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite, abs(seconds) < limit else { return "" }
    return Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601)
  }
}
