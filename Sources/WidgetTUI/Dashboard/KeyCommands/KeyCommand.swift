import WidgetKitCore
import WidgetPages

/// A command of a key: its name in config.json, its usual keys, the modes in which it holds, its words, and what
/// it does.
///
/// ``all`` is the only place where a command is declared: the key map, the palette, the list of keys, the footer
/// and what config.json accepts come from it.
nonisolated struct KeyCommand: Sendable {
  let entry: KeyMap.Entry
  let run: @MainActor (DashboardKeys) -> Void

  /// Declares a command.
  ///
  /// - Parameters:
  ///   - intent: Its name.
  ///   - keys: Its usual keys.
  ///   - title: The command in the palette.
  ///   - modes: The modes in which its keys ask for it besides the page.
  ///   - words: Its line in the list of keys and the footer; nil if it is in the line of the command before.
  ///   - run: What it does.
  init(
    _ intent: Intent,
    _ keys: [Key],
    _ title: SafeText,
    also modes: KeyModes = [],
    line words: KeyMap.Words? = nil,
    run: @escaping @MainActor (DashboardKeys) -> Void
  ) {
    entry = KeyMap.Entry(intent: intent, keys: keys, title: title, modes: modes, words: words)
    self.run = run
  }

  /// All commands, in the order of the list of keys.
  static let all: [KeyCommand] =
    FocusCommands.all + CardCommands.all + PageEditCommands.all + PlaceCommands.all
    + ProgramCommands.all

  private static let byIntent = Dictionary(uniqueKeysWithValues: all.map { ($0.entry.intent, $0) })

  /// The command of a name.
  static func named(_ intent: Intent) -> KeyCommand? { byIntent[intent] }
}

nonisolated extension KeyMap {
  /// The keys without bindings of the user.
  static let standard = KeyMap(KeyCommand.all.map(\.entry))

  /// The keys with the user's bindings.
  init(_ user: [String: KeyBinding]) { self = Self.standard.binding(user) }
}
