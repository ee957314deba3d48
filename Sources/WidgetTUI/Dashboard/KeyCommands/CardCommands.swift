import WidgetKitCore
import WidgetPages

/// Commands of keys for the card with the focus, finding cards, and looking back.
nonisolated enum CardCommands {
  static let all: [KeyCommand] = [
    KeyCommand(
      .toggleDisplayMode,
      [.character("m")],
      "Show more, less, or automatic",
      line: KeyMap.Words(
        "show more, less, or automatic",
        footer: KeyMap.Footer(word: "more", rank: 3)
      ),
      run: { keys in keys.onFocus { keys.presses.toggleForm($0) } }
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
      .palette,
      [.character(":")],
      "Commands, cards, pages and themes",
      also: .edit,
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
      .now,
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
      run: { keys in keys.onFocus { keys.presses.retry($0) } }
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
}
