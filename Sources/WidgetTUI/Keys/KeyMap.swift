import WidgetKitCore
import WidgetPages

/// The keys of the dashboard: what each asks for, and its line in the list of keys and in the footer.
///
/// ``lines`` is the only place that assigns keys; the user's bindings are laid over it. The palette, the
/// list of keys, the footer, `Docs/Configuration.md` and the manual page have the same keys, which tests
/// check.
nonisolated struct KeyMap: Hashable, Sendable {
  /// A command with its keys.
  struct Entry: Sendable {
    var intent: Intent
    var keys: [Key]
    /// The command in the palette.
    var title: SafeText

    init(_ intent: Intent, _ keys: [Key], _ title: SafeText) {
      (self.intent, self.keys, self.title) = (intent, keys, title)
    }
  }

  /// Keys that belong together, as one line of the list.
  struct Line: Sendable {
    /// Each command with its keys.
    var entries: [Entry]
    /// The names of the keys.
    var names: SafeText
    /// The names on a screen without arrows, where they differ.
    var asciiNames: SafeText?
    /// What the keys do.
    var words: SafeText
    /// The line's place in the footer; nil for a line that is not in it.
    var footer: Footer?
  }

  /// The most useful keys, on the last row of the page.
  struct Footer: Sendable {
    /// The symbol of the key; nil means ``Line/names``.
    var symbol: KeySymbol?
    var word: SafeText
    /// Its place, from the left: on narrow screens the last ones are not shown.
    var rank: Int
  }

  private let bindings: [Key: Intent]
  /// The commands whose keys the user has changed.
  private let changed: Set<Intent>

  /// The keys without bindings of the user.
  static let standard = KeyMap([:])

  /// The keys with the user's bindings, by the names that ``KeyName`` has.
  init(_ user: [String: KeyBinding]) {
    var bindings = Self.standardBindings
    var changed: Set<Intent> = []
    for (name, binding) in user {
      guard let key = Key(name: name) else { continue }
      if let before = bindings[key] { changed.insert(before) }
      switch binding {
      case .nothing: bindings[key] = nil
      case .intent(let intent):
        bindings[key] = intent
        changed.insert(intent)
      }
    }
    self.bindings = bindings
    self.changed = changed
  }

  private static let standardBindings: [Key: Intent] = Dictionary(
    uniqueKeysWithValues: lines.flatMap(\.entries).flatMap { entry in
      entry.keys.map { ($0, entry.intent) }
    }
  )

  private static let usualKeys: [Intent: [Key]] = Dictionary(
    lines.flatMap(\.entries).map { ($0.intent, $0.keys) },
    uniquingKeysWith: { first, _ in first }
  )

  /// What a key asks for; nil for a key without a meaning, and for the mouse.
  func intent(of key: Key) -> Intent? { bindings[key] }

  /// The keys of a command, the usual ones first.
  func keys(of intent: Intent) -> [Key] {
    let usual = Self.usualKeys[intent] ?? []
    guard changed.contains(intent) else { return usual }
    let present = bindings.filter { $0.value == intent }.map(\.key)
    return usual.filter(present.contains)
      + present.filter { !usual.contains($0) }.sorted { $0.name.string < $1.name.string }
  }

  /// The name of a command's first key; nil if it has none.
  func name(of intent: Intent) -> SafeText? { keys(of: intent).first?.name }

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
      return isASCII ? line.asciiNames ?? line.names : line.names
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

  /// The lines that are in the footer, those first that matter most.
  static let footerLines = lines.filter { $0.footer != nil }
    .sorted { ($0.footer?.rank ?? 0) < ($1.footer?.rank ?? 0) }

  /// All keys, in the order of the list.
  static let lines: [Line] = [
    Line(
      entries: [
        Entry(.nextCard, [.down, .character("j")], "Next card"),
        Entry(.previousCard, [.up, .character("k")], "Previous card"),
      ],
      names: "↓ ↑  j k",
      asciiNames: "j k  Up Down",
      words: "next, previous card",
      footer: Footer(symbol: .cards, word: "cards", rank: 0)
    ),
    Line(
      entries: [
        Entry(.columnLeft, [.left, .character("h")], "Column on the left"),
        Entry(.columnRight, [.right, .character("l")], "Column on the right"),
      ],
      names: "← →  h l",
      asciiNames: "h l  Left Right",
      words: "the column beside"
    ),
    Line(
      entries: [
        Entry(.nextElement, [.tab], "Next element of the card"),
        Entry(.previousElement, [.backTab], "Previous element of the card"),
      ],
      names: "Tab  Shift-Tab",
      words: "elements of the card",
      footer: Footer(symbol: .elements, word: "elements", rank: 2)
    ),
    Line(
      entries: [Entry(.press, [.enter, .character(" ")], "Press")],
      names: "Enter  Space",
      words: "press",
      footer: Footer(symbol: .press, word: "press", rank: 1)
    ),
    Line(
      entries: [Entry(.toggleDisplayMode, [.character("m")], "Show more or less of the card")],
      names: "m",
      words: "show more, show less",
      footer: Footer(word: "more", rank: 3)
    ),
    Line(
      entries: [Entry(.zoom, [.character("z")], "Show the card alone, or all cards")],
      names: "z",
      words: "show the card alone, or all",
      footer: Footer(word: "zoom", rank: 8)
    ),
    Line(
      entries: [
        Entry(.refreshCard, [.character("r")], "Refresh the card"),
        Entry(.refreshAll, [.character("R")], "Refresh all cards"),
      ],
      names: "r  R",
      words: "refresh the card, all cards",
      footer: Footer(symbol: .letter("r"), word: "refresh", rank: 9)
    ),
    Line(
      entries: [Entry(.pressByLetter, [.character("f")], "Press by a letter")],
      names: "f",
      words: "a letter on everything to press",
      footer: Footer(word: "letters", rank: 10)
    ),
    Line(
      entries: [Entry(.filter, [.character("/")], "Find cards")],
      names: "/",
      words: "find cards by name and text",
      footer: Footer(word: "find", rank: 6)
    ),
    Line(
      entries: [Entry(.palette, [.character(":")], "Commands and themes")],
      names: ":",
      words: "commands and themes by name",
      footer: Footer(word: "commands", rank: 7)
    ),
    Line(
      entries: [Entry(.retry, [.character("t")], "Start a stopped widget again")],
      names: "t",
      words: "start a stopped widget again",
      footer: Footer(word: "start again", rank: -1)
    ),
    Line(
      entries: [Entry(.inspect, [.character("i")], "Inspect the card")],
      names: "i",
      words: "inspect the card: runs, log",
      footer: Footer(word: "inspect", rank: 11)
    ),
    Line(
      entries: [Entry(.settings, [.character(",")], "Settings of the card")],
      names: ",",
      words: "settings of the card",
      footer: Footer(word: "settings", rank: 5)
    ),
    Line(
      entries: [Entry(.edit, [.character("e")], "Edit the page")],
      names: "e",
      words: "edit the page: add, move, remove",
      footer: Footer(word: "edit", rank: 4)
    ),
    Line(
      entries: [
        Entry(.undo, [.character("u")], "Undo the last change of the page, the theme or notices")
      ],
      names: "u",
      words: "undo: page, theme, dismissed notices"
    ),
    Line(
      entries: [Entry(.copy, [.character("y")], "Copy the text of the card")],
      names: "y",
      words: "copy the text of the card"
    ),
    Line(
      entries: [Entry(.share, [.character("s")], "Share the card")],
      names: "s",
      words: "share the card, the row or the link",
      footer: Footer(word: "share", rank: 12)
    ),
    Line(
      entries: [Entry(.act, [.character("a")], "Pass the card through an action")],
      names: "a",
      words: "act on it: copy, save or pin the result"
    ),
    Line(
      entries: [
        Entry(.removeRow, [.character("x"), .delete], "Remove the selected row of a list")
      ],
      names: "x  Delete",
      words: "remove the row, dismiss the notice"
    ),
    Line(
      entries: [Entry(.dismissNotices, [.character("X")], "Dismiss all notices")],
      names: "X",
      words: "dismiss all notices that wait"
    ),
    Line(
      entries: [
        Entry(.pageDown, [.pageDown], "Scroll down"), Entry(.pageUp, [.pageUp], "Scroll up"),
      ],
      names: "PgUp  PgDn",
      words: "scroll"
    ),
    Line(
      entries: [
        Entry(.top, [.home, .character("g")], "To the top"),
        Entry(.bottom, [.end, .character("G")], "To the end"),
      ],
      names: "Home  End",
      words: "to the top, to the end"
    ),
    Line(
      entries: [
        Entry(.previousPage, [.character("[")], "Previous page"),
        Entry(.nextPage, [.character("]")], "Next page"),
      ],
      names: "[  ]",
      words: "previous, next page"
    ),
    Line(
      entries: [
        Entry(.page1, [.character("1")], "First page"),
        Entry(.page2, [.character("2")], "Second page"),
        Entry(.page3, [.character("3")], "Third page"),
        Entry(.page4, [.character("4")], "Fourth page"),
        Entry(.page5, [.character("5")], "Fifth page"),
        Entry(.page6, [.character("6")], "Sixth page"),
        Entry(.page7, [.character("7")], "Seventh page"),
        Entry(.page8, [.character("8")], "Eighth page"),
        Entry(.page9, [.character("9")], "Ninth page"),
      ],
      names: "1…9",
      asciiNames: "1-9",
      words: "the page of that number"
    ),
    Line(
      entries: [Entry(.hide, [.character("H")], "Hide the page")],
      names: "H",
      words: "hide the page until a key"
    ),
    Line(
      entries: [Entry(.lock, [.character("L")], "Lock or unlock the page")],
      names: "L",
      words: "lock the page, unlock it"
    ),
    Line(
      entries: [Entry(.redraw, [.control("l")], "Redraw the screen")],
      names: "Ctrl-L",
      words: "redraw the screen"
    ),
    Line(
      entries: [Entry(.suspend, [.control("z")], "Suspend")],
      names: "Ctrl-Z",
      words: "suspend; fg continues"
    ),
    Line(
      entries: [Entry(.help, [.character("?")], "All keys")],
      names: "?  Esc",
      words: "close this list"
    ),
    Line(
      entries: [Entry(.quit, [.character("q"), .control("c")], "Quit")],
      names: "q  Ctrl-C",
      words: "quit",
      footer: Footer(symbol: .letter("q"), word: "quit", rank: 12)
    ),
  ]
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
