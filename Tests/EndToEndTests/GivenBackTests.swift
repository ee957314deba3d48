import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// At every size and by every way out, the whole state of the terminal is as before.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct GivenBackTests {
  /// A way in which the program ends or leaves the terminal.
  enum Way: String, CaseIterable {
    case key, terminate, hangUp, crash, kill, suspend
  }

  private func openPage(
    _ world: TestWorld,
    rows: Int,
    term: String = "xterm-256color",
    variables: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try world.openDashboard(
      columns: 80,
      rows: rows,
      term: term,
      variables: variables
    )
    try terminal.waitForText("updates: 1")
    return terminal
  }

  private func leave(_ terminal: PseudoTerminal, by way: Way) throws {
    switch way {
    case .key: try terminal.type("q")
    case .terminate: terminal.signal(SIGTERM)
    case .hangUp: terminal.signal(SIGHUP)
    case .crash: terminal.signal(SIGSEGV)
    case .kill: terminal.signal(SIGKILL)
    case .suspend: try terminal.press(.controlZ)
    }
    if way == .suspend {
      try terminal.wait(for: "the stop", status: { if case .stopped = $0 { true } else { false } })
    } else {
      try terminal.waitForEnd()
    }
    try terminal.wait(for: "the terminal") { (_: ProgramStatus) in
      terminal.attributes == terminal.originalAttributes && !terminal.screen.isAlternate
    }
    try terminal.settle()
  }

  @Test(arguments: [12, 24, 30, 50, 200], Way.allCases)
  func `the terminal is as before and scrolls over all its rows`(rows: Int, way: Way) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try openPage(world, rows: rows)
    try leave(terminal, by: way)
    try expectShellTerminal(terminal, scrolls: true)
  }

  @Test(arguments: [(24, 50), (50, 24), (30, 200)], [Way.key, .kill, .suspend])
  func `a terminal of another size than at the start is as before`(
    sizes: (Int, Int),
    way: Way
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let terminal = try openPage(world, rows: sizes.0)
    try terminal.resize(columns: 70, rows: sizes.1)
    // Without waiting for the picture in the new size.
    try leave(terminal, by: way)
    try expectShellTerminal(terminal, scrolls: true)
  }

  @Test(arguments: [
    "xterm-256color", "xterm", "tmux-256color", "screen-256color", "alacritty", "rxvt-unicode",
    "konsole", "st-256color", "linux", "vt100",
  ])
  func `no terminal type leaves anything set`(term: String) throws {
    for way in [Way.key, .crash] {
      let world = try TestWorld(fixtures: ["Good"])
      let terminal = try world.openDashboard(columns: 80, rows: 50, term: term)
      try terminal.wait(for: "a page") { $0.contains("updates: 1") }
      try leave(terminal, by: way)
      let state = terminal.screen.state
      #expect(state == TerminalState(), "\(term) after \(way)")
      // The prompt is below what is left of the page, if there is no other screen.
      #expect(terminal.screen.cursor.column == 0)
    }
  }

  @Test func `margins are never narrower than the terminal, whatever LINES says`() throws {
    for variables in [["LINES": "10", "COLUMNS": "40"], ["LINES": "100000"], ["LINES": "-3"]] {
      let world = try TestWorld(fixtures: ["Good"])
      let terminal = try openPage(world, rows: 50, variables: variables)
      // The whole height, which ncurses sets when it has moved rows.
      #expect(terminal.screen.state.margins["r"] ?? "1;50" == "1;50")
      #expect(terminal.screen.rows.last?.contains("quit") == true)
      try leave(terminal, by: .key)
      try expectShellTerminal(terminal, scrolls: true)
    }
  }
}
