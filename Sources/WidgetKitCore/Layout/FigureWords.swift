/// Figures in words, for screen readers, where a widget has given no label.
enum FigureWords {
  /// What a node shows, in words.
  ///
  /// - Parameters:
  ///   - content: The node.
  ///   - isBesideText: Whether it is in one row with a text that says what it shows.
  /// - Returns: The words; nil for a node that is not a figure, and an empty text for one that says nothing.
  static func words(_ content: ViewNode.Content, isBesideText: Bool) -> SafeText? {
    switch content {
    case .gauge(let gauge): words(gauge)
    case .sparkline(let sparkline): isBesideText ? "" : words(sparkline.values) ?? ""
    case .chart(let chart):
      SafeText(
        joining: chart.series.compactMap { series in
          guard let words = words(series.values) else { return nil }
          let named = series.name.map { SafeText("\($0) \(words)") } ?? words
          return chart.unit.map { SafeText("\(named) \($0)") } ?? named
        },
        with: "; "
      )
    case .divider: ""
    default: nil
    }
  }

  private static func words(_ gauge: GaugeContent) -> SafeText {
    let share = GaugeFigure.fraction(of: gauge.value, from: gauge.minimum, to: gauge.maximum)
    let value = gauge.valueLabel ?? SafeText("\(Int((share * 100).rounded())) %")
    return gauge.label.map { SafeText("\($0) \(value)") } ?? value
  }

  /// `1 to 9, now 4`; nil without values.
  private static func words(_ values: [Double?]) -> SafeText? {
    let numbers = values.compactMap(\.self).filter(\.isFinite)
    guard let least = numbers.min(), let most = numbers.max(), let last = numbers.last else {
      return nil
    }
    return SafeText("\(words(least)) to \(words(most)), now \(words(last))")
  }

  /// A number with three digits.
  private static func words(_ number: Double) -> String {
    let digits = number.magnitude < 10 ? 100.0 : number.magnitude < 100 ? 10 : 1
    let rounded = (number * digits).rounded() / digits
    return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}
