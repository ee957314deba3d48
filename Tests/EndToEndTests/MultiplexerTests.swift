import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// A tmux whose windows are as before when the page has ended.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: access("/usr/bin/tmux", X_OK) == 0, "tmux is not installed"),
  .timeLimit(.minutes(2))
)
struct MultiplexerTests {
  /// What tmux tells of a window.
  private static let state =
    "#{scroll_region_upper} #{scroll_region_lower} #{pane_height} #{cursor_flag} #{keypad_flag} "
    + "#{keypad_cursor_flag} #{mouse_any_flag} #{mouse_sgr_flag} #{wrap_flag} #{insert_flag} "
    + "#{origin_flag} #{alternate_on} #{pane_title}"

  private func tmux(_ world: TestWorld, _ arguments: [String]) throws -> String {
    let program = ProgramDescription(
      "/usr/bin/tmux",
      ["-S", "\(world.path)/tmux", "-f", "/dev/null"] + arguments,
      environment: world.environment().merging(["PS1": "ready> "]) { $1 },
      directory: world.path
    )
    return try ProgramRun(program).outputText
  }

  @Test(arguments: [SIGTERM, SIGSEGV, SIGKILL, 0])
  func `a window of tmux is as before`(signal: Int32) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let program = world.today()
    let command = ([program.path] + program.arguments).map { "'\($0)'" }.joined(separator: " ")
    try world.write("\(command)\n", to: "\(world.path)/page")
    let size = ["-x", "80", "-y", "40"]
    _ = try tmux(world, ["new-session", "-d"] + size + ["/bin/sh"])
    defer { _ = try? tmux(world, ["kill-server"]) }
    let state = { try tmux(world, ["display", "-p", Self.state]) }
    let page = { try tmux(world, ["capture-pane", "-p"]) }
    func wait(_ condition: () throws -> Bool) throws {
      let deadline = TestDeadline.next
      while try !condition(), .now < deadline {}
      #expect(try condition())
    }
    try wait { try page().contains("ready>") }
    let before = try state()
    _ = try tmux(world, ["send-keys", "sh page", "Enter"])
    try wait { try page().contains("updates: 1") }
    if signal == 0 {
      _ = try tmux(world, ["send-keys", "q"])
    } else {
      let found = ProcessList.entries(naming: world.widgets).filter {
        $0.commandLine.hasPrefix(program.path)
      }
      kill(try #require(found.map(\.pid).min()), signal)
    }
    try wait { try state() == before }
  }
}
