import Glibc
import Testing
import WidgetTestSupport

/// A shell in a window of a program that shows several terminals in one.
struct MultiplexerWindow {
  enum Kind: String, CaseIterable {
    case tmux, screen

    var path: String { "/usr/bin/\(self)" }

    static var installed: [Kind] { allCases.filter { access($0.path, X_OK) == 0 } }
  }

  /// The terminal in which the window is shown, whole.
  let terminal: PseudoTerminal
  private let kind: Kind
  private let environment: [String: String]
  private let folder: String

  /// Opens a window, with further variables in its environment and lines of settings.
  init(
    _ kind: Kind,
    in world: TestWorld,
    columns: Int,
    rows: Int,
    variables: [String: String] = [:],
    settings own: String = ""
  ) throws {
    self.kind = kind
    folder = world.path
    environment = world.environment().merging(
      ["PS1": "ready> ", "SCREENDIR": "\(world.path)/run"]
    ) { $1 }.merging(variables) { $1 }
    let shell = ["/bin/bash", "--norc", "--noprofile", "-i"]
    let (settings, options) =
      switch kind {
      case .tmux: ("set -g status off\n", ["-f", "settings", "new-session"])
      case .screen: ("startup_message off\nvbell off\n", ["-c", "settings", "-S", "window"])
      }
    try world.write(settings + own, to: "\(folder)/settings")
    terminal = try PseudoTerminal(
      Self.program(kind, options + shell, environment, folder),
      columns: columns,
      rows: rows
    )
    try terminal.waitForText("ready>")
  }

  private static func program(
    _ kind: Kind,
    _ arguments: [String],
    _ environment: [String: String],
    _ folder: String
  ) -> ProgramDescription {
    // The path of a socket is short: it is relative to the working folder.
    let socket = kind == .tmux ? ["-S", "socket"] : []
    return ProgramDescription(
      kind.path,
      socket + arguments,
      environment: environment,
      directory: folder
    )
  }

  private func ask(_ arguments: [String]) -> String? {
    let run = try? ProgramRun(Self.program(kind, arguments, environment, folder))
    return run?.status == .exited(code: 0) ? run?.outputText : nil
  }

  /// What it tells of the window: margins, modes, character sets, the other screen, and the title.
  var state: String? {
    switch kind {
    case .tmux:
      return ask(["display", "-p", Self.variables.map { "\($0)=#{\($0)}" }.joined(separator: " ")])
    case .screen:
      // Behind the place of the cursor.
      let information = ask(["-S", "window", "-Q", "info"])
      let title = ask(["-S", "window", "-Q", "title"])
      guard let information, let title, let end = information.firstIndex(of: ")") else {
        return nil
      }
      return "\(information[end...]) \(title)"
    }
  }

  private static let variables: [String] = [
    "scroll_region_upper", "scroll_region_lower", "pane_width", "pane_height", "cursor_flag",
    "keypad_flag", "keypad_cursor_flag", "mouse_any_flag", "mouse_button_flag",
    "mouse_standard_flag", "mouse_sgr_flag", "mouse_utf8_flag", "wrap_flag", "insert_flag",
    "origin_flag", "alternate_on", "pane_tabs", "pane_title", "pane_mode",
  ]

  /// What is in a window of tmux and its scrollback; nil if it does not answer.
  var lines: String? { ask(["capture-pane", "-p", "-S", "-"]) }

  /// Ends it with all its windows.
  func end() {
    _ = ask(kind == .tmux ? ["kill-server"] : ["-S", "window", "-X", "quit"])
  }
}
