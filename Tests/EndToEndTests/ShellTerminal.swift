import Testing
import WidgetTestSupport

/// Checks that a terminal is as it was before the program: its settings, and everything that output can set.
func expectShellTerminal(
  _ terminal: PseudoTerminal,
  scrolls: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let screen = terminal.screen
  #expect(terminal.attributes == terminal.originalAttributes, sourceLocation: sourceLocation)
  #expect(!screen.isAlternate, sourceLocation: sourceLocation)
  #expect(screen.isCursorVisible, sourceLocation: sourceLocation)
  #expect(!screen.reportsMouse, sourceLocation: sourceLocation)
  #expect(screen.state == TerminalState(), sourceLocation: sourceLocation)
  #expect(screen.cursor.column == 0, sourceLocation: sourceLocation)
  guard scrolls else { return }
  // As many lines as no screen has: the last one is in the last row, and those before it are above it.
  let count = screen.lineCount + 300
  for number in 0..<count { screen.write(Array("\r\nline \(number)".utf8)) }
  #expect(screen.rows.last == "line \(count - 1)", sourceLocation: sourceLocation)
  #expect(screen.rows.first == "line \(count - screen.lineCount)", sourceLocation: sourceLocation)
}
