/// What a plugin of Nagios has printed: a line of text, more text, and performance data.
///
/// The grammar is that of the Monitoring Plugins Development Guidelines.
nonisolated struct NagiosOutput: Hashable, Sendable {
  /// The first line.
  var text: String
  /// The lines after it.
  var details: [String]
  /// The performance data, in their order.
  var data: [NagiosDatum]

  /// The most lines and data that are read.
  private static let lineLimit = 200
  private static let dataLimit = 64

  /// Reads an output.
  init(_ output: String) {
    // By scalars: a return and a line feed are one character.
    var lines = output.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix(Self.lineLimit).map { line in
        String(line.last == "\r" ? line.dropLast() : line)
      }
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    var data = ""
    let first = (lines.first ?? "").split(
      separator: "|",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    text = first.first.map(Self.trimmed) ?? ""
    if first.count > 1 { data = String(first[1]) }
    details = []
    // After the first `|` in the lines behind it, everything is data.
    var isData = false
    for line in lines.dropFirst() {
      if isData {
        data += " " + line
      } else if let bar = line.firstIndex(of: "|") {
        isData = true
        let rest = Self.trimmed(line[..<bar])
        if !rest.isEmpty { details.append(rest) }
        data += " " + line[line.index(after: bar)...]
      } else {
        details.append(line)
      }
    }
    self.data = Self.data(data)
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    var text = text.drop(while: \.isWhitespace)[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// Splits performance data at blanks outside of quotes.
  private static func data(_ text: String) -> [NagiosDatum] {
    var data: [NagiosDatum] = []
    var rest = text[...]
    while data.count < dataLimit {
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { break }
      var label = ""
      if rest.first == "'" {
        rest = rest.dropFirst()
        // Two quotes in a label are one.
        while let character = rest.popFirst() {
          if character == "'" {
            guard rest.first == "'" else { break }
            rest = rest.dropFirst()
          }
          label.append(character)
        }
      } else {
        let found = rest.prefix { $0 != "=" && !$0.isWhitespace }
        label = String(found)
        rest = rest[found.endIndex...]
      }
      guard rest.first == "=" else {
        // A word that is no datum.
        rest = rest.drop { !$0.isWhitespace }
        continue
      }
      let value = rest.dropFirst().prefix { !$0.isWhitespace }
      rest = rest[value.endIndex...]
      if let datum = NagiosDatum(label: label, String(value)) { data.append(datum) }
    }
    return data
  }
}

/// A value of performance data: `'label'=value[UOM];[warn];[crit];[min];[max]`.
nonisolated struct NagiosDatum: Hashable, Sendable {
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

  init?(label: String, _ text: String) {
    let fields = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard !label.isEmpty, let first = fields.first else { return nil }
    // Some plugins write a comma as their locale does.
    let digits = first.prefix { "+-.,eE0123456789".contains($0) }
    let number = Self.number(String(digits))
    guard number != nil || first.hasPrefix("U") else { return nil }
    self.label = label
    value = number
    unit = number == nil ? "" : String(first[digits.endIndex...].prefix(8))
    func field(_ index: Int) -> String? {
      index < fields.count && !fields[index].isEmpty ? fields[index] : nil
    }
    warning = field(1).flatMap(NagiosRange.init)
    critical = field(2).flatMap(NagiosRange.init)
    minimum = field(3).flatMap(Self.number)
    maximum = field(4).flatMap(Self.number)
  }

  fileprivate static func number(_ text: String) -> Double? {
    guard let number = Double(text.replacing(",", with: ".")), number.isFinite else { return nil }
    return number
  }
}

/// The values that are an alert: `10` outside of 0 to 10, `10:` below 10, `~:10` above 10, `10:20` outside,
/// `@10:20` inside.
nonisolated struct NagiosRange: Hashable, Sendable {
  var low: Double
  var high: Double
  /// Whether values inside alert, and not those outside.
  var alertsInside = false

  init?(_ text: String) {
    var rest = text[...]
    if rest.first == "@" {
      alertsInside = true
      rest = rest.dropFirst()
    }
    let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let first = parts.first, !rest.isEmpty else { return nil }
    if parts.count == 1 {
      guard let end = NagiosDatum.number(first) else { return nil }
      (low, high) = (0, end)
      return
    }
    guard
      let start = first == "~" ? -Double.infinity : NagiosDatum.number(first.isEmpty ? "0" : first),
      let end = parts[1].isEmpty ? Double.infinity : NagiosDatum.number(parts[1])
    else { return nil }
    (low, high) = (start, end)
  }

  /// Whether a value is an alert.
  func alerts(_ value: Double) -> Bool {
    let isInside = value >= low && value <= high
    return isInside == alertsInside
  }

  /// The value above which there is an alert, if that is the only one.
  var ceiling: Double? { !alertsInside && high.isFinite ? high : nil }
}
