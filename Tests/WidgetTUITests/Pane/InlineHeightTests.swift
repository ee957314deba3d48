import Testing

@testable import WidgetTUI

/// How many rows the page has below the prompt.
@Suite struct InlineHeightTests {
  @Test(arguments: [
    ("10", 24, 10), ("100", 24, 23), ("40%", 40, 16), ("100%", 24, 23), ("1%", 24, 1), ("5", 1, 1),
    ("5", 0, 1),
  ])
  func `it is in rows or in a part of the terminal, and leaves the row of the prompt`(
    text: String,
    terminal: Int,
    rows: Int
  ) throws {
    #expect(try #require(InlineHeight(text)).rows(of: terminal) == rows)
  }

  @Test(arguments: ["", "%", "0", "-3", "101%", "1.5", "ten", "99999999999999999999", "5 %"])
  func `what is neither is refused`(text: String) {
    #expect(InlineHeight(text) == nil)
  }

  @Test func `what follows the height is a page or a widget, and no command`() throws {
    for arguments in [["--height", "10"], ["--height=40%", "Weather"], ["--popup", "list"]] {
      #expect(try CommandParser.parse(arguments, environment: [:]) is DashboardCommand)
    }
    for arguments in [
      ["--height", "no"], ["--height"], ["--height", "3", "--popup"], ["Weather"],
    ] {
      #expect(throws: CommandError.self) {
        try CommandParser.parse(arguments, environment: [:])
      }
    }
  }
}
