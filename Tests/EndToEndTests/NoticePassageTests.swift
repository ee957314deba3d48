import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Notices on their way to the terminal of a person: through a tmux, and over ssh.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct NoticePassageTests {
  private func text(of screen: TestScreen) -> String {
    String(decoding: screen.bytes, as: UTF8.self)
  }

  /// The command of a shell for the program with arguments.
  private func line(_ world: TestWorld, _ arguments: [String]) -> String {
    let program = world.today(arguments)
    return ([program.path] + program.arguments).map { "'\($0)'" }.joined(separator: " ")
  }

  /// The variables of a terminal with the name of foot, whose description is that of another one.
  private func foot(_ world: TestWorld) throws -> [String: String] {
    let folder = "\(world.path)/terminfo"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/f",
      withIntermediateDirectories: true
    )
    let descriptions = ["/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo"].map {
      "\($0)/x/xterm-256color"
    }
    let description = descriptions.first(where: FileManager.default.fileExists)
    try FileManager.default.copyItem(
      atPath: try #require(description),
      toPath: "\(folder)/f/foot"
    )
    return ["TERM": "foot", "TERMINFO_DIRS": "\(folder):"]
  }

  private static let hasTmux = MultiplexerWindow.Kind.installed.contains(.tmux)

  @Test(.enabled(if: hasTmux, "tmux is not installed"), arguments: [true, false])
  func `a post within tmux gets to the terminal of its client if tmux passes it on`(
    passes: Bool
  ) throws {
    let world = try TestWorld()
    let desktop = try DesktopStandIn(world)
    try desktop.set("exit 1")
    let window = try MultiplexerWindow(
      .tmux,
      in: world,
      columns: 100,
      rows: 30,
      variables: desktop.variables.merging(try foot(world)) { $1 },
      settings: "set -g allow-passthrough \(passes ? "on" : "off")\n"
    )
    defer { window.end() }
    let terminal = window.terminal
    try world.write(
      line(world, ["post", "Done", "--app", "make"]) + "\n",
      to: "\(world.path)/post"
    )
    try terminal.type("sh post\r")
    let sequence = "\u{1B}]777;notify;make;Done\u{1B}\\"
    if passes {
      try terminal.wait(for: "the sequence") { text(of: $0).contains(sequence) }
      #expect(desktop.calls == [])
    } else {
      try terminal.wait(for: "the bell") { text(of: $0).contains("\u{7}") }
      #expect(desktop.calls.count == 1 && !text(of: terminal.screen).contains("777"))
    }
    try world.write(line(world, ["doctor"]) + "\n", to: "\(world.path)/doctor")
    try terminal.type("clear; sh doctor\r")
    let words =
      passes ? "the terminal of tmux shows them (OSC 777)" : "tmux does not pass them on"
    try terminal.waitForText(words)
  }

  @Test(.enabled(if: hasTmux, "tmux is not installed"))
  func `a page in a window of tmux tells through it`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let desktop = try DesktopStandIn(world)
    let window = try MultiplexerWindow(
      .tmux,
      in: world,
      columns: 100,
      rows: 30,
      variables: desktop.variables.merging(try foot(world)) { $1 },
      settings: "set -g allow-passthrough on\nset -g focus-events on\n"
    )
    defer { window.end() }
    let terminal = window.terminal
    try world.write("exec \(line(world, []))\n", to: "\(world.path)/page")
    try terminal.type("sh page\r")
    try terminal.waitForText("All is well")
    try terminal.type("\u{1B}[O")
    let folder = "\(world.path)/state/today/notices/pages"
    try terminal.wait(for: "a page without the focus") { (_: TestScreen) in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.contains { name in
        (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))?.hasPrefix("1 u")
          == true
      }
    }
    #expect(try world.run(["post", "Done", "--app", "make"]).outputText == "1\n")
    try terminal.wait(for: "the sequence") {
      text(of: $0).contains("\u{1B}]777;notify;make;Done\u{1B}\\")
    }
    #expect(desktop.calls == [])
    try terminal.type("q")
    try terminal.waitForText("ready>")
  }

  @Test(
    .enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"),
    arguments: [("xterm-kitty", "\u{1B}]99;i=today-1:"), ("xterm-256color", "\u{7}")]
  )
  func `a post over ssh gets to the terminal of the person`(term: String, sequence: String) throws {
    let world = try TestWorld()
    let server = try SecureShellServer()
    let bin = try server.makeClient()
    // A session over ssh has a runtime folder, and no program that shows notifications.
    let command = "today post Done --app make; read x"
    let terminal = try PseudoTerminal(
      ProgramDescription(
        "\(bin)/ssh",
        ["-tt", "there", command],
        environment: world.environment(term: term),
        directory: world.path
      )
    )
    try terminal.wait(for: "the sequence") { text(of: $0).contains(sequence) }
    try terminal.type("\r")
    try terminal.waitForEnd()
    let list = try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "",
        ["notices", "--waiting"],
        environment: server.there.environment(term: nil)
      )
    )
    #expect(list.outputText.contains("Done"), "\(list.errorText)")
    server.stop()
  }
}
