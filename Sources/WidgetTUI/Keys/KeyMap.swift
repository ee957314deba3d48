import WidgetKitCore
import WidgetPages

/// The keys of the dashboard: what each asks for, and its line in the list of keys and in the footer.
///
/// Made of the entries of the table of key commands, `Dashboard/KeyCommand.swift`, with the user's bindings over
/// their keys. The palette, the list of keys, the footer, `Docs/Configuration.md` and the manual page have the same
/// keys, which tests check.
nonisolated struct KeyMap: Sendable {
  /// A command with its keys.
  struct Entry: Sendable {
    let intent: Intent
    let keys: [Key]
    /// The command in the palette.
    let title: SafeText
    /// The modes in which it holds besides the page.
    let modes: KeyModes
    /// The line that begins with it; nil for a command in the line of the one before.
    let words: Words?
  }

  /// What the list of keys and the footer say of a line.
  struct Words: Sendable {
    /// The names of the keys; nil means those that the keys have.
    private(set) var names: SafeText?
    /// The names on a screen without arrows, where they differ.
    private(set) var asciiNames: SafeText?
    /// What the keys do.
    let words: SafeText
    /// The line's place in the footer; nil for a line that is not in it.
    private(set) var footer: Footer?

    init(
      _ words: SafeText,
      names: SafeText? = nil,
      ascii asciiNames: SafeText? = nil,
      footer: Footer? = nil
    ) {
      (self.words, self.names) = (words, names)
      (self.asciiNames, self.footer) = (asciiNames, footer)
    }
  }

  /// Keys that belong together, as one line of the list.
  struct Line: Sendable {
    /// Each command with its keys; there is at least one.
    fileprivate(set) var entries: [Entry]
    fileprivate let said: Words

    /// The first command, by which the line is known.
    var intent: Intent { entries[0].intent }
    /// What the keys do.
    var words: SafeText { said.words }
    /// The line's place in the footer; nil for a line that is not in it.
    var footer: Footer? { said.footer }
    /// The names of the keys.
    var names: SafeText {
      said.names ?? SafeText(entries.flatMap(\.keys).map(\.name.string).joined(separator: "  "))
    }
  }

  /// The most useful keys, on the last row of the page.
  struct Footer: Sendable {
    /// The symbol of the key; nil means ``Line/names``.
    var symbol: KeySymbol?
    var word: SafeText
    /// Its place, from the left: on narrow screens the last ones are not shown.
    var rank: Int
  }

  /// All keys, in the order of the list.
  let lines: [Line]
  /// The lines that are in the footer, those first that matter most.
  let footerLines: [Line]
  private let entries: [Intent: Entry]
  private var bindings: [Key: Intent]
  /// The commands whose keys the user has changed.
  private var changed: Set<Intent> = []
  /// The user's own commands, by their keys.
  private var ownCommands: [Key: OwnCommand] = [:]

  /// The keys without bindings of the user.
  init(_ entries: [Entry]) {
    var lines: [Line] = []
    for entry in entries {
      if let words = entry.words {
        lines.append(Line(entries: [entry], said: words))
      } else if let last = lines.indices.last {
        lines[last].entries.append(entry)
      }
    }
    self.lines = lines
    footerLines = lines.filter { $0.footer != nil }
      .sorted { ($0.footer?.rank ?? 0) < ($1.footer?.rank ?? 0) }
    self.entries = Dictionary(uniqueKeysWithValues: entries.map { ($0.intent, $0) })
    bindings = Dictionary(
      uniqueKeysWithValues: entries.flatMap { entry in entry.keys.map { ($0, entry.intent) } }
    )
  }

  /// The keys with the user's bindings, by the names that ``KeyName`` has.
  func binding(_ user: [String: KeyBinding]) -> KeyMap {
    var map = self
    for (name, binding) in user {
      guard let key = Key(name: name) else { continue }
      if case .run(let own) = binding {
        map.ownCommands[key] = own
        // On other cards, the key keeps its meaning.
        if own.widget != nil { continue }
      }
      let intent: Intent? =
        if case .command(let name) = binding { Intent(rawValue: name) } else { nil }
      if let intent, entries[intent] == nil { continue }
      map.changed.formUnion([map.bindings[key], intent].compactMap(\.self))
      map.bindings[key] = intent
    }
    return map
  }

  /// The names of all commands.
  var names: [String] { lines.flatMap(\.entries).map(\.intent.rawValue) }

  /// What a key asks for; nil for a key without a meaning, and for the mouse.
  func intent(of key: Key) -> Intent? { bindings[key] }

  /// The user's own commands with their keys, in the order of the keys' names.
  var own: [(key: Key, command: OwnCommand)] {
    ownCommands.sorted { $0.key.name.string < $1.key.name.string }.map { ($0.key, $0.value) }
  }

  /// The user's own command of a key, on whatever card it runs.
  func own(_ key: Key) -> OwnCommand? { ownCommands[key] }

  /// The command of a key together with Ctrl that holds while something over the page takes the keys; nil for others.
  func intentOverPage(of key: Key) -> Intent? {
    guard case .control = key, let intent = intent(of: key), holds(intent, in: .overlay) else {
      return nil
    }
    return intent
  }

  /// Whether a command holds in a mode besides the page.
  func holds(_ intent: Intent, in mode: KeyModes) -> Bool {
    entries[intent]?.modes.contains(mode) ?? false
  }

  /// The keys of a command, the usual ones first.
  func keys(of intent: Intent) -> [Key] {
    let usual = entries[intent]?.keys ?? []
    guard changed.contains(intent) else { return usual }
    let present = bindings.filter { $0.value == intent }.map(\.key)
    return usual.filter(present.contains)
      + present.filter { !usual.contains($0) }.sorted { $0.name.string < $1.name.string }
  }

  /// The name of a command's first key; nil if it has none.
  func name(of intent: Intent) -> SafeText? { keys(of: intent).first?.name }

  /// What is said of a key that does nothing; nil for the mouse, and for a key without a name.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - place: Where it does nothing.
  /// - Returns: A sentence with the key that lists all keys.
  func uselessWords(_ key: Key, _ place: SafeText = "here") -> SafeText? {
    guard !key.isMouse, !key.name.string.isEmpty else { return nil }
    let help = name(of: .help).map { "; \($0) lists the keys" } ?? ""
    return "“\(key.name)” does nothing \(place)\(help)."
  }

  /// What is said where a row has to be selected first.
  var rowAdvice: SafeText {
    name(of: .nextElement).map { "Select a row with \($0) first." } ?? "Select a row first."
  }

  /// What is said of what a locked page does not do, with the key that unlocks it.
  var lockedWords: SafeText {
    let words: SafeText = "The page is locked."
    return name(of: .lock).map { "\(words) \($0) unlocks it." } ?? words
  }

  /// The names of the keys of a line; nil if none of them has a key any more.
  func names(of line: Line, isASCII: Bool = false) -> SafeText? {
    guard line.entries.contains(where: { changed.contains($0.intent) }) else {
      return isASCII ? line.said.asciiNames ?? line.names : line.names
    }
    let names = line.entries.flatMap { keys(of: $0.intent) }.map(\.name.string)
    return names.isEmpty ? nil : SafeText(names.joined(separator: "  "))
  }

  /// The key of a line in the footer, with the name that `name` has for a symbol; nil if it has none.
  func footerKey(of line: Line, _ name: (KeySymbol) -> SafeText) -> SafeText? {
    guard line.entries.contains(where: { changed.contains($0.intent) }) else {
      return line.footer?.symbol.map(name) ?? line.names
    }
    return line.entries.lazy.compactMap { self.name(of: $0.intent) }.first
  }
}

/// How the footer shows a key.
nonisolated enum KeySymbol: Hashable, Sendable {
  /// The keys that move between cards, between elements, and that press: symbols where the font has them.
  case cards
  case elements
  case press
  /// A letter.
  case letter(SafeText)
}
