import WidgetKitCore

/// The keys of the dashboard: what each asks for, and its line in the list of keys and in the footer.
///
/// The only place that assigns keys. `Docs/Configuration.md` and the manual page list the same keys, which a
/// test checks.
nonisolated enum KeyMap {
  /// Keys that belong together, as one line of the list.
  struct Line: Sendable {
    /// Each intent with its keys.
    var intents: [(intent: Intent, keys: [Key])]
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
    /// The symbol of the key; nil stands for ``Line/names``.
    var symbol: KeySymbol?
    var word: SafeText
  }

  /// All keys, in the order of the list.
  static let lines: [Line] = [
    Line(
      intents: [
        (.nextCard, [.down, .character("j")]), (.previousCard, [.up, .character("k")]),
      ],
      names: "↓ ↑  j k",
      asciiNames: "j k  Up Down",
      words: "next, previous card",
      footer: Footer(symbol: .cards, word: "cards")
    ),
    Line(
      intents: [
        (.columnLeft, [.left, .character("h")]), (.columnRight, [.right, .character("l")]),
      ],
      names: "← →  h l",
      asciiNames: "h l  Left Right",
      words: "the column beside"
    ),
    Line(
      intents: [(.nextElement, [.tab]), (.previousElement, [.backTab])],
      names: "Tab  Shift-Tab",
      words: "elements of the card",
      footer: Footer(symbol: .elements, word: "elements")
    ),
    Line(
      intents: [(.press, [.enter, .character(" ")])],
      names: "Enter  Space",
      words: "press",
      footer: Footer(symbol: .press, word: "press")
    ),
    Line(
      intents: [(.refreshCard, [.character("r")]), (.refreshAll, [.character("R")])],
      names: "r  R",
      words: "refresh the card, all cards",
      footer: Footer(symbol: .letter("r"), word: "refresh")
    ),
    Line(
      intents: [(.toggleDisplayMode, [.character("m")])],
      names: "m",
      words: "show more, show less",
      footer: Footer(word: "more")
    ),
    Line(
      intents: [(.retry, [.character("t")])],
      names: "t",
      words: "start a stopped widget again"
    ),
    Line(
      intents: [(.inspect, [.character("i")])],
      names: "i",
      words: "inspect the card: runs, log",
      footer: Footer(word: "inspect")
    ),
    Line(
      intents: [(.pageDown, [.pageDown]), (.pageUp, [.pageUp])],
      names: "PgUp  PgDn",
      words: "scroll"
    ),
    Line(
      intents: [(.top, [.home, .character("g")]), (.bottom, [.end, .character("G")])],
      names: "Home  End",
      words: "to the top, to the end"
    ),
    Line(intents: [(.redraw, [.control("l")])], names: "Ctrl-L", words: "redraw the screen"),
    Line(intents: [(.suspend, [.control("z")])], names: "Ctrl-Z", words: "suspend; fg continues"),
    Line(intents: [(.help, [.character("?")])], names: "?  Esc", words: "close this list"),
    Line(
      intents: [(.quit, [.character("q"), .control("c")])],
      names: "q  Ctrl-C",
      words: "quit",
      footer: Footer(symbol: .letter("q"), word: "quit")
    ),
  ]

  private static let intents: [Key: Intent] = Dictionary(
    uniqueKeysWithValues: lines.flatMap(\.intents).flatMap { pair in
      pair.keys.map { ($0, pair.intent) }
    }
  )

  /// What a key asks for; nil for a key without a meaning, and for the mouse.
  static func intent(of key: Key) -> Intent? { intents[key] }
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
