/// Saturating arithmetic for untrusted numbers: the result is the largest or smallest value in cases in
/// which Swift's operators would trap.
extension FixedWidthInteger {
  /// Returns the sum, or the nearest representable number.
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the product, or the nearest representable number.
  package func multipliedSaturated(by other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) != (other < 0) ? .min : .max) : product
  }

  /// The number rounded towards zero; 0 for NaN.
  package init(saturated value: Double) {
    if let exact = Self(exactly: value.rounded(.towardZero)) {
      self = exact
    } else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
    }
  }
}

extension Duration {
  /// Returns seconds as a duration, limited to about ±30,000 years; zero for NaN.
  ///
  /// `Duration.seconds(_:)` traps if the number is too large.
  package static func saturated(seconds: Double) -> Duration {
    seconds.isNaN ? .zero : .seconds(min(max(seconds, -1e12), 1e12))
  }
}
