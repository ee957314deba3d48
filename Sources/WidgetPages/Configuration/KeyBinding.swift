import WidgetKitCore
import WidgetPlatform

/// What the user has bound a key to.
public nonisolated enum KeyBinding: Hashable, Sendable {
  /// The key asks for nothing.
  case nothing
  /// The command of this name. The dashboard declares the commands; ``UserConfiguration`` checks the names.
  case command(String)
  /// The key runs a program of the user.
  case run(OwnCommand)

  private static let nothingWord = "none"

  /// The word for it in config.json.
  var word: String {
    switch self {
    case .nothing: Self.nothingWord
    case .command(let name): name
    case .run(let command): command.description
    }
  }

  init(word: String) {
    self = word == Self.nothingWord ? .nothing : .command(word)
  }

  /// Checks that bindings name commands that there are.
  ///
  /// - Parameters:
  ///   - bindings: The bindings by the names of their keys.
  ///   - commands: The names of all commands.
  ///   - path: Where the bindings are in the file.
  /// - Throws: ``SettingFault`` for the first one that names no command.
  static func check(
    _ bindings: [String: KeyBinding],
    against commands: [String],
    at path: MemberPath
  ) throws(SettingFault) {
    for (key, binding) in bindings.sorted(by: { $0.key < $1.key }) {
      guard case .command(let name) = binding, !commands.contains(name) else { continue }
      let nearest = NearName.nearest(to: name, among: [nothingWord] + commands)
      let advice = nearest.map { "did you mean “\($0)”?" } ?? "see Docs/Configuration.md"
      throw SettingFault(
        path: path.member(key),
        expectation: "the name of a command (\(advice))"
      )
    }
  }
}

/// The names of keys in config.json: `r`, `R`, `/`, `ctrl-r`, `alt-r`, `f5`, `pageup`.
public nonisolated enum KeyName {
  /// The keys that have a name instead of a character.
  public static let named: Set<String> = [
    "up", "down", "left", "right", "tab", "shift-tab", "enter", "space", "pageup", "pagedown",
    "home", "end", "backspace", "insert", "delete",
  ]

  /// How many function keys there are; few keyboards have more than twelve.
  public static let functionKeys = 1...24

  /// Whether a text names a key that can be bound.
  ///
  /// Ctrl-C always quits. Ctrl-H, Ctrl-I, Ctrl-J and Ctrl-M are Backspace, Tab and Enter for a terminal.
  public static func isKey(_ text: String) -> Bool {
    if named.contains(text) { return true }
    let scalars = Array(text.unicodeScalars)
    if text.hasPrefix("ctrl-"), scalars.count == 6, let last = scalars.last {
      return "a"..."z" ~= last && !["c", "h", "i", "j", "m"].contains(last)
    }
    if text.hasPrefix("f"), scalars.count > 1 {
      return functionKeys.contains { text == "f\($0)" }
    }
    let isAlt = text.hasPrefix("alt-") && scalars.count == 5
    guard scalars.count == 1 || isAlt, let scalar = scalars.last else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
      return false
    default: return true
    }
  }
}
