/// What is known of a terminal by its own words and by the environment.
package struct TerminalIdentity: Hashable, Sendable {
  /// What it has answered to XTVERSION: `kitty(0.35.2)`; nil if it has not.
  package var version: String?
  /// Whether it has answered the question for the notifications of kitty.
  package var hasKittyNotifications = false
  /// The pane of tmux that it is; nil if it is none.
  package let pane: String?

  private let name: String
  private let program: String
  private let isKitty: Bool
  /// Whether another program draws it, which does not pass sequences on.
  private let isDrawn: Bool

  /// Reads the environment of a program in the terminal.
  package init(environment: [String: String]) {
    func value(_ name: String) -> String { environment[name] ?? "" }
    let name = value("TERM")
    // A terminal that was started from a tmux inherits its variables, and has a name of its own.
    let isInside =
      ["tmux", "screen", "xterm-256color", "xterm-direct"].contains(where: name.hasPrefix)
      || name == "xterm"
    let tmux = value("TMUX").isEmpty ? nil : value("TMUX_PANE")
    self.name = name
    // ssh passes on what begins with LC_, and iTerm2 sets this one.
    program = value("TERM_PROGRAM").isEmpty ? value("LC_TERMINAL") : value("TERM_PROGRAM")
    pane = isInside ? tmux : nil
    isDrawn = isInside ? !(value("STY") + value("ZELLIJ")).isEmpty : false
    isKitty = !value("KITTY_WINDOW_ID").isEmpty
  }

  /// The sequence that the terminal shows notifications with, without a tmux around it; nil if it shows none, or if
  /// that is not known.
  package var notifier: TerminalNotifier? {
    if hasKittyNotifications { return .osc99 }
    if let version, let found = Self.notifier(named: version) { return found }
    guard !isDrawn, pane == nil else { return nil }
    if let found = Self.notifier(named: name) { return found }
    return isKitty && version == nil ? .osc99 : Self.notifier(named: program)
  }

  /// The question whether it has the notifications of kitty, and for its name and version.
  package static let questions = "\u{1B}]99;i=today:p=?;\u{1B}\\\u{1B}[>q"

  /// The terminals by the beginnings of their names in TERM, TERM_PROGRAM and XTVERSION, in lower case.
  private static let known: [(beginning: String, notifier: TerminalNotifier)] = [
    ("kitty", .osc99), ("foot", .osc777), ("ghostty", .osc777), ("wezterm", .osc777),
    ("contour", .osc777), ("warpterminal", .osc777), ("iterm", .osc9),
  ]

  /// The sequence of the terminal with a name; nil if it is not known.
  package static func notifier(named name: String) -> TerminalNotifier? {
    var name = name.lowercased()
    if name.hasPrefix("xterm-") { name.removeFirst("xterm-".count) }
    return known.first { name.hasPrefix($0.beginning) }?.notifier
  }
}

/// What a tmux says of the terminal that shows a pane.
package struct TmuxClient: Hashable, Sendable {
  /// Why no notification goes through it.
  package enum Obstacle: Hashable, Sendable {
    /// It was not asked, or has not answered.
    case silent
    /// No terminal shows the session.
    case detached
    /// `allow-passthrough` is off.
    case noPassthrough
    /// It passes on only what comes from panes that are visible, and this one is not.
    case hidden
  }

  /// The name of the terminal, and what it has answered to XTVERSION.
  package var names: [String]
  package var obstacle: Obstacle?
  /// Whether `allow-passthrough` is on; nil if it is not known.
  package var allowsPassthrough: Bool?

  /// The format of the question for `tmux display-message -p`.
  private static let format =
    "#{client_termname}\t#{client_termtype}\t#{allow-passthrough}\t#{session_attached}\t#{window_active_clients}"

  /// The arguments of the question about a pane.
  package static func question(_ pane: String) -> [String] {
    ["display-message", "-p"] + (pane.isEmpty ? [] : ["-t", pane]) + [format]
  }

  /// Reads the answer.
  package init(answer: String) {
    let parts = answer.prefix { $0 != "\n" }
      .split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5 else {
      (names, obstacle) = ([], .silent)
      return
    }
    names = [parts[1], parts[0]].filter { !$0.isEmpty }
    allowsPassthrough = ["1", "on", "all"].contains(parts[2])
    // A flag in tmux 3.3, and since 3.4 also for panes that are not visible.
    let isVisible = parts[4] != "0"
    obstacle =
      switch parts[2] {
      case _ where parts[3] == "0": .detached
      case "all": nil
      case "1", "on": isVisible ? nil : .hidden
      default: .noPassthrough
      }
  }

  /// The sequence that its terminal shows notifications with; nil if it shows none, or if that is not known.
  package var notifier: TerminalNotifier? {
    names.compactMap(TerminalIdentity.notifier).first
  }
}
