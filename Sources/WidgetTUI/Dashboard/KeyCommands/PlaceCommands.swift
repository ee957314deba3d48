import WidgetKitCore
import WidgetPages

/// Commands of keys for scrolling, and other pages.
nonisolated enum PlaceCommands {
  static let all: [KeyCommand] =
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
        run: { $0.turnPage(by: -1) }
      ),
      KeyCommand(
        .nextPage,
        [.character("]")],
        "Next page",
        also: .edit,
        run: { $0.turnPage(by: 1) }
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
        run: { $0.showPage(numbered: number) }
      )
    }
}
