import WidgetKitCore
import WidgetPages

/// Commands of keys for the program: hiding, locking, redrawing, help, and the end.
nonisolated enum ProgramCommands {
  static let all: [KeyCommand] = [
    KeyCommand(
      .hide,
      [.character("H")],
      "Hide the page",
      also: .all,
      line: KeyMap.Words("hide the page until a key"),
      run: { $0.model.mode = .cover }
    ),
    KeyCommand(
      .lock,
      [.character("L")],
      "Lock or unlock the page",
      also: [.edit, .widget],
      line: KeyMap.Words("lock the page, unlock it"),
      run: { $0.owner.setLocked(!$0.model.content.isLocked) }
    ),
    KeyCommand(
      .redraw,
      [.control("l")],
      "Redraw the screen",
      also: .all,
      line: KeyMap.Words("redraw the screen"),
      run: { $0.owner.repaint() }
    ),
    KeyCommand(
      .suspend,
      [.control("z")],
      "Suspend",
      also: .all,
      line: KeyMap.Words("suspend; fg continues"),
      run: { $0.owner.suspend() }
    ),
    KeyCommand(
      .help,
      [.character("?"), .function(1)],
      "Help: all keys",
      also: [.edit, .widget],
      line: KeyMap.Words(
        "close this list",
        names: "?  F1  Esc",
        footer: KeyMap.Footer(symbol: .letter("?"), word: "keys", rank: 13)
      ),
      run: { $0.model.mode = .help(TodayModel.KeyList()) }
    ),
    KeyCommand(
      .quit,
      [.character("q"), .control("c")],
      "Quit",
      also: .all,
      line: KeyMap.Words(
        "quit",
        footer: KeyMap.Footer(symbol: .letter("q"), word: "quit", rank: 14)
      ),
      run: { $0.owner.quit() }
    ),
  ]
}
