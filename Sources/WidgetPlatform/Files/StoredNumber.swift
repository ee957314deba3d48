package import FoundationEssentials

/// The valid ranges of numbers in the program's own files.
///
/// Any program of the user can write there, so each number is checked once, when it is decoded; a file
/// with an invalid number is ignored.
package enum StoredNumber {
  /// The years 0 to 9999, which are valid for dates on the wire, and some days around them.
  package static let dates =
    Date(timeIntervalSince1970: -62_200_000_000)...Date(timeIntervalSince1970: 253_500_000_000)

  /// Whether this is a valid date or nil; NaN is in no range.
  package static func isDate(_ date: Date?) -> Bool { date.map(dates.contains) ?? true }

  /// Whether this is a valid number of seconds to wait, at most 30 years, or nil.
  package static func isSeconds(_ seconds: Double?) -> Bool {
    seconds.map { (0...1e9).contains($0) } ?? true
  }

  /// Whether this is a valid count, small enough that sums of counts are valid too.
  package static func isCount(_ count: Int) -> Bool { (0...1 << 53).contains(count) }
}
