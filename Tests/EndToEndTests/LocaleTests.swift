import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Locales that are not there or have few characters, and characters that are younger than the C library.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct LocaleTests {
  private static let words = "café 日本 🫨 \u{31350} z"

  /// A world with a script that prints characters of several kinds.
  private func world() throws -> TestWorld {
    let world = try TestWorld(fixtures: [])
    let folder = "\(world.path)/config/today/scripts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write("#!/bin/sh\necho '\(Self.words)'\n", to: "\(folder)/words.sh")
    #expect(unsafe chmod("\(folder)/words.sh", 0o755) == 0)
    return world
  }

  private func program(
    _ arguments: [String] = [],
    term: String? = nil,
    _ variables: [String: String],
    in world: TestWorld
  ) -> ProgramDescription {
    ProgramDescription(
      BuiltProgram.path ?? "",
      arguments,
      environment: world.environment(term: term).merging(variables) { $1 },
      directory: world.path
    )
  }

  private func open(_ world: TestWorld, _ variables: [String: String] = [:]) throws
    -> PseudoTerminal
  {
    try PseudoTerminal(
      program(term: "xterm-256color", variables, in: world),
      columns: 80,
      rows: 40
    )
  }

  private func run(_ arguments: [String], in world: TestWorld) throws -> ProgramRun {
    try ProgramRun(program(arguments, ["LANG": "C"], in: world))
  }

  @Test(arguments: [
    ["LANG": "xx_YY.UTF-8"], ["LANG": "", "LC_CTYPE": "UTF-8"], ["LC_ALL": "xx_YY.utf8"],
  ])
  func `a page of a locale that is not installed is in UTF-8`(variables: [String: String]) throws {
    let world = try world()
    let terminal = try open(world, variables)
    try terminal.waitForText("café 日本")
    // libvterm may not know them either: what the terminal gets counts.
    try terminal.settle()
    let text = String(decoding: terminal.screen.bytes, as: UTF8.self)
    #expect(text.contains("🫨") && text.contains("\u{31350}") && !text.contains("\u{FFFD}"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a character that the C library does not know leaves nothing behind`() throws {
    let world = try world()
    let terminal = try open(world)
    try terminal.waitForText("café 日本")
    try terminal.settle()
    let path = "\(world.path)/config/today/scripts/words.sh"
    try world.write("#!/bin/sh\necho 'café 日本      plain'\n", to: path)
    try terminal.type("R")
    try terminal.waitForText("日本      plain")
    try terminal.settle()
    // Other cards change meanwhile.
    let rows = { terminal.screen.rows.filter { $0.contains("plain") } }
    let before = rows()
    try terminal.type("\u{0C}")
    try terminal.settle()
    #expect(rows() == before)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test(arguments: ["text", "ansi"])
  func `text is in ASCII in the locale C`(format: String) throws {
    let world = try world()
    for arguments in [
      ["snapshot", "--format", format], ["list"], ["doctor"], ["--help"], ["frobnicate"],
    ] {
      let run = try run(arguments, in: world)
      #expect((run.output + run.error).allSatisfy { $0 < 0x80 }, "\(arguments): \(run.outputText)")
    }
    let page = try run(["snapshot"], in: world)
    #expect(page.outputText.contains("| cafe ???? ?? ?? z"), "\(page.outputText)")
    let plain = try run(["snapshot", "--plain"], in: world)
    #expect(plain.outputText.contains("cafe ???? ?? ?? z"), "\(plain.outputText)")
  }

  @Test(arguments: ["json", "svg", "html"])
  func `formats that are UTF-8 by definition stay so`(format: String) throws {
    let world = try world()
    let run = try run(["snapshot", "--format", format], in: world)
    #expect(run.outputText.contains("café"), "\(run.outputText)")
  }

  @Test func `a folder whose name is not UTF-8 is refused, and no other one is made`() throws {
    let world = try TestWorld(fixtures: [])
    // A variable of another encoding, which no String can hold.
    let script =
      "XDG_STATE_HOME=$(printf '\(world.path)/s\\377') exec '\(BuiltProgram.path ?? "")' list"
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", script],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 66))
    #expect(run.errorText.contains("XDG_STATE_HOME is \(world.path)/s\\xFF, which is not UTF-8"))
    let names = try FileManager.default.contentsOfDirectory(atPath: world.path)
    #expect(!names.contains { $0.hasPrefix("s") && $0 != "state" }, "\(names)")
  }
}
