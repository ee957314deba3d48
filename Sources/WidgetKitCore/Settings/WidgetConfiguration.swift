/// The settings of a widget, as its host gives them: values by the names in its manifest.
///
/// On the wire it is an object: `{"zones":["Asia/Tokyo"],"seconds":true,"rows":5,"style":"long"}`. A
/// setting without a value is not in it.
public struct WidgetConfiguration: Codable, Hashable, Sendable {
  /// A value of a setting.
  public enum Value: Hashable, Sendable {
    /// A text, a choice, the path of a file, or a secret.
    case string(String)
    /// A number.
    case number(Double)
    /// Yes or no.
    case boolean(Bool)
    /// Texts in their order.
    case list([String])
  }

  /// The values, by name.
  public var values: [String: Value]
  /// The names of the values that are secret; they are not on the wire.
  package var secrets: Set<String> = []

  /// Creates a configuration of values.
  public init(_ values: [String: Value] = [:]) {
    self.values = values
  }

  /// Reads an object.
  public init(from decoder: any Decoder) throws {
    values = try decoder.singleValueContainer().decode([String: Value].self)
  }

  /// Writes an object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }

  /// The text of a setting of the type string, choice, file or secret; nil if it has no value.
  public func string(_ name: String) -> String? {
    if case .string(let text) = values[name] { text } else { nil }
  }

  /// The value of a setting of the type number; nil if it has none.
  public func number(_ name: String) -> Double? {
    if case .number(let number) = values[name] { number } else { nil }
  }

  /// The value of a setting of the type boolean; nil if it has none.
  public func flag(_ name: String) -> Bool? {
    if case .boolean(let flag) = values[name] { flag } else { nil }
  }

  /// The texts of a setting of the type list; nil if it has no value.
  public func list(_ name: String) -> [String]? {
    if case .list(let texts) = values[name] { texts } else { nil }
  }

  /// What may be written to a trace: `<secret>` takes the place of secrets.
  package var redacted: WidgetConfiguration {
    var shown = self
    for name in secrets where values[name] != nil { shown.values[name] = .string("<secret>") }
    return shown
  }
}

extension WidgetConfiguration.Value: Codable {
  /// Reads a text, a number, true or false, or a list of texts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else {
      self = .list(try container.decode([String].self))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .boolean(let flag): try container.encode(flag)
    case .list(let texts): try container.encode(texts)
    }
  }
}
