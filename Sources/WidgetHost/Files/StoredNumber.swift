package import FoundationEssentials

/// What numbers in the program's own files may be.
///
/// Any program of the user can write there, so each
/// number that is read is looked at once, where it is decoded; a file with an odd one counts as none.
package nonisolated enum StoredNumber {
  /// The years 0 to 9999, which dates on the wire can have, and some days around them.
  package static let dates =
    Date(timeIntervalSince1970: -62_200_000_000)...Date(timeIntervalSince1970: 253_500_000_000)

  /// Whether this is a date, or none; what is no number is in no range.
  package static func isDate(_ date: Date?) -> Bool { date.map(dates.contains) ?? true }

  /// Whether this is a number of seconds that somebody may have to wait, or none: at most 30 years.
  package static func isSeconds(_ seconds: Double?) -> Bool {
    seconds.map { (0...1e9).contains($0) } ?? true
  }

  /// Whether something can have been counted so often, so that sums of them are numbers too.
  package static func isCount(_ count: Int) -> Bool { (0...1 << 53).contains(count) }
}
