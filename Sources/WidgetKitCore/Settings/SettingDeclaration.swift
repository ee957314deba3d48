/// A setting that the manifest of a widget declares: an item of `TodaySettings`.
///
/// ```xml
/// <dict>
///   <key>name</key>    <string>zones</string>
///   <key>title</key>   <string>Time zones</string>
///   <key>type</key>    <string>list</string>
///   <key>format</key>  <string>timeZone</string>
///   <key>default</key> <array><string>Asia/Tokyo</string></array>
/// </dict>
/// ```
public struct SettingDeclaration: Hashable, Sendable {
  /// What the values of a setting are.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A text.
    case string
    /// A number, within ``SettingDeclaration/range``.
    case number
    /// Yes or no.
    case boolean
    /// One of the texts in ``SettingDeclaration/choices``.
    case choice
    /// A list of texts.
    case list
    /// The path of a file or a folder.
    case file
    /// A text that is stored elsewhere and that nobody else sees.
    case secret
  }

  /// The name in config.json, in commands, and on the wire.
  public var name: String
  /// The name that a person reads; ``name`` if the manifest has none.
  public var title: SafeText
  /// What its values are.
  public var kind: Kind
  /// The value where none is set; nil if there is none.
  public var defaultValue: WidgetConfiguration.Value?
  /// The values of a choice, in order; empty for other kinds.
  public var choices: [String]
  /// What each text of a string or a list names; nil if it may be any text.
  public var format: Format?
  /// The range of a number.
  public var range: ClosedRange<Double>
  /// Whether the widget needs a value.
  public var isRequired: Bool
  /// A value as it may be, which the form shows where there is none: `https://example.org/feed.xml`.
  public var example: String?
  /// What a number counts, which the form shows behind it: `%`, `min`.
  public var unit: SafeText?

  /// The names that config.json has for the program itself.
  public static let reservedNames: Set<String> = [
    "title", "format", "interval", "timeout", "lines", "follow", "span", "history", "alert",
    "thresholds", "host", "show", "sandbox", "allowWhenLocked",
  ]

  /// The most settings of a widget.
  public static let countLimit = 64
  /// The most bytes of a text.
  public static let textLimit = 4_096
  /// The most texts of a list.
  public static let listLimit = 100
  /// The most bytes of an example.
  static let exampleLimit = 200
  /// The most columns of a unit.
  static let unitLimit = 12
  /// The range of a number without bounds.
  static let unlimited = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

  /// Creates a declaration.
  public init(
    name: String,
    title: SafeText? = nil,
    kind: Kind,
    defaultValue: WidgetConfiguration.Value? = nil,
    choices: [String] = [],
    format: Format? = nil,
    range: ClosedRange<Double>? = nil,
    isRequired: Bool = false
  ) {
    self.name = name
    self.title = title ?? SafeText(name)
    self.kind = kind
    self.defaultValue = defaultValue
    self.choices = choices
    self.format = format
    self.range = range ?? Self.unlimited
    self.isRequired = isRequired
  }

  // MARK: - Values

  /// What a value may be, in words, as an error has it: `a number from 1 to 10`.
  public var expectation: String {
    switch kind {
    case .string where format != nil: return format?.expectation ?? ""
    case .list where format != nil:
      return "a list of at most \(Self.listLimit) \(format?.pluralExpectation ?? "")"
    case .string: return "a text of at most \(Self.textLimit) bytes without control characters"
    case .number: return "a number" + rangeWords
    case .boolean: return "true or false"
    case .choice:
      let words = choices.map { "\"\($0)\"" }
      return words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "")
        + (words.last ?? "")
    case .list:
      return
        "a list of at most \(Self.listLimit) texts of at most \(Self.textLimit) bytes without "
        + "control characters"
    case .file: return format?.expectation ?? "the path of a file, which begins with / or ~/"
    case .secret:
      return "{ file: PATH }, { command: [PROGRAM, …] } or { environment: NAME }"
    }
  }

  /// An example of what a person types: the one of the manifest, else one of the format.
  package var shownExample: String? { example ?? format?.example }

  private var rangeWords: String {
    let low = range.lowerBound == Self.unlimited.lowerBound ? nil : Self.words(range.lowerBound)
    let high = range.upperBound == Self.unlimited.upperBound ? nil : Self.words(range.upperBound)
    switch (low, high) {
    case (let low?, let high?): return " from \(low) to \(high)"
    case (let low?, nil): return " of at least \(low)"
    case (nil, let high?): return " of at most \(high)"
    case (nil, nil): return ""
    }
  }

  /// A number in a message: without a fraction where it has none.
  static func words(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// Whether a value can be that of this setting; one of a secret never is, as it is stored elsewhere.
  public func allows(_ value: WidgetConfiguration.Value) -> Bool {
    isOfKind(value) && unknownName(in: value) == nil
  }

  /// Whether a value is of the right kind, whatever this system knows of what it names.
  func isOfKind(_ value: WidgetConfiguration.Value) -> Bool {
    switch (kind, value) {
    case (.string, .string(let text)): Self.isText(text)
    case (.number, .number(let number)): number.isFinite && range.contains(number)
    case (.boolean, .boolean): true
    case (.choice, .string(let text)): choices.contains(text)
    case (.list, .list(let texts)):
      texts.count <= Self.listLimit && texts.allSatisfy(Self.isText)
    case (.file, .string(let path)):
      Self.isText(path) && (path.hasPrefix("/") || path.hasPrefix("~/"))
    default: false
    }
  }

  /// Whether a text is short enough and has no control characters.
  static func isText(_ text: String) -> Bool {
    text.utf8.count <= textLimit
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

extension WidgetConfiguration {
  /// The defaults of settings, with `home` where they have `~`; nil if there are no settings.
  package static func defaults(
    of settings: [SettingDeclaration],
    home: HomeFolder
  ) -> WidgetConfiguration? {
    guard !settings.isEmpty else { return nil }
    var values: [String: Value] = [:]
    for setting in settings {
      values[setting.name] = setting.defaultValue?.expanded(setting.kind, home: home)
    }
    return WidgetConfiguration(values)
  }
}

extension WidgetConfiguration.Value {
  /// The value as a widget is given it: the path of a file begins with a folder, not with `~`.
  package func expanded(_ kind: SettingDeclaration.Kind, home: HomeFolder) -> Self {
    guard kind == .file, case .string(let path) = self else { return self }
    return .string(home.expanded(path))
  }
}
