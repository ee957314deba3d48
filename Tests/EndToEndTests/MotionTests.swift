import Testing
import WidgetTestSupport

/// Motion on cards that keep their size, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct MotionTests {
  private func frames(_ terminal: PseudoTerminal) -> Int {
    String(decoding: terminal.screen.bytes, as: UTF8.self).ranges(of: "\u{1B}[?2026h").count
  }

  private func open(_ world: TestWorld, columns: Int = 80) throws -> PseudoTerminal {
    try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        environment: world.environment(term: "xterm-256color"),
        directory: world.path
      ),
      columns: columns
    )
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
    let terminal = try open(world)
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

  @Test func `rows that move down are moved in a way that every terminal knows`() throws {
    let world = try TestWorld()
    try world.script("upper.1h.sh", "cat \"$HOME/upper\"")
    try world.script(
      "lower.1h.sh",
      "for n in a b c d e f; do echo \"$n: $(printf %040d 0 | tr 0 $n)\"; done"
    )
    try world.saveConfiguration(
      "{ motion: false, pages: [{ name: \"Home\", cards: [\"script.upper\", \"script.lower\"] }] }"
    )
    try world.write("one\n", to: "\(world.path)/home/upper")
    let terminal = try open(world, columns: 60)
    try terminal.waitForText("f: ffff")
    let before = terminal.screen.bytes.count
    try world.write("one\ntwo\nthree\n", to: "\(world.path)/home/upper")
    try terminal.type("r")
    try terminal.wait(for: "the larger card") {
      $0.contains("three") && $0.contains("f: ffff")
    }
    try terminal.settle()
    let ends = TerminalOutput.parse(Array(terminal.screen.bytes.dropFirst(before))).compactMap {
      if case .csi(_, let final) = $0 { final } else { nil }
    }
    #expect(ends.contains("L") && !ends.contains { "STb".contains($0) })
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
