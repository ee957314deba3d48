import WidgetKitCore
import WidgetPages

/// A command of a key: its name in config.json, its usual keys, the modes in which it holds, its words, and what
/// it does.
///
/// ``all`` is the only place where a command is declared: the key map, the palette, the list of keys, the footer
/// and what config.json accepts come from it.
nonisolated struct KeyCommand: Sendable {
  let entry: KeyMap.Entry
  let run: @MainActor (DashboardKeys) -> Void

  /// Declares a command.
  ///
  /// - Parameters:
  ///   - intent: Its name.
  ///   - keys: Its usual keys.
  ///   - title: The command in the palette.
  ///   - modes: The modes in which its keys ask for it besides the page.
  ///   - words: Its line in the list of keys and the footer; nil if it is in the line of the command before.
  ///   - run: What it does.
  private init(
    _ intent: Intent,
    _ keys: [Key],
    _ title: SafeText,
    also modes: KeyModes = [],
    line words: KeyMap.Words? = nil,
    run: @escaping @MainActor (DashboardKeys) -> Void
  ) {
    entry = KeyMap.Entry(intent: intent, keys: keys, title: title, modes: modes, words: words)
    self.run = run
  }

  /// All commands, in the order of the list of keys.
  static let all: [KeyCommand] = focus + card + page + places + program

  private static let byIntent = Dictionary(uniqueKeysWithValues: all.map { ($0.entry.intent, $0) })

  /// The command of a name.
  static func named(_ intent: Intent) -> KeyCommand? { byIntent[intent] }

  // MARK: - What has the focus

  private static let focus: [KeyCommand] = [
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

  // MARK: - The card, and finding cards

  private static let card: [KeyCommand] = [
    KeyCommand(
      .toggleDisplayMode,
      [.character("m")],
      "Show more, less, or automatic",
      line: KeyMap.Words(
        "show more, less, or automatic",
        footer: KeyMap.Footer(word: "more", rank: 3)
      ),
      run: { keys in keys.onFocus { keys.center.input.toggleDisplayMode($0) } }
    ),
    KeyCommand(
      .zoom,
      [.character("z")],
      "Show the card alone, or all cards",
      line: KeyMap.Words(
        "show the card alone, or all",
        footer: KeyMap.Footer(word: "zoom", rank: 8)
      ),
      run: { $0.toggleZoom() }
    ),
    KeyCommand(
      .refreshCard,
      [.character("r")],
      "Refresh the card",
      line: KeyMap.Words(
        "refresh the card, all cards",
        footer: KeyMap.Footer(symbol: .letter("r"), word: "refresh", rank: 9)
      ),
      run: { keys in keys.onFocus { keys.center.updates.refresh($0) } }
    ),
    KeyCommand(
      "refreshAll",
      [.character("R")],
      "Refresh all cards",
      run: { $0.center.updates.refresh(nil) }
    ),
    KeyCommand(
      .pressByLetter,
      [.character("f")],
      "Press by a letter",
      line: KeyMap.Words("a letter on everything to press"),
      run: { $0.presses.giveLetters() }
    ),
    KeyCommand(
      "filter",
      [.character("/")],
      "Find cards",
      line: KeyMap.Words(
        "find cards by name and text",
        footer: KeyMap.Footer(word: "find", rank: 6)
      ),
      run: { $0.beginFilter() }
    ),
    KeyCommand(
      "palette",
      [.character(":")],
      "Commands, cards, pages and themes",
      line: KeyMap.Words(
        "do anything by its name",
        footer: KeyMap.Footer(word: "commands", rank: 7)
      ),
      run: { $0.palettes.open() }
    ),
    KeyCommand(
      "back",
      [.character("<")],
      "What the card showed before",
      line: KeyMap.Words("what the card showed before, and after", names: "<  >"),
      run: { $0.past.step(.back) }
    ),
    KeyCommand(
      "forward",
      [.character(">")],
      "What the card showed after that",
      run: { $0.past.step(.forward) }
    ),
    KeyCommand(
      "pageBack",
      [.character("{")],
      "The page as it was before",
      line: KeyMap.Words("the whole page before, and after", names: "{  }"),
      run: { $0.past.stepPage(.back) }
    ),
    KeyCommand(
      "pageForward",
      [.character("}")],
      "The page as it was after that",
      run: { $0.past.stepPage(.forward) }
    ),
    KeyCommand(
      "now",
      [.character(".")],
      "Back to the present",
      line: KeyMap.Words("back to the present"),
      run: { $0.past.end() }
    ),
    KeyCommand(
      .retry,
      [.character("t")],
      "Start a stopped widget again",
      line: KeyMap.Words(
        "start a stopped widget again",
        footer: KeyMap.Footer(word: "start again", rank: -1)
      ),
      run: { keys in keys.onFocus { keys.center.input.retry($0) } }
    ),
    KeyCommand(
      .inspect,
      [.character("i")],
      "Inspect the card",
      line: KeyMap.Words("inspect the card: runs, log"),
      run: { keys in keys.onFocus { keys.model.mode = .inspector(Inspector(card: $0)) } }
    ),
    KeyCommand(
      .settings,
      [.character(",")],
      "Settings of the card",
      also: .edit,
      line: KeyMap.Words("settings of the card", footer: KeyMap.Footer(word: "settings", rank: 5)),
      run: { keys in keys.onFocus { keys.settings.open($0) } }
    ),
  ]

  // MARK: - The page and its content

  private static let page: [KeyCommand] = [
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

  // MARK: - Scrolling, and other pages

  private static let places: [KeyCommand] =
    [
      KeyCommand(
        .pageDown,
        [.pageDown],
        "Scroll down",
        also: [.edit, .widget],
        line: KeyMap.Words("scroll", names: "PgUp  PgDn"),
        run: { $0.model.scroll(by: $0.screenfulRows) }
      ),
      KeyCommand(
        .pageUp,
        [.pageUp],
        "Scroll up",
        also: [.edit, .widget],
        run: { $0.model.scroll(by: -$0.screenfulRows) }
      ),
      KeyCommand(
        .top,
        [.home, .character("g")],
        "To the top",
        also: [.edit, .widget],
        line: KeyMap.Words("to the top, to the end", names: "Home  End"),
        run: { $0.model.scroll(by: -$0.model.contentRows) }
      ),
      KeyCommand(
        .bottom,
        [.end, .character("G")],
        "To the end",
        also: [.edit, .widget],
        run: { $0.model.scroll(by: $0.model.contentRows) }
      ),
      KeyCommand(
        .previousPage,
        [.character("[")],
        "Previous page",
        also: .edit,
        line: KeyMap.Words("previous, next page"),
        run: { $0.show($0.model.tabs.page(after: -1)) }
      ),
      KeyCommand(
        .nextPage,
        [.character("]")],
        "Next page",
        also: .edit,
        run: { $0.show($0.model.tabs.page(after: 1)) }
      ),
    ]
    + [
      "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth",
    ].enumerated().map { index, ordinal in
      let number = index + 1
      return KeyCommand(
        Intent(rawValue: "page\(number)"),
        [.character(Unicode.Scalar(UInt8(ascii: "0") + UInt8(number)))],
        SafeText("\(ordinal) page"),
        also: .edit,
        line: number == 1
          ? KeyMap.Words("the page of that number", names: "1…9", ascii: "1-9") : nil,
        run: { $0.show($0.model.tabs.page(numbered: number)) }
      )
    }

  // MARK: - The program

  private static let program: [KeyCommand] = [
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
      [.character("?")],
      "Help: all keys",
      also: [.edit, .widget],
      line: KeyMap.Words(
        "close this list",
        names: "?  Esc",
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

nonisolated extension KeyMap {
  /// The keys without bindings of the user.
  static let standard = KeyMap(KeyCommand.all.map(\.entry))

  /// The keys with the user's bindings.
  init(_ user: [String: KeyBinding]) { self = Self.standard.binding(user) }
}
