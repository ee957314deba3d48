import WidgetKitCore

/// What the environment tells about the terminal, before it is opened.
nonisolated struct TerminalKind: Hashable, Sendable {
  /// The value of TERM.
  let name: String
  /// Whether the user asked for no colours (no-color.org): NO_COLOR set and not empty.
  let refusesColors: Bool
  /// Whether the background is dark, as far as COLORFGBG tells.
  let isDark: Bool
  /// Whether no variable says anything of the locale.
  let hasNoLocale: Bool

  /// Reads the variables.
  init(environment: [String: String]) {
    name = environment["TERM"] ?? ""
    refusesColors = !(environment["NO_COLOR"] ?? "").isEmpty
    hasNoLocale = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (environment[$0] ?? "").isEmpty }
    // `15;0` or `0;default;15`: the last number is the background's in the palette of 16.
    let background = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
    isDark = background.map { $0 < 7 || $0 == 8 } ?? true
  }

  /// Whether it can place text at all.
  var canDraw: Bool { !name.isEmpty && name != "dumb" && name != "unknown" }

  /// Which characters its font has, where the locale's encoding is UTF-8 or is not.
  func glyphs(isUTF8: Bool) -> GlyphSet {
    if !isUTF8 || name.hasPrefix("vt1") || name.hasPrefix("vt2") || name == "ansi" { return .ascii }
    return name == "linux" || name.hasPrefix("linux-") ? .console : .unicode
  }

  /// Whether it knows or passes over mode 2026, which shows a frame all at once.
  ///
  /// Terminals that parse sequences as ECMA-48 says leave an unknown private mode alone; older
  /// consoles are not asked.
  var showsFramesWhole: Bool {
    let families = [
      "xterm", "tmux", "screen", "alacritty", "foot", "kitty", "wezterm", "rxvt", "st-", "contour",
      "ghostty", "konsole", "vte", "gnome", "iterm", "mintty",
    ]
    return families.contains { name.hasPrefix($0) }
  }
}
