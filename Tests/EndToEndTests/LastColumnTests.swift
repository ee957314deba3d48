import Testing
import WidgetTestSupport

/// Wide characters at the right edge of the screen.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct LastColumnTests {
  @Test(arguments: [14, 15])
  func `a wide character in the last column moves nothing else`(columns: Int) throws {
    let world = try TestWorld(fixtures: ["Wide"])
    // So narrow a screen has no borders.
    let terminal = try world.openDashboard(columns: columns, rows: 12)
    try terminal.wait(for: "the picture without margins") { screen in
      screen.rows.contains { $0.hasPrefix("x京") } && screen.contains("the end")
    }
    try terminal.settle()
    for _ in 0..<2 {
      let rows = terminal.screen.rows
      let row = try #require(rows.firstIndex { $0.contains("東") })
      #expect(rows[row + 1].hasPrefix("x京") && rows[row + 2] == "the end", "\(rows)")
      #expect(rows[row].count(where: { $0 == "東" }) >= 6, "\(rows)")
      #expect(rows.first?.hasPrefix(" Today") == true)
      // Drawn again as a whole, and after another size, it is the same.
      try terminal.type("\u{0C}")
      try terminal.settle()
      #expect(terminal.screen.rows == rows)
    }
    try terminal.resize(columns: columns - 1, rows: 12)
    try terminal.wait(for: "the other size") { screen in
      screen.rows.contains { $0.hasPrefix("x京") } && screen.contains("the end")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
