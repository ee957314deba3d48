/// Arithmetic on numbers that others have chosen: it ends at the largest or the smallest value where
/// Swift's own operators would end the program.
extension FixedWidthInteger {
  /// The sum, or the nearest number that there is.
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The product, or the nearest number that there is.
  package func multipliedSaturated(by other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) != (other < 0) ? .min : .max) : product
  }

  /// The nearest whole number towards zero; 0 for what is no number.
  package init(saturated value: Double) {
    if let exact = Self(exactly: value.rounded(.towardZero)) {
      self = exact
    } else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
    }
  }
}

extension Duration {
  /// Seconds as a duration: at most some 30,000 years either way, and none for what is no number.
  ///
  /// `Duration.seconds(_:)` ends the program where a number is too large for it.
  package static func saturated(seconds: Double) -> Duration {
    seconds.isNaN ? .zero : .seconds(min(max(seconds, -1e12), 1e12))
  }
}
