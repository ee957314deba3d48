import WidgetKitCore

/// The properties of the terminal according to the environment, before it is opened.
nonisolated struct TerminalKind: Hashable, Sendable {
  /// The value of TERM.
  let name: String
  /// Whether the user disabled colours (no-color.org): NO_COLOR is set and not empty.
  let refusesColors: Bool
  /// Whether the background is dark according to COLORFGBG; dark by default.
  let isDark: Bool

  /// Whether it is a tmux or a GNU screen.
  private let isMultiplexer: Bool
  /// Whether it is asked for the mouse: GNU screen keeps a lone Esc until the next key as long as the mouse is on
  /// (seen in 4.09).
  let takesMouse: Bool

  /// Reads the variables.
  init(environment: [String: String]) {
    let name = environment["TERM"] ?? ""
    self.name = name
    // A terminal that was started in one inherits the variables, but has a name of its own.
    let isNamed = ["TMUX", "STY"].contains { !(environment[$0] ?? "").isEmpty }
    let isNew = name == "xterm-kitty" || name == "xterm-ghostty"
    isMultiplexer =
      name.hasPrefix("tmux") || name.hasPrefix("screen")
      || isNamed && name.hasPrefix("xterm") && !isNew
    takesMouse = (environment["STY"] ?? "").isEmpty || !name.hasPrefix("screen")
    refusesColors = !(environment["NO_COLOR"] ?? "").isEmpty
    // `15;0` or `0;default;15`: the last number is the background's in the palette of 16.
    let background = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
    isDark = background.map { $0 < 7 || $0 == 8 } ?? true
  }

  /// Whether it can position text.
  var canDraw: Bool { !name.isEmpty && name != "dumb" && name != "unknown" }

  /// The characters of its font, if the encoding of the locale is UTF-8 or not.
  func glyphs(isUTF8: Bool) -> GlyphSet {
    if !isUTF8 || name.hasPrefix("vt1") || name.hasPrefix("vt2") || name == "ansi" { return .ascii }
    return name == "linux" || name.hasPrefix("linux-") ? .console : .unicode
  }

  /// Whether it supports or ignores mode 2026, which shows a frame at once.
  ///
  /// Terminals that conform to ECMA-48 ignore an unknown private mode; on other consoles it is not
  /// used.
  var showsFramesWhole: Bool { conforms }

  /// Whether it answers or ignores a question for its background (OSC 11), and mode 2031.
  var answersQuestions: Bool { conforms }

  /// Whether it acts on or ignores an application program command (APC), such as the graphics of kitty;
  /// a few others show it as text, and tmux makes it the title.
  var ignoresApplicationCommands: Bool {
    conforms && !name.hasPrefix("rxvt") && !isMultiplexer
  }

  /// Whether it supports or ignores mode 2004, which marks pasted text.
  var marksPastes: Bool { conforms }

  /// Whether it has a second screen for programs (mode 1049).
  var hasOtherScreen: Bool { conforms }

  private var conforms: Bool {
    let families = [
      "xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "rxvt", "st-", "contour",
      "ghostty", "konsole", "vte", "gnome", "iterm", "mintty",
    ]
    return families.contains { name.hasPrefix($0) }
  }
}
