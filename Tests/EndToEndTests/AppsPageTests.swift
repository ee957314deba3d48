import FoundationEssentials
import Testing
import WidgetTestSupport

/// The example of Docs/Apps.md: its files and its commands, as a reader copies them.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct AppsPageTests {
  /// A block of the page, with the path of the file that it is, if it is one.
  private struct Block {
    var path: String?
    var language: Substring
    var text: String
  }

  private static func blocks() throws -> [Block] {
    let page = BuiltTool.package.appending(path: "Docs/Apps.md")
    let lines = String(decoding: try Data(contentsOf: page), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var blocks: [Block] = []
    var open: Block?
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```"), let block = open {
        blocks.append(block)
        open = nil
      } else if line.hasPrefix("```") {
        let before = number > 0 ? lines[number - 1] : ""
        let isFile = before.hasPrefix("`") && before.hasSuffix("`:")
        let path = isFile ? String(before.dropFirst().dropLast(2)) : nil
        open = Block(path: path, language: line.dropFirst(3), text: "")
      } else {
        open?.text += line + "\n"
      }
    }
    return blocks
  }

  /// A world with the files of the page in a folder, and the program in PATH.
  private func world() throws -> TestWorld {
    let world = try TestWorld()
    for block in try Self.blocks() {
      guard let path = block.path else { continue }
      let file = URL(filePath: "\(world.path)/src/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(block.text.utf8).write(to: file)
    }
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/bin",
      withIntermediateDirectories: true
    )
    try FileManager.default.createSymbolicLink(
      atPath: "\(world.path)/bin/today",
      withDestinationPath: try #require(BuiltProgram.path)
    )
    return world
  }

  private func run(_ script: String, _ world: TestWorld) throws -> ProgramRun {
    var environment = world.environment(term: nil)
    environment["PATH"] = "\(world.path)/bin:/usr/local/bin:/usr/bin:/bin"
    // A new user has none of these; then the folders are below the home folder.
    for name in ["CONFIG", "STATE", "CACHE", "DATA"] { environment["XDG_\(name)_HOME"] = nil }
    return try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", "set -e\n\(script)"],
        environment: environment,
        directory: "\(world.path)/src"
      ),
      patience: 3
    )
  }

  @Test func `the files and commands of the page work as they are`() throws {
    let world = try world()
    let commands = try Self.blocks().filter { $0.language == "sh" && $0.path == nil }
    try #require(commands.count == 4)
    let script = commands.map(\.text).joined(separator: "echo ----\n")
    let result = try run(script, world)
    #expect(result.status == .exited(code: 0), "\(result.outputText)\(result.errorText)")
    let parts = result.outputText.components(separatedBy: "----\n")
    try #require(parts.count == 4, "\(result.outputText)")
    #expect(!parts[0].contains("not ok"))
    #expect(parts[0].contains("App com.example.TimeSheet"))
    for text in ["Writing the report", "[ Stop ]", "Running for 0 minutes. Still at it?"] {
      #expect(parts[1].contains(text), "\(parts[1])")
    }
    #expect(parts[3].contains(",Writing the report,0\n"), "\(parts[3])")
    #expect(parts[3].contains("\"Writing the report\" : 0"), "\(parts[3])")
  }

  @Test func `the card that the page shows is the one that is printed`() throws {
    let world = try world()
    let blocks = try Self.blocks()
    let card = try #require(blocks.first { $0.text.hasPrefix("╭ Time Sheet") }).text
    let commands = blocks.filter { $0.language == "sh" && $0.path == nil }.prefix(2)
    let result = try run(commands.map(\.text).joined(separator: "echo ----\n"), world)
    let printed = try #require(result.outputText.components(separatedBy: "----\n").last)
    // The time that has passed is the only difference.
    func words(_ text: String) -> [Substring] {
      text.split { " \n─".contains($0) }.filter { !$0.contains(":") && $0 != "now" }
    }
    #expect(words(printed) == words(card), "\(printed)\(result.errorText)")
  }

  @Test func `the dashboard shows what the app does at once, and a press stops it`() throws {
    let world = try world()
    let commands = try Self.blocks().filter { $0.language == "sh" && $0.path == nil }
    #expect(try run(commands[0].text, world).status == .exited(code: 0))
    var environment = world.environment()
    environment["PATH"] = "\(world.path)/bin:/usr/local/bin:/usr/bin:/bin"
    for name in ["CONFIG", "STATE", "CACHE", "DATA"] { environment["XDG_\(name)_HOME"] = nil }
    let terminal = try PseudoTerminal(
      ProgramDescription(BuiltProgram.path ?? "", [], environment: environment),
      columns: 120,
      rows: 60
    )
    try terminal.waitForText("Nothing is recorded")
    let app = "$HOME/.local/share/today/widgets/TimeSheet.app/timesheet"
    #expect(try run("\(app) start Reading", world).status == .exited(code: 0))
    try terminal.waitForText("Reading")
    try terminal.settle(calm: .milliseconds(300))
    // Cards above may still get their first content, and the button may go on before the click arrives.
    for _ in 0..<5 where terminal.screen.contains("[ Stop ]") {
      try terminal.click("[ Stop ]")
      try terminal.settle(calm: .milliseconds(600))
    }
    try terminal.waitForText("0 min")
    try terminal.waitForText("Nothing is recorded")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
