import WidgetKitCore
import WidgetPages

/// Commands of keys for what has the focus: moving it, and pressing.
nonisolated enum FocusCommands {
  static let all: [KeyCommand] = [
    KeyCommand(
      .nextCard,
      [.down, .character("j")],
      "Next card",
      also: [.edit, .widget],
      line: KeyMap.Words(
        "next, previous card",
        names: "↓ ↑  j k",
        ascii: "j k  Up Down",
        footer: KeyMap.Footer(symbol: .cards, word: "cards", rank: 0)
      ),
      run: { $0.model.moveFocus(.down) }
    ),
    KeyCommand(
      .previousCard,
      [.up, .character("k")],
      "Previous card",
      also: [.edit, .widget],
      run: { $0.model.moveFocus(.up) }
    ),
    KeyCommand(
      "columnLeft",
      [.left, .character("h")],
      "Column on the left",
      also: .edit,
      line: KeyMap.Words("the column beside", names: "← →  h l", ascii: "h l  Left Right"),
      run: { $0.model.moveFocus(.left) }
    ),
    KeyCommand(
      "columnRight",
      [.right, .character("l")],
      "Column on the right",
      also: .edit,
      run: { $0.model.moveFocus(.right) }
    ),
    KeyCommand(
      .nextElement,
      [.tab],
      "Next element of the card",
      also: .widget,
      line: KeyMap.Words(
        "elements of the card",
        footer: KeyMap.Footer(symbol: .elements, word: "elements", rank: 2)
      ),
      run: { $0.model.moveElementFocus(forward: true) }
    ),
    KeyCommand(
      .previousElement,
      [.backTab],
      "Previous element of the card",
      also: .widget,
      run: { $0.model.moveElementFocus(forward: false) }
    ),
    KeyCommand(
      .press,
      [.enter, .character(" ")],
      "Press",
      also: [.edit, .widget],
      line: KeyMap.Words(
        "press, or go into the card; Esc comes out",
        footer: KeyMap.Footer(symbol: .press, word: "press", rank: 1)
      ),
      run: { $0.presses.press() }
    ),
  ]
}
