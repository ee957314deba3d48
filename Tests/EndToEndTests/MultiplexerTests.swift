import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Windows of tmux and GNU screen, which are as before when the page has ended.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: !MultiplexerWindow.Kind.installed.isEmpty, "neither tmux nor screen is installed"),
  .timeLimit(.minutes(5))
)
struct MultiplexerTests {
  /// A way in which the page ends or leaves the window.
  enum Way: String, CaseIterable {
    case key, terminate, crash, kill, suspend
  }

  private static let rows = 50

  /// Fills the screen of the shell, and checks that it has scrolled over all rows.
  private func scroll(_ terminal: PseudoTerminal, to last: Int) throws {
    try terminal.type("clear; seq 1 \(last)\r")
    try terminal.wait(for: "lines in all rows") { screen in
      screen.rows.last == "ready>" && screen.rows.dropLast().last == "\(last)"
        && screen.rows.first == "\(last - Self.rows + 2)"
    }
  }

  private func leave(_ window: MultiplexerWindow, _ page: Int32, by way: Way) throws {
    switch way {
    case .key: try window.terminal.type("q")
    case .terminate: kill(page, SIGTERM)
    case .crash: kill(page, SIGSEGV)
    case .kill: kill(page, SIGKILL)
    case .suspend: try window.terminal.press(.controlZ)
    }
  }

  @Test(arguments: MultiplexerWindow.Kind.installed, Way.allCases)
  func `a window is as before and scrolls over all its rows`(
    kind: MultiplexerWindow.Kind,
    way: Way
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let command = Self.command(world.today())
    // The number of the shell's process is that of the program.
    try world.write("echo $$ > page.pid\nexec \(command)\n", to: "\(world.path)/page")
    let window = try MultiplexerWindow(kind, in: world, columns: 80, rows: Self.rows)
    defer { window.end() }
    let terminal = window.terminal
    // As every program does that hides the cursor and shows it again: screen then sets how it blinks.
    try terminal.type("tput civis; tput cnorm\r")
    try scroll(terminal, to: 120)
    let (state, outer) = (try #require(window.state), terminal.screen.state)

    try terminal.type("sh page\r")
    try terminal.wait(for: "the page in all rows") { screen in
      screen.contains("updates: 1") && screen.rows.last?.contains("quit") == true
    }
    let page = try #require(Self.number(in: "\(world.path)/page.pid"))
    try leave(window, page, by: way)
    if way == .kill {
      // The shell may write its prompt on the screen of the page, before that is taken back; Enter brings another one.
      try terminal.wait(for: "the screen of the shell") { !$0.contains("updates: 1") }
      try terminal.type("\r")
    }
    try terminal.wait(for: "the shell") { screen in
      screen.rows.last { !$0.isEmpty }?.hasPrefix("ready>") == true
    }
    try terminal.wait(for: "the state before: \(state)", until: { _ in window.state == state })

    try scroll(terminal, to: 300)
    #expect(window.state == state)
    #expect(terminal.screen.state == outer)
    // What is typed is shown.
    try terminal.type("kill -9 %1; echo back\r")
    try terminal.wait(for: "the echo") { $0.contains("; echo back") && $0.rows.contains("back") }
    window.end()
    #expect(world.processesLeft() == [])
  }

  @Test(
    arguments: MultiplexerWindow.Kind.installed,
    [(130, 30), (130, 24), (80, 40), (60, 20), (130, 12)]
  )
  func `nothing of the page stays in a window that was resized`(
    kind: MultiplexerWindow.Kind,
    size: (columns: Int, rows: Int)
  ) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let command = Self.command(world.today())
    try world.write("exec \(command)\n", to: "\(world.path)/page")
    for way in [Way.key, .suspend] {
      let window = try MultiplexerWindow(kind, in: world, columns: 80, rows: 24)
      defer { window.end() }
      let terminal = window.terminal
      try terminal.type("sh page\r")
      try terminal.wait(for: "the page in all rows") { screen in
        screen.contains("updates: 1") && screen.rows.last?.contains("quit") == true
      }
      try terminal.resize(columns: size.columns, rows: size.rows)
      try terminal.wait(for: "the page at the other size") { screen in
        screen.contains("updates: 1") && screen.rows.last?.contains("quit") == true
      }
      try leave(window, 0, by: way)
      try terminal.wait(for: "the shell") { screen in
        screen.rows.last { !$0.isEmpty }?.hasPrefix("ready>") == true
      }
      try terminal.type("kill -9 %1; echo back\r")
      try terminal.wait(for: "the echo") { $0.rows.contains("back") }
      #expect(!terminal.screen.contains("updates:"), "\(way) \(terminal.screen.text)")
      #expect(!terminal.screen.contains("╭"), "\(way) \(terminal.screen.text)")
    }
  }

  @Test(.enabled(if: MultiplexerWindow.Kind.installed.contains(.tmux)))
  func `nothing of an inline page is in the scrollback of a window that was cleared`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let command = Self.command(world.today(["--height", "12"]))
    let window = try MultiplexerWindow(.tmux, in: world, columns: 80, rows: 24)
    defer { window.end() }
    try world.write("clear\n\(command)\n", to: "\(world.path)/page")
    try window.terminal.type("sh page\r")
    try window.terminal.waitForText("updates: 1")
    try window.terminal.type("q")
    try window.terminal.wait(for: "the end of the page") { screen in
      screen.contains("ready>") && !screen.contains("updates: 1")
    }
    let lines = try #require(window.lines)
    #expect(lines.contains("ready>") && !lines.contains("╭"), "\(lines)")
  }

  @Test(
    .enabled(if: MultiplexerWindow.Kind.installed.contains(.screen)),
    arguments: [[], ["--height", "12"]]
  )
  func `Esc alone closes what is open in GNU screen`(options: [String]) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let command = Self.command(world.today(options))
    let window = try MultiplexerWindow(.screen, in: world, columns: 80, rows: 24)
    defer { window.end() }
    try world.write("\(command)\n", to: "\(world.path)/page")
    try window.terminal.type("sh page\r")
    try window.terminal.waitForText("updates: 1")
    try window.terminal.type(":")
    try window.terminal.waitForText("Commands")
    try window.terminal.press(.escape)
    try window.terminal.wait(for: "the page alone") { !$0.contains("Commands") }
    try window.terminal.type("q")
    try window.terminal.waitForText("ready>")
  }

  /// The line of a shell that runs a program.
  private static func command(_ program: ProgramDescription) -> String {
    ([program.path] + program.arguments).map { "'\($0)'" }.joined(separator: " ")
  }

  private static func number(in file: String) -> Int32? {
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    return text.flatMap { Int32($0.prefix(while: \.isNumber)) }
  }
}
