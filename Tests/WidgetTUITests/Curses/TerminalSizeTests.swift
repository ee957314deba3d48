import Testing
import WidgetKitCore

@testable import WidgetTUI

/// Terminals of sizes and types that no program expects.
struct TerminalSizeTests {
  @Test(arguments: [
    (80, 24, 80, 24), (1, 1, 1, 1), (40_000, 5, 2_000, 5), (80, 65_535, 80, 2_000),
    (65_535, 65_535, 2_000, 500), (Int.max, Int.max, 2_000, 500),
  ])
  func `of a terminal of any size a bounded part is drawn on`(
    columns: Int,
    rows: Int,
    drawnColumns: Int,
    drawnRows: Int
  ) {
    #expect(
      TerminalSize.drawable(columns: columns, rows: rows)
        == Size(columns: drawnColumns, rows: drawnRows)
    )
    #expect(TerminalSize.drawable(columns: 0, rows: rows) == nil)
    #expect(TerminalSize.drawable(columns: columns, rows: -1) == nil)
  }

  @Test(arguments: [
    ("xterm-kitty", "kitty-terminfo"), ("foot-direct", "foot-terminfo"),
    ("alacritty", "ncurses-term"), ("xterm-ghostty", ""), ("wezterm", ""), ("", ""),
  ])
  func `advice for an unknown terminal names a type that every system has`(
    name: String,
    package: String
  ) {
    let remedy = TerminalAdvice.remedy(forUnknown: name)
    #expect(remedy.contains("TERM=xterm-256color today"))
    #expect(package.isEmpty ? !remedy.contains("install") : remedy.contains("install \(package),"))
  }
}
