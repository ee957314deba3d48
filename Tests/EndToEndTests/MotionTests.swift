import Testing
import WidgetTestSupport

/// Motion on cards that keep their size, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct MotionTests {
  private func frames(_ terminal: PseudoTerminal) -> Int {
    String(decoding: terminal.screen.bytes, as: UTF8.self).ranges(of: "\u{1B}[?2026h").count
  }

  @Test(arguments: [
    (answer: 2, settings: "", glides: true), (0, "", false), (2, "motion: false, ", false),
  ])
  func `a bar glides where the terminal shows whole frames, and then nothing is drawn`(
    answer: Int,
    settings: String,
    glides: Bool
  ) throws {
    let world = try TestWorld()
    try world.script(
      "load.1h.sh",
      """
      # today: format=waybar
      read -r share <"$HOME/share"
      printf '{"text":"load %s","percentage":%s}\\n' "$share" "$share"
      """
    )
    try world.saveConfiguration(
      "{ \(settings)pages: [{ name: \"Home\", cards: [\"script.load\"] }] }"
    )
    try world.write("10\n", to: "\(world.path)/home/share")
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        environment: world.environment(term: "xterm-256color"),
        directory: world.path
      )
    )
    try terminal.waitForText("load 10")
    try terminal.wait(for: "the question for mode 2026") { screen in
      String(decoding: screen.bytes, as: UTF8.self).contains("\u{1B}[?2026$p")
    }
    try terminal.type("\u{1B}[?2026;\(answer)$y")
    // A key whose effect is seen, behind the answer.
    try terminal.type("?")
    try terminal.waitForText("Keys")
    try terminal.press(.escape)
    try terminal.wait(for: "the page") { !$0.contains("╭ Keys") }
    try terminal.settle()
    let before = frames(terminal)
    try world.write("90\n", to: "\(world.path)/home/share")
    try terminal.type("r")
    try terminal.waitForText("load 90")
    // Longer than from one frame to the next.
    try terminal.settle(calm: .milliseconds(250))
    #expect(glides ? frames(terminal) - before >= 3 : frames(terminal) == before)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
