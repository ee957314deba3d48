public import WidgetKitCore
public import WidgetPlatform

/// The settings of one widget as commands see them: what is in force, and changes that a running
/// dashboard follows.
public struct SettingsBook: Sendable {
  /// One setting of the widget.
  public struct Row: Sendable {
    /// Its declaration in the manifest.
    public var declaration: SettingDeclaration
    /// Its value; nil if it has none, and for a secret.
    public var value: WidgetConfiguration.Value?
    /// Whether it has a value.
    public var isSet: Bool
    /// Who has set it: `config.json`, `program` or `default`; nil if nobody has.
    public var source: String?
    /// Where config.json sets it: `/home/a/.config/today/config.json:4:12`.
    public var place: String?
  }

  private let id: ExtensionIdentity
  private let stored: StoredSettings
  private let settings: WidgetSettings
  private let home: HomeFolder

  /// Reads the settings of a widget.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - id: Its identity, with the name of an instance if there is one.
  ///   - file: What config.json has.
  ///   - environment: The user's environment, which says where the program's files are.
  public init(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    file: FileSettings,
    environment: [String: String]
  ) {
    self.id = id
    home = HomeFolder(environment)
    stored = StoredSettings(StateFolders(environment: environment))
    settings = WidgetSettings(of: bundle, id, file: file, stored: stored, home: home)
  }

  /// The settings, in the order of the manifest.
  public var rows: [Row] { settings.rows }

  /// What is wrong with the names of widgets in config.json, where these are installed.
  public static func strangers(in file: FileSettings, among identifiers: [String]) -> [SafeText] {
    file.strangers(among: identifiers)
  }

  /// The settings in config.json of widgets that are not installed here.
  public static func absentees(in file: FileSettings, among identifiers: [String]) -> [SafeText] {
    file.absentees(among: identifiers)
  }

  /// Whether a setting has a value that is not empty, or a secret.
  package func hasValue(_ name: String) -> Bool { settings.hasValue(name) }

  /// What is wrong with them.
  public var problems: [SafeText] { settings.problems }

  /// The setting of a name.
  ///
  /// - Throws: ``HostError`` with `setting` that names the nearest one if there is none.
  public func row(_ name: String) throws(HostError) -> Row {
    guard let row = rows.first(where: { $0.declaration.name == name }) else {
      throw HostError(code: .setting, description: settings.unknown(name))
    }
    return row
  }

  /// Sets a setting in the program.
  ///
  /// - Parameters:
  ///   - name: The setting.
  ///   - words: The value as it is written in a command: a list as several words, or as one with
  ///     commas; a list or the place of a secret also in JSON5.
  /// - Throws: ``HostError`` with `setting` if the value cannot be one of this setting, with `fixed` if
  ///   config.json sets it, and if the file cannot be written.
  public func set(_ name: String, to words: [String]) throws(HostError) {
    try change([name: words])
  }

  /// Makes several changes, all of them or none; without words a value is taken back.
  ///
  /// - Throws: As ``set(_:to:)``, for the first of them by name that cannot be made.
  package func change(_ changes: [String: [String]?]) throws(HostError) {
    var values: [String: JSONTree?] = [:]
    for (name, words) in changes.sorted(by: { $0.key < $1.key }) {
      try check(name, words)
      values[name] = .some(nil)
      if let words { values[name] = try checked(name, words) }
    }
    try stored.set(values, of: id)
  }

  /// Checks a change without making it; without `words` the value is taken back.
  ///
  /// - Throws: As ``set(_:to:)``.
  package func check(_ name: String, _ words: [String]?) throws(HostError) {
    if let words {
      _ = try checked(name, words)
    } else if stored.read(id)[name] == nil {
      // A value that a setting of an earlier manifest had can be removed too.
      _ = try changeable(name)
    }
  }

  /// Stores values that the widget itself wants to set, all of them or none.
  ///
  /// - Throws: As ``set(_:to:)``, and ``HostError`` with `fixed` for a path or a secret.
  package func set(
    valuesOfWidget values: [String: WidgetConfiguration.Value]
  ) throws(HostError) {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      try check(name, ofWidget: value)
    }
    try stored.set(values.mapValues { JSONTree($0) }, of: id)
  }

  private func check(
    _ name: String,
    ofWidget value: WidgetConfiguration.Value
  ) throws(HostError) {
    let declaration = try changeable(name)
    guard declaration.kind != .file, declaration.kind != .secret else {
      throw HostError(
        code: .fixed,
        description: "\(name): only the user sets a \(declaration.kind)"
      )
    }
    guard declaration.allows(value) else {
      let words = SettingRefusal.words(JSONTree(value), declaration)
      throw HostError(code: .setting, description: "\(name): \(words)")
    }
  }

  /// A value that a command names for one request, which is not stored.
  ///
  /// - Throws: ``HostError`` with `setting` if the value cannot be one of this setting, or there is none.
  package func value(of name: String, _ text: String) throws(HostError) -> WidgetConfiguration.Value
  {
    let declaration = try row(name).declaration
    guard let value = Self.value(of: [text], declaration),
      case .value(let content)? = WidgetSettings.content(of: value, declaration, home: home)
    else {
      let value = Self.value(of: [text], declaration)
      let words = SettingRefusal.words(value, declaration, found: "“\(text.prefix(80))”")
      throw HostError(code: .setting, description: "\(name): \(words)")
    }
    return content
  }

  /// A value as it is stored.
  private func checked(_ name: String, _ words: [String]) throws(HostError) -> JSONTree {
    let declaration = try changeable(name)
    let value = Self.value(of: words, declaration)
    guard let value, WidgetSettings.content(of: value, declaration, home: home) != nil else {
      let found = "“\(words.joined(separator: " ").prefix(80))”"
      let refusal = SettingRefusal.words(
        value,
        declaration,
        found: declaration.kind == .secret ? nil : found
      )
      throw HostError(code: .setting, description: "\(name): \(refusal)")
    }
    return value
  }

  /// Removes the value that was set in the program.
  ///
  /// - Throws: As ``set(_:to:)``.
  public func unset(_ name: String) throws(HostError) {
    try change([name: nil])
  }

  private func changeable(_ name: String) throws(HostError) -> SettingDeclaration {
    let row = try row(name)
    guard let place = settings.fixed[name] else { return row.declaration }
    throw HostError(
      code: .fixed,
      description: "\(name) is set at \(place); change it there, or remove it there first"
    )
  }

  private static func value(
    of words: [String],
    _ declaration: SettingDeclaration
  ) -> JSONTree? {
    let text = words.joined(separator: " ")
    switch declaration.kind {
    case .string, .choice, .file: return .string(text)
    case .number:
      // Not in another base, which nobody types by intent: 0x10.
      return text.utf8.contains(where: { "xXpP".utf8.contains($0) })
        ? nil : Double(text).map { .number($0) }
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "on", "1": return .boolean(true)
      case "false", "no", "off", "0": return .boolean(false)
      default: return nil
      }
    case .list where text.hasPrefix("["), .secret:
      return try? JSON5File(Array(text.utf8), path: declaration.name).value
    case .list where words.count == 1:
      return .array(text.split(separator: ",").map { .string($0.trimmingBlanks) })
    case .list: return .array(words.map { .string($0) })
    }
  }
}

extension WidgetSettings {
  /// The settings with their values, in the order of the manifest.
  package var rows: [SettingsBook.Row] {
    declarations.map { declaration in
      let assignment = inForce[declaration.name]
      var row = SettingsBook.Row(declaration: declaration, isSet: assignment != nil)
      if case .value(let value) = assignment?.content { row.value = value }
      switch assignment?.source {
      case .file(let place): (row.source, row.place) = ("config.json", place)
      case .program: row.source = "program"
      case .standard: row.source = "default"
      case nil: break
      }
      return row
    }
  }
}

extension Substring {
  /// The text without the blanks at its ends.
  fileprivate var trimmingBlanks: String {
    guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " })
    else { return "" }
    return String(self[first...last])
  }
}
