import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Settings in config.json, in every command that reads them.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(2)))
struct SettingsTests {
  private let good = "com.example.fixture.good"

  private func path(_ world: TestWorld) -> String { "\(world.path)/config/today/config.json" }

  /// Saves the file as an editor does: written beside it, and renamed.
  private func save(_ text: String, in world: TestWorld) throws {
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/config/today",
      withIntermediateDirectories: true
    )
    try world.write(text, to: path(world) + "~")
    #expect(rename(path(world) + "~", path(world)) == 0)
  }

  @Test func `every command reports an error in the same words, and goes on`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    try save("{\n  limits: { urlBytes: 'x', widgets: 9 },\n}", in: world)
    let words =
      "today: \(path(world)):2:23: limits.urlBytes: expected a whole number from 64 to 65536, "
      + "found 'x'\n"
    for arguments in [
      ["list"], ["list", "--json"], ["snapshot"], ["snapshot", "--cached"], ["refresh"],
      ["refresh", "--due"], ["add", good], ["move", good, "1"], ["reload", good],
      ["has-content", good, "on"], ["log", "Good"], ["remove", good],
    ] {
      let run = try world.run(arguments)
      #expect(run.errorText.ranges(of: words).count == 1, "\(arguments): \(run.errorText)")
      #expect(run.status == .exited(code: 0), "\(arguments): \(run.errorText)")
    }
    let opened = try world.run(["open", "x-nothing:1"])
    #expect(opened.errorText.hasPrefix(words) && opened.status == .exited(code: 1))
  }

  @Test func `a command of the user opens URLs of its scheme`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    // A pipe, so that the test can wait for what the command writes.
    let pipe = "\(world.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try save("{ openers: { 'x-mine': ['sh', '-c', 'echo $1 > \(pipe)', 'sh'] } }", in: world)
    let run = try world.run(["open", "x-mine:some/where"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    var waiting = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, Int32(TestDeadline.duration / .milliseconds(1))) == 1)
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "x-mine:some/where\n")
  }
}
