import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// The lines of `today hook` in a shell within tmux, which knows the focus.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: MultiplexerWindow.Kind.installed.contains(.tmux), "tmux is not installed"),
  .timeLimit(.minutes(5))
)
struct FocusedCommandTests {
  private func notices(_ world: TestWorld) throws -> String {
    try world.run(["notices", "--json"]).outputText
  }

  @Test func `a command whose pane had the focus all the time is not told, any other is`() throws {
    let world = try TestWorld()
    let settings = "\(world.path)/config/today"
    try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
    try world.write("{ notices: { hookSeconds: 3 } }", to: "\(settings)/config.json")
    try world.write(try world.run(["hook", "bash"]).outputText, to: "\(world.path)/hook")
    let window = try MultiplexerWindow(
      .tmux,
      in: world,
      columns: 100,
      rows: 30,
      settings: "set -g focus-events on\nset -as terminal-features ',*:focus'\n"
    )
    let terminal = window.terminal
    try terminal.type(". ./hook; HISTCONTROL=ignorespace; echo is \"ready\"\r")
    try terminal.waitForText("is ready")
    // The times of tmux are whole seconds, and the key that starts the command is an activity.
    try terminal.type("sleep 4; echo seen by \"a person\"\r")
    try terminal.waitForText("seen by a person")
    // A key before tmux was asked would be an activity.
    try terminal.settle(calm: .seconds(1))
    try terminal.type("sleep 4; echo not \"seen\"\r")
    try terminal.wait(for: "the command") { $0.contains("echo not \"seen\"") }
    try terminal.type("\u{1B}[O")
    try terminal.waitForText("not seen")
    try terminal.wait(for: "the notice") { (_: TestScreen) in
      (try? notices(world))?.contains("\"id\":") == true
    }
    let list = try notices(world)
    #expect(list.ranges(of: "\"id\":").count == 1 && list.contains("not \\\"seen"), "\(list)")
    terminal.hangUp()
  }
}
