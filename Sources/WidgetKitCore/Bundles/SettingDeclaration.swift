/// A setting that the manifest of a widget declares: an item of `TodaySettings`.
///
/// ```xml
/// <dict>
///   <key>name</key>    <string>zones</string>
///   <key>title</key>   <string>Time zones</string>
///   <key>type</key>    <string>list</string>
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
  /// The range of a number.
  public var range: ClosedRange<Double>
  /// Whether the widget needs a value.
  public var isRequired: Bool

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
  private static let unlimited = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

  /// Creates a declaration.
  public init(
    name: String,
    title: SafeText? = nil,
    kind: Kind,
    defaultValue: WidgetConfiguration.Value? = nil,
    choices: [String] = [],
    range: ClosedRange<Double>? = nil,
    isRequired: Bool = false
  ) {
    self.name = name
    self.title = title ?? SafeText(name)
    self.kind = kind
    self.defaultValue = defaultValue
    self.choices = choices
    self.range = range ?? Self.unlimited
    self.isRequired = isRequired
  }

  // MARK: - Values

  /// What a value may be, in words, as an error has it: `a number from 1 to 10`.
  public var expectation: String {
    switch kind {
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
    case .file: return "the path of a file, which begins with / or ~/"
    case .secret:
      return "{ file: PATH }, { command: [PROGRAM, …] } or { environment: NAME }"
    }
  }

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

  private static func words(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// Whether a value can be that of this setting; one of a secret never is, as it stands elsewhere.
  public func allows(_ value: WidgetConfiguration.Value) -> Bool {
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

  private static func isText(_ text: String) -> Bool {
    text.utf8.count <= textLimit
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

extension WidgetConfiguration {
  /// The defaults of settings, with `home` where they have `~`; nil if there are no settings.
  package static func defaults(
    of settings: [SettingDeclaration],
    home: String
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
  package func expanded(_ kind: SettingDeclaration.Kind, home: String) -> Self {
    guard kind == .file, case .string(let path) = self, path.hasPrefix("~/") else { return self }
    return .string(home + path.dropFirst())
  }
}

// MARK: - The manifest

extension SettingDeclaration {
  /// Reads `TodaySettings`; `path` is its place in the manifest.
  static func all(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> [SettingDeclaration] {
    guard let value else { return [] }
    guard let items = value.array, items.count <= countLimit else {
      throw .wrongType(path, found: value.count, expected: "an array of at most \(countLimit)")
    }
    var declarations: [SettingDeclaration] = []
    for (index, item) in items.enumerated() {
      let declaration = try SettingDeclaration(item, at: "\(path)[\(index)]")
      guard !declarations.contains(where: { $0.name == declaration.name }) else {
        throw .wrongValue(
          "\(path)[\(index)].name",
          declaration.name,
          expected: "a name that no other setting has"
        )
      }
      declarations.append(declaration)
    }
    return declarations
  }

  private init(_ value: PropertyValue, at path: String) throws(BundleFault) {
    guard let members = value.dictionary else {
      throw .wrongType(path, found: value.words, expected: "a dictionary with name and type")
    }
    let name = try Self.name(members["name"], at: "\(path).name")
    let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let type = members["type"] else {
      throw .missing("\(path).type", expected: "one of \(kinds)")
    }
    guard let kind = type.string.flatMap(Kind.init(rawValue:)) else {
      throw .wrongValue("\(path).type", type.words, expected: "one of \(kinds)")
    }
    self.init(
      name: name,
      title: try Self.title(members["title"], at: "\(path).title"),
      kind: kind,
      choices: try Self.choices(members["choices"], of: kind, at: "\(path).choices"),
      range: try Self.range(members, of: kind, at: path),
      isRequired: try Self.flag(members["required"], at: "\(path).required")
    )
    defaultValue = try standard(members["default"], at: "\(path).default")
  }

  private static func name(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> String {
    let expected = "a letter, then at most 63 letters, digits, - and _"
    guard let value else { throw .missing(path, expected: expected) }
    let isFirst = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    let isOther = { (byte: UInt8) in
      isFirst(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard let name = value.string, name.utf8.first.map(isFirst) == true, name.utf8.count <= 64,
      name.utf8.allSatisfy(isOther)
    else { throw .wrongValue(path, value.words, expected: expected) }
    guard !reservedNames.contains(name) else {
      throw .wrongValue(path, name, expected: "another name; config.json has this one for today")
    }
    return name
  }

  private static func title(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> SafeText? {
    guard let value else { return nil }
    guard let string = value.string else {
      throw .wrongType(path, found: value.words, expected: "a string")
    }
    let title = SafeText(name: string, orIfInvisible: "")
    return title.isEmpty ? nil : title
  }

  private static func choices(
    _ value: PropertyValue?,
    of kind: Kind,
    at path: String
  ) throws(BundleFault) -> [String] {
    guard kind == .choice else {
      guard value == nil else {
        throw .wrongValue(path, kind.rawValue, expected: "missing, as the type is not choice")
      }
      return []
    }
    let expected = "an array of 1 to \(listLimit) different texts"
    guard let value else { throw .missing(path, expected: expected) }
    let texts = value.array?.map(\.string)
    guard let texts, 1...listLimit ~= texts.count, !texts.contains(nil),
      Set(texts).count == texts.count, texts.allSatisfy({ $0.map(isText) == true })
    else { throw .wrongType(path, found: value.count, expected: expected) }
    return texts.compactMap(\.self)
  }

  private static func range(
    _ members: [String: PropertyValue],
    of kind: Kind,
    at path: String
  ) throws(BundleFault) -> ClosedRange<Double> {
    let low = try bound("minimum", members, of: kind, at: path) ?? unlimited.lowerBound
    let high = try bound("maximum", members, of: kind, at: path) ?? unlimited.upperBound
    guard low <= high else {
      throw .wrongValue(
        "\(path).minimum",
        words(low),
        expected: "at most the maximum, \(words(high))"
      )
    }
    return low...high
  }

  private static func bound(
    _ name: String,
    _ members: [String: PropertyValue],
    of kind: Kind,
    at path: String
  ) throws(BundleFault) -> Double? {
    guard let value = members[name] else { return nil }
    guard kind == .number else {
      throw .wrongValue(
        "\(path).\(name)",
        value.words,
        expected: "missing, as the type is not number"
      )
    }
    guard let number = value.number, number.isFinite else {
      throw .wrongType("\(path).\(name)", found: value.words, expected: "a number")
    }
    return number
  }

  private static func flag(_ value: PropertyValue?, at path: String) throws(BundleFault) -> Bool {
    guard let value else { return false }
    guard let flag = value.boolean else {
      throw .wrongType(path, found: value.words, expected: "true or false")
    }
    return flag
  }

  /// The default; the old form of property lists has numbers and truth values as strings.
  private func standard(
    _ value: PropertyValue?,
    at path: String
  ) throws(BundleFault) -> WidgetConfiguration.Value? {
    guard let value else { return nil }
    let read: WidgetConfiguration.Value? =
      switch kind {
      case .string, .choice, .file: value.string.map { .string($0) }
      case .number: value.number.map { .number($0) }
      case .boolean: value.boolean.map { .boolean($0) }
      case .list:
        value.array.flatMap { items in
          let texts = items.compactMap(\.string)
          return texts.count == items.count ? .list(texts) : nil
        }
      case .secret: nil
      }
    guard kind != .secret else {
      throw .wrongValue(path, "a secret", expected: "missing: a secret has no default")
    }
    guard let read, allows(read) else {
      throw .wrongType(path, found: value.words, expected: expectation)
    }
    return read
  }
}

extension PropertyValue {
  /// The value for an error message about an array: how many values it has.
  fileprivate var count: String {
    array.map { "an array of \($0.count)" } ?? words
  }
}
