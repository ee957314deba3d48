package import WidgetKitCore
package import WidgetPlatform

/// The settings of one widget that are in force: for each that its manifest declares, the value in
/// config.json, else the one that was set in the program, else the default.
///
/// A value that cannot be used is reported, and the one that was in force before stays.
public struct WidgetSettings: Hashable, Sendable {
  /// What a setting is set to.
  enum Content: Hashable, Sendable {
    case value(WidgetConfiguration.Value)
    case secret(SecretSource)
  }

  /// Who has set a setting.
  enum Source: Hashable, Sendable {
    /// config.json, at this place: `/home/a/.config/today/config.json:4:12`.
    case file(String)
    /// It was set in the program.
    case program
    /// It is the default of the manifest.
    case standard
  }

  /// A setting with a value.
  struct Assignment: Hashable, Sendable {
    var content: Content
    var source: Source
  }

  /// The settings of the widget, in the order of its manifest.
  let declarations: [SettingDeclaration]
  /// Those with a value, by name.
  private(set) var inForce: [String: Assignment] = [:]
  /// The names that config.json gives a value, also one that cannot be used, with their places.
  private(set) var fixed: [String: String] = [:]
  /// What is wrong, each with the widget, the member, and where it is.
  package private(set) var problems: [SafeText] = []

  /// The name of the widget.
  package let name: String
  private let id: ExtensionIdentity

  /// Finds the values in force.
  ///
  /// - Parameters:
  ///   - bundle: The widget, which declares the settings.
  ///   - id: The widget as it is in config.json: `ID` or `ID:NAME`.
  ///   - file: What config.json has.
  ///   - stored: What was set in the program.
  ///   - home: The user's folder, for which `~` stands in the paths of files.
  ///   - previous: What was in force until now.
  package init(
    of bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    file: FileSettings,
    stored: StoredSettings,
    home: HomeFolder,
    keeping previous: WidgetSettings? = nil
  ) {
    declarations = bundle.settings
    name = bundle.displayName.string
    self.id = id
    let entries = file.entries(of: id)
    let storedValues = declarations.isEmpty ? [] : stored.read(id)
    for declaration in declarations {
      find(declaration, entries[declaration.name], storedValues[declaration.name], home, previous)
    }
    let known = declarations.map(\.name)
    for (name, entry) in entries.sorted(by: { $0.value.namePlace < $1.value.namePlace })
    where !known.contains(name) {
      problems.append(
        SafeText("\(entry.namePlace): \(entry.path): \(unknown(name))")
      )
    }
  }

  /// The error for a name that the widget does not declare.
  func unknown(_ name: String) -> String {
    // What is said about a script has names of its own.
    let words = ScriptName.isIdentifier(id.bundleIdentifier) ? ScriptOptions.names : []
    let nearest = NearName.nearest(to: name, among: declarations.map(\.name) + words)
    let advice = nearest.map { "did you mean “\($0)”?\(held(by: name))" }
    guard !declarations.isEmpty else {
      return "\(self.name) has no settings" + (advice.map { "; \($0)" } ?? "")
    }
    return "\(self.name) has no setting “\(name.prefix(80))”; "
      + (advice ?? "“today settings \(id)” lists them")
  }

  /// What applies while a name is misspelt that would confine a script, in words.
  private func held(by name: String) -> String {
    let isHeld =
      ScriptName.isIdentifier(id.bundleIdentifier)
      && ScriptOptions.nameThatConfines(name) == "sandbox"
    return isHeld ? " Until then it runs in the sandbox" : ""
  }

  private mutating func find(
    _ declaration: SettingDeclaration,
    _ entry: FileSettings.Entry?,
    _ stored: JSONTree?,
    _ home: HomeFolder,
    _ previous: WidgetSettings?
  ) {
    let key = declaration.name
    if let entry {
      fixed[key] = entry.place
      if !entry.isRepeated, let content = Self.content(of: entry.value, declaration, home: home) {
        inForce[key] = Assignment(content: content, source: .file(entry.place))
        return
      }
      if !entry.isRepeated {
        problems.append(
          SafeText(
            "\(entry.place): \(entry.path): "
              + SettingRefusal.words(entry.value, declaration, found: entry.words(for: declaration))
          )
        )
      }
      if let old = previous?.usable(declaration) {
        inForce[key] = old
        return
      }
    }
    if let stored {
      if let content = Self.content(of: stored, declaration, home: home) {
        inForce[key] = Assignment(content: content, source: .program)
        return
      }
      problems.append(
        SafeText(
          "\(name): the value of \(key) that was set in the program cannot be used: "
            + SettingRefusal.words(stored, declaration)
            + "; “today settings \(id) \(key) --unset” removes it"
        )
      )
    }
    if let standard = declaration.defaultValue {
      inForce[key] = Assignment(
        content: .value(standard.expanded(declaration.kind, home: home)),
        source: .standard
      )
    } else if declaration.isRequired {
      problems.append(
        SafeText(
          "\(name): the setting “\(key)” has no value and must have one; set it with “today settings "
            + "\(id) \(key) VALUE” or in config.json: widgets: { \"\(id)\": { \(key): … } }"
        )
      )
    }
  }

  /// The setting of this name, if a declaration still allows its value.
  private func usable(_ declaration: SettingDeclaration) -> Assignment? {
    guard let old = inForce[declaration.name] else { return nil }
    switch old.content {
    case .value(let value): return declaration.allows(value) ? old : nil
    case .secret: return declaration.kind == .secret ? old : nil
    }
  }

  // MARK: - Values

  /// A value of a file as that of a setting; nil if it cannot be one.
  static func content(
    of value: JSONTree,
    _ declaration: SettingDeclaration,
    home: HomeFolder
  ) -> Content? {
    if declaration.kind == .secret { return SecretSource(value).map(Content.secret) }
    guard let read = WidgetConfiguration.Value(value), declaration.allows(read) else { return nil }
    return .value(read.expanded(declaration.kind, home: home))
  }

  /// The names of the settings that must have a value and have none.
  var missing: [String] {
    declarations.filter { $0.isRequired && inForce[$0.name] == nil }.map(\.name)
  }

  /// What the user has to do before the widget can start, for its card; nil if nothing.
  package var advice: SafeText? {
    guard let first = missing.first else { return nil }
    let names = missing.map { "“\($0)”" }.joined(separator: ", ")
    return SafeText(
      "Needs the setting\(missing.count == 1 ? "" : "s") \(names): today settings \(id) \(first) VALUE"
    )
  }

  /// Whether the same values are in force, wherever they come from.
  package func isSame(as other: WidgetSettings) -> Bool {
    declarations == other.declarations
      && inForce.mapValues(\.content) == other.inForce.mapValues(\.content)
  }

  /// Whether a setting has a value that is not empty, or a secret.
  func hasValue(_ name: String) -> Bool {
    switch inForce[name]?.content {
    case .value(.string(let text)): !text.isEmpty
    case .value(.list(let texts)): !texts.isEmpty
    case .value, .secret: true
    case nil: false
    }
  }

  /// The secrets that have a source, by name.
  package var secrets: [String: SecretSource] {
    inForce.compactMapValues { if case .secret(let source) = $0.content { source } else { nil } }
  }

  /// What the widget is given, with the secrets as they were read; nil if it declares no settings.
  package func configuration(secrets: [String: String] = [:]) -> WidgetConfiguration? {
    guard !declarations.isEmpty else { return nil }
    var values = inForce.compactMapValues {
      if case .value(let value) = $0.content { value } else { nil }
    }
    for (name, secret) in secrets { values[name] = .string(secret) }
    var configuration = WidgetConfiguration(values)
    configuration.secrets = Set(secrets.keys)
    return configuration
  }
}

extension FileSettings.Entry {
  /// The value for a message; what takes the place of a secret may be one.
  fileprivate func words(for declaration: SettingDeclaration) -> String {
    guard declaration.kind == .secret else { return words }
    return words == "an object" || words == "a list" ? words : "another value"
  }
}
