import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// What cards showed earlier, by keys and on the command line.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct LookBackTests {
  /// A script that has shown three contents.
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    try world.script("load.1h.sh", "cat \"$HOME/words\"")
    try world.saveConfiguration("{ pages: [{ name: \"Home\", cards: [\"script.load\"] }] }")
    for number in ["10", "20", "30"] {
      try world.write("load \(number) of 80\n", to: "\(world.path)/home/words")
      let run = try world.installed(["snapshot", "script.load"])
      #expect(run.outputText.contains("load \(number) of 80"))
      try letAMinutePass(world)
    }
    try world.write("load 40 of 80\n", to: "\(world.path)/home/words")
    return world
  }

  /// Makes the stored contents two minutes older, after which the next one is kept.
  private func letAMinutePass(_ world: TestWorld) throws {
    let folder = "\(world.path)/cache/today/snapshots/script.load"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".past") }
    )
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec -= 120
    unsafe [time, time].withUnsafeBufferPointer { times in
      #expect(unsafe utimensat(AT_FDCWD, "\(folder)/\(name)", times.baseAddress, 0) == 0)
    }
  }

  @Test func `keys go back through a card, and return to the present`() throws {
    let world = try world()
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "",
        environment: world.environment(term: "xterm-256color"),
        directory: world.path
      )
    )
    try terminal.waitForText("load 40 of 80")
    try terminal.type("<")
    try terminal.waitForText("load 30 of 80")
    try terminal.waitForText("3 of")
    try terminal.type("<<")
    try terminal.waitForText("load 10 of 80")
    try terminal.type("<")
    try terminal.waitForText("Nothing older is kept.")
    try terminal.type(">")
    try terminal.waitForText("load 20 of 80")
    try terminal.waitForText("earlier content")
    try terminal.press(.escape)
    try terminal.wait(for: "the present") {
      $0.contains("load 40 of 80") && !$0.contains("earlier content")
    }
    try terminal.type("<")
    try terminal.waitForText("load 30 of 80")
    try terminal.type(".")
    try terminal.waitForText("load 40 of 80")
    try terminal.type("{")
    try terminal.waitForText("load 30 of 80")
    try terminal.type("}")
    try terminal.waitForText("This is the present content.")
    try terminal.waitForText("load 40 of 80")
    try terminal.type(":23h")
    try terminal.waitForText("Look back to ")
    try terminal.press(.enter)
    try terminal.waitForText("Nothing is kept from then.")
    try terminal.type(".")
    try terminal.waitForText("load 40 of 80")
    // A locked page tells nothing.
    try terminal.type("L<")
    try terminal.waitForText("The page is locked.")
    #expect(!terminal.screen.text.contains("of 80"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `snapshot --at prints what was shown, and says what is not kept`() throws {
    let world = try world()
    // The shortest time that can be given must have passed since the first content.
    let deadline = ContinuousClock.now + .seconds(20)
    var last = try world.installed(["snapshot", "--at", "1s", "script.load"])
    while last.status != .exited(code: 0), ContinuousClock.now < deadline {
      last = try world.installed(["snapshot", "--at", "1s", "script.load"])
    }
    #expect(last.status == .exited(code: 0), "\(last.errorText)")
    // Nothing was started.
    #expect(last.outputText.contains("load ") && !last.outputText.contains("load 40"))
    let before = try world.installed(["snapshot", "--at", "23h", "script.load"])
    #expect(before.status == .exited(code: 1))
    #expect(before.outputText.contains("Nothing is kept from then."))
    #expect(before.errorText == "today: script.load: nothing is kept from then\n")
    let odd = try world.installed(["snapshot", "--at", "yesterday"])
    #expect(odd.status == .exited(code: 64))
    #expect(odd.errorText.hasPrefix("today: --at yesterday: expected a time of the last day"))
  }
}
