/// The variables of a plugin of xbar or SwiftBar, as settings.
///
/// `<xbar.var>select(VAR_UNIT="km"): The unit of lengths. [km, mi]</xbar.var>`
enum ScriptVariable {
  /// Reads the text of each tag; one that cannot be read, or whose name is used before, is left out.
  ///
  /// - Parameters:
  ///   - texts: What is in the tags.
  ///   - values: What the user has set in the other program, which are the defaults here.
  /// - Returns: The settings, in their order.
  static func settings(_ texts: [String], values: [String: JSONTree]) -> [SettingDeclaration] {
    var settings: [SettingDeclaration] = []
    for text in texts.prefix(SettingDeclaration.countLimit) {
      guard var setting = setting(text), !settings.contains(where: { $0.name == setting.name })
      else { continue }
      if let value = values[setting.name].flatMap({ self.value($0.words, setting) }) {
        setting.defaultValue = value
      }
      settings.append(setting)
    }
    return settings
  }

  private static func setting(_ text: String) -> SettingDeclaration? {
    // By scalars: a bracket or a quotation mark and the mark behind it are one character.
    let text = text.unicodeScalars
    guard let open = text.firstIndex(of: "("), let close = text[open...].firstIndex(of: ")") else {
      return nil
    }
    let kinds: [String: SettingDeclaration.Kind] = [
      "string": .string, "number": .number, "boolean": .boolean, "select": .choice,
      // Not of xbar, where a token is a text.
      "secret": .secret,
    ]
    let type = String(String.UnicodeScalarView(text[..<open].filter { !$0.isWhitespace }))
    // Only what is before a second `=` counts.
    let pair = text[text.index(after: open)..<close].split(
      separator: "=",
      omittingEmptySubsequences: false
    )
    guard var kind = kinds[type], let name = pair.first.map(trimmed), isName(name) else {
      return nil
    }
    var words = trimmed(text[text.index(after: close)...].drop { $0 == ":" || $0.isWhitespace })
    var choices: [String] = []
    if kind == .choice {
      let scalars = words.unicodeScalars
      guard scalars.last == "]", let list = scalars.lastIndex(of: "[") else { return nil }
      choices = scalars[scalars.index(after: list)...].dropLast().split(separator: ",")
        .map(trimmed).filter { !$0.isEmpty && SettingDeclaration.isText($0) }
      words = trimmed(scalars[..<list])
      if choices.isEmpty { kind = .string }
    }
    var unique: [String] = []
    for choice in choices where !unique.contains(choice) { unique.append(choice) }
    let title = SafeText(name: words, orIfInvisible: "")
    var setting = SettingDeclaration(
      name: name,
      title: title.isEmpty ? nil : title,
      kind: kind,
      choices: Array(unique.prefix(SettingDeclaration.listLimit))
    )
    if pair.count > 1 {
      let quoted = trimmed(pair[1]).unicodeScalars
      let plain = quoted.drop { $0 == "\"" || $0 == "'" }
      let isQuoted = plain.last == "\"" || plain.last == "'"
      setting.defaultValue = value(String(isQuoted ? plain.dropLast() : plain), setting)
    }
    return setting
  }

  /// A value of a setting from its text; nil if it cannot be one.
  private static func value(
    _ text: String,
    _ setting: SettingDeclaration
  ) -> WidgetConfiguration.Value? {
    let value: WidgetConfiguration.Value? =
      switch setting.kind {
      case .number: Double(text).map { .number($0) }
      case .boolean: Bool(text).map { .boolean($0) }
      default: .string(text)
      }
    return value.flatMap { setting.allows($0) ? $0 : nil }
  }

  /// The name of a variable of the environment that is none of the program's own.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.first, first.isASCII, first.isLetter, name.utf8.count <= 64 else {
      return false
    }
    return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && !SettingDeclaration.reservedNames.contains(name) && name != "PATH"
      && !name.hasPrefix("LD_")
  }

  private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
