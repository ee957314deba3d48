/// A value of a property list.
public indirect enum PropertyValue: Hashable, Sendable {
  /// A string; the old form also writes numbers and truth values as strings.
  case string(String)
  /// A number, whole or not.
  case number(Double)
  /// True or false.
  case boolean(Bool)
  /// Values in order.
  case array([PropertyValue])
  /// Values by name.
  case dictionary([String: PropertyValue])

  /// The limit on the values in the dictionary of a bundle, nested or not.
  ///
  /// In the binary form 400 bytes whose references share each other could unfold into gigabytes.
  static let countLimit = 1_000

  /// The string; nil for all other values.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The number, even if it is written as a string; nil for all other values.
  public var number: Double? {
    switch self {
    case .number(let number): number
    case .string(let string): Double(string)
    case .boolean, .array, .dictionary: nil
    }
  }

  /// True or false, also in the old form (`YES`, `NO`, `1`, `0`); nil for all other values.
  public var boolean: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .string(let string):
      switch string.uppercased() {
      case "YES", "TRUE", "1": true
      case "NO", "FALSE", "0": false
      default: nil
      }
    case .number, .array, .dictionary: nil
    }
  }

  /// The values of an array; nil for all other values.
  public var array: [PropertyValue]? {
    if case .array(let array) = self { array } else { nil }
  }

  /// The value for an error message: a scalar as written, otherwise its kind.
  var words: String {
    switch self {
    case .string(let string): string
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .boolean(let flag): flag ? "true" : "false"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }

  /// The values of a dictionary; nil for all other values.
  public var dictionary: [String: PropertyValue]? {
    if case .dictionary(let dictionary) = self { dictionary } else { nil }
  }
}
