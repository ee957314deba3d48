import WidgetKitCore
import WidgetPages

/// Commands of keys for the page and its content: editing, undoing, sharing and rows.
nonisolated enum PageEditCommands {
  static let all: [KeyCommand] = [
    KeyCommand(
      .edit,
      [.character("e")],
      "Edit the page",
      also: [.edit, .widget],
      line: KeyMap.Words(
        "edit the page: add, move, remove",
        footer: KeyMap.Footer(word: "edit", rank: 4)
      ),
      run: { keys in keys.unlessLocked { keys.editing.begin() } }
    ),
    KeyCommand(
      .undo,
      [.character("u")],
      "Undo the last change of the page, the theme or notices",
      line: KeyMap.Words("undo: page, theme, dismissed notices"),
      run: { keys in keys.unlessLocked { keys.undoing.undo() } }
    ),
    KeyCommand(
      .redo,
      [.character("U"), .control("r")],
      "Redo what was undone",
      line: KeyMap.Words("redo what was undone"),
      run: { keys in keys.unlessLocked { keys.undoing.redo() } }
    ),
    KeyCommand(
      "copy",
      [.character("y")],
      "Copy the text of the card",
      line: KeyMap.Words("copy the text of the card"),
      run: { $0.copying.copy() }
    ),
    KeyCommand(
      "share",
      [.character("s")],
      "Share the card",
      line: KeyMap.Words(
        "share the card, the row or the link",
        footer: KeyMap.Footer(word: "share", rank: 12)
      ),
      run: { $0.contents.begin(.share) }
    ),
    KeyCommand(
      "act",
      [.character("a")],
      "Pass the card through an action",
      line: KeyMap.Words("act on it: copy, save or pin the result"),
      run: { $0.contents.begin(.act) }
    ),
    KeyCommand(
      .removeRow,
      [.character("x"), .delete],
      "Remove the selected row of a list",
      line: KeyMap.Words("remove the row, dismiss the notice"),
      run: { $0.elements.removeRow() }
    ),
    KeyCommand(
      .dismissNotices,
      [.character("X")],
      "Dismiss all notices",
      line: KeyMap.Words("dismiss all notices that wait"),
      run: { $0.center.noticeDesk.dismissAll() }
    ),
  ]
}
