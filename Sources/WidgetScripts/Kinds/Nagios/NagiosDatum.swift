/// A value of performance data: `'label'=value[UOM];[warn];[crit];[min];[max]`.
struct NagiosDatum: Hashable, Sendable {
  var label: String
  /// Nil if the plugin could not find it out (`U`).
  var value: Double?
  var unit: String
  var warning: NagiosRange?
  var critical: NagiosRange?
  var minimum: Double?
  var maximum: Double?

  /// Whether it counts up, so that only its rate says something.
  var isCounter: Bool { unit == "c" }

  /// The scalar values of a unit that are kept.
  private static let unitLength = 24

  init?(label: String, _ text: String) {
    let fields = text.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false)
      .map { Array($0) }
    guard !label.isEmpty, let first = fields.first else { return nil }
    let found = WrittenNumber(first[...])
    guard found != nil || first.first == "U" || Self.isNone(first) else { return nil }
    self.label = label
    unit = found.map { Self.unit(first[$0.length...]) } ?? ""
    // Some plugins write a comma as their locale does. Times are measured in parts of a second.
    let commaIsDecimal =
      ["s", "ms", "us"].contains(unit)
      || fields.contains { WrittenNumber($0[...])?.hasDecimalComma == true }
    value = Self.number(first, commaIsDecimal)
    guard found == nil || value != nil else { return nil }
    func field(_ index: Int) -> [Unicode.Scalar]? {
      index < fields.count && !fields[index].isEmpty ? fields[index] : nil
    }
    warning = field(1).flatMap { NagiosRange($0, commaIsDecimal: commaIsDecimal) }
    critical = field(2).flatMap { NagiosRange($0, commaIsDecimal: commaIsDecimal) }
    minimum = field(3).flatMap { Self.number($0, commaIsDecimal) }
    maximum = field(4).flatMap { Self.number($0, commaIsDecimal) }
  }

  /// Whether a value is what programs print for a number that is none, or without an end: `nan`, `-inf`.
  private static func isNone(_ text: [Unicode.Scalar]) -> Bool {
    let word = String(String.UnicodeScalarView(text)).lowercased().drop { $0 == "-" || $0 == "+" }
    return ["nan", "inf", "infinity"].contains(word.prefix { $0.isLetter })
  }

  private static func unit(_ text: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(text.prefix(unitLength)))
  }

  /// The number of a field, which can have its unit behind it.
  fileprivate static func number(
    _ text: some Collection<Unicode.Scalar>,
    _ commaIsDecimal: Bool
  ) -> Double? {
    let number = WrittenNumber(Array(text)[...], commaIsDecimal: commaIsDecimal)?.value
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}

/// The values that are an alert: `10` outside of 0 to 10, `10:` below 10, `~:10` above 10, `10:20` outside,
/// `@10:20` inside.
struct NagiosRange: Hashable, Sendable {
  var low: Double
  var high: Double
  /// Whether values inside alert, and not those outside.
  var alertsInside = false

  init?(_ text: String) { self.init(Array(text.unicodeScalars), commaIsDecimal: false) }

  init?(_ text: [Unicode.Scalar], commaIsDecimal: Bool) {
    var rest = text[...]
    if rest.first == "@" {
      alertsInside = true
      rest = rest.dropFirst()
    }
    func number(_ text: ArraySlice<Unicode.Scalar>) -> Double? {
      NagiosDatum.number(text, commaIsDecimal)
    }
    let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !rest.isEmpty else { return nil }
    if parts.count == 1 {
      guard let end = number(first) else { return nil }
      (low, high) = (0, end)
      return
    }
    guard
      let start =
        first.elementsEqual(["~"]) ? -Double.infinity : first.isEmpty ? 0 : number(first),
      let end = parts[1].isEmpty ? Double.infinity : number(parts[1])
    else { return nil }
    (low, high) = (start, end)
  }

  /// Whether a value is an alert.
  func alerts(_ value: Double) -> Bool {
    let isInside = value >= low && value <= high
    return isInside == alertsInside
  }
}
