import Testing

@testable import WidgetTUI

@Suite struct `Lines of a paragraph` {
  @Test(arguments: [
    ("short", 30, ["short"]),
    (
      "    asks to use the network, with localhost", 30,
      ["    asks to use the network,", "    with localhost"]
    ),
    (
      "  --theme     theme of ansi, svg and html", 38,
      ["  --theme     theme of ansi, svg and", "              html"]
    ),
    (
      "Gives “what” it’s worth to you, 日本語 too", 30,
      ["Gives “what” it’s worth to", "you, 日本語 too"]
    ),
    // No room for text beside the indent.
    ("                    a text that stays", 30, ["                    a text that stays"]),
    ("", 30, [""]),
  ])
  func `are broken between words, below the text`(line: String, columns: Int, lines: [String]) {
    #expect(ParagraphLines.lines(of: line, columns: columns) == lines)
  }

  @Test(arguments: 24...130)
  func `of every usage are as wide as the terminal at most, and keep their words`(columns: Int) {
    for command in CommandTable.commands {
      for line in command.help.split(separator: "\n") {
        let parts = ParagraphLines.lines(of: String(line), columns: columns)
        let words = parts.flatMap { $0.split(separator: " ") }
        if line.split(separator: " ").allSatisfy({ $0.count < 20 }) {
          #expect(words == line.split(separator: " "))
        }
      }
    }
  }
}
