import WidgetKitCore

/// One thing that the user can set: its name, what it may be, and where it goes.
nonisolated struct Setting {
  /// Its place in the file: `limits.lineBytes`.
  let key: String
  /// What it may be; in seconds where the key ends in that word.
  let range: ClosedRange<Double>
  /// Whether it is on or off rather than a number.
  var isSwitch = false
  let set: (Double, inout CenterConfiguration) -> Void
  let get: (CenterConfiguration) -> Double

  /// The number that a value stands for; nil where it is no value for this.
  func number(of value: SettingValue) -> Double? {
    switch value {
    case .truth(let truth) where isSwitch: truth ? 1 : 0
    case .number(let number) where !isSwitch && range.contains(number): number
    default: nil
    }
  }

  /// What it may be, in words.
  var expectation: String {
    if isSwitch { return "true or false" }
    return "a number from \(Self.words(range.lowerBound)) to \(Self.words(range.upperBound))"
  }

  static func words(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(saturated: number))" : "\(number)"
  }

  /// Whether a key stands for an object of settings.
  static func isGroup(_ key: String) -> Bool { all.contains { $0.key.hasPrefix(key + ".") } }

  static func isKnown(_ key: String) -> Bool { all.contains { $0.key == key } }

  static func count(
    _ key: String,
    _ range: ClosedRange<Int>,
    _ path: WritableKeyPath<CenterConfiguration, Int>
  ) -> Setting {
    Setting(
      key: key,
      range: Double(range.lowerBound)...Double(range.upperBound),
      set: { $1[keyPath: path] = Int(saturated: $0) },
      get: { Double($0[keyPath: path]) }
    )
  }

  static func bytes(
    _ key: String,
    _ range: ClosedRange<Int>,
    _ path: WritableKeyPath<CenterConfiguration, UInt64>
  ) -> Setting {
    Setting(
      key: key,
      range: Double(range.lowerBound)...Double(range.upperBound),
      set: { $1[keyPath: path] = UInt64(saturated: $0) },
      get: { Double($0[keyPath: path]) }
    )
  }

  static func rate(
    _ key: String,
    _ range: ClosedRange<Double>,
    _ path: WritableKeyPath<CenterConfiguration, Double>
  ) -> Setting {
    Setting(
      key: key,
      range: range,
      set: { $1[keyPath: path] = $0 },
      get: { $0[keyPath: path] }
    )
  }

  static func truth(
    _ key: String,
    _ path: WritableKeyPath<CenterConfiguration, Bool>
  ) -> Setting {
    Setting(
      key: key,
      range: 0...1,
      isSwitch: true,
      set: { $1[keyPath: path] = $0 == 1 },
      get: { $0[keyPath: path] ? 1 : 0 }
    )
  }

  static func seconds(
    _ key: String,
    _ range: ClosedRange<Double>,
    _ path: WritableKeyPath<CenterConfiguration, Duration>
  ) -> Setting {
    Setting(
      key: key,
      range: range,
      set: { $1[keyPath: path] = .milliseconds(Int(saturated: ($0 * 1000).rounded())) },
      get: { $0[keyPath: path].seconds }
    )
  }
}
