/// What a user can do about a terminal of which the system has no description (terminfo).
nonisolated enum TerminalAdvice {
  /// Packages of Debian and Ubuntu with descriptions, by the beginning of the names in them.
  ///
  /// `ncurses-term` lacks the new terminals, whose descriptions come with themselves: those of foot and kitty
  /// have packages of their own, while ghostty and wezterm have none, and have to be copied to other machines.
  private static let packages: [(prefix: String, package: String)] = [
    ("xterm-kitty", "kitty-terminfo"), ("foot", "foot-terminfo"),
    ("alacritty", "ncurses-term"),
    ("konsole", "ncurses-term"), ("gnome", "ncurses-term"), ("vte", "ncurses-term"),
    ("st-", "ncurses-term"), ("putty", "ncurses-term"), ("mlterm", "ncurses-term"),
    ("mintty", "ncurses-term"), ("kitty", "ncurses-term"), ("iterm", "ncurses-term"),
    ("iTerm", "ncurses-term"), ("terminator", "ncurses-term"), ("terminology", "ncurses-term"),
    ("tmux-direct", "ncurses-term"), ("xterm-direct", "ncurses-term"), ("nsterm", "ncurses-term"),
  ]

  /// A type that every system has, and whose sequences those terminals understand.
  private static let common = "xterm-256color"

  /// What helps with a name that is not known: a package that has it, and a name that is known.
  static func remedy(forUnknown name: String) -> String {
    let package = packages.first { name.hasPrefix($0.prefix) }?.package
    let installation = package.map { "install \($0), or " } ?? ""
    return installation + "start it with a type that is known: “TERM=\(common) today”"
  }
}
