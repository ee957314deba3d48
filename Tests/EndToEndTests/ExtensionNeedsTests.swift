import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Extensions that need something before content is offered to them.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ExtensionNeedsTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
  }

  private func program(_ name: String) throws {
    let folder = "\(world.path)/tools"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write("#!/bin/sh\ncat\n", to: "\(folder)/\(name)")
    #expect(unsafe chmod("\(folder)/\(name)", 0o755) == 0)
  }

  /// Runs a command line of a shell in the folder of the world; `$today` is the program.
  private func shell(_ line: String, term: String? = nil) throws -> ProgramRun {
    var environment = world.environment(term: term)
    environment["PATH"] = "\(world.path)/tools:/usr/bin:/bin"
    environment["today"] = BuiltProgram.path
    return try ProgramRun(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path)
    )
  }

  /// The lines about a script.
  private func lines(of name: String, _ arguments: String = "") throws -> [Substring] {
    let run = try shell("printf a | \"$today\" extensions \(arguments)")
    return run.outputText.split(separator: "\n").filter { $0.contains(" script.\(name)") }
  }

  @Test func `Ask is offered only where llm, ollama or an address is there`() throws {
    let reason = "it needs llm, ollama or a value of its option address"
    for content in ["", "-"] {
      #expect(try lines(of: "ask", content).isEmpty)
      #expect(try lines(of: "ask", "\(content) --why").first?.hasSuffix(reason) == true)
    }
    try program("ollama")
    #expect(try lines(of: "ask", "-").count == 1)
    #expect(try lines(of: "ask", "- --why").first?.contains("it needs") == false)
  }

  @Test func `an option counts with its default, and with what the command gives`() throws {
    let line = "# today: share accepts=public.text requires=option:address"
    try world.script("one.sh", "\(line)\n# today: option name=address default=\ncat")
    try world.script("two.sh", "\(line)\n# today: option name=address default=http://a\ncat")
    #expect(try lines(of: "one", "-").isEmpty)
    #expect(try lines(of: "two", "-").count == 1)
    try world.replaceBundledExtensions()
    try world.write("a", to: "\(world.path)/note.txt")
    var environment = world.environment()
    environment["today"] = BuiltProgram.path
    for (option, isThere) in [("", false), ("--option address=http://b", true)] {
      let terminal = try PseudoTerminal(
        ProgramDescription(
          "/bin/sh",
          ["-c", "\"$today\" share \(option) note.txt"],
          environment: environment,
          directory: world.path
        )
      )
      try terminal.waitForText("two")
      #expect(terminal.screen.contains("one ") == isThere, "\(terminal.screen.text)")
      try terminal.press(.escape)
      try terminal.waitForEnd()
    }
  }

  @Test func `all that is needed must be there, and a file counts as it is named`() throws {
    try world.script("all.sh", "# today: action accepts=public.text requires='sh, ~/.key'\ncat")
    #expect(try lines(of: "all", "- --why").first?.hasSuffix("it needs ~/.key") == true)
    try world.write("", to: "\(world.path)/home/.key")
    #expect(try lines(of: "all", "-").count == 1)
    // Whoever names it can use it all the same.
    try world.script("none.sh", "# today: action accepts=public.text requires=no-such-tool\ncat")
    #expect(try shell("printf a | \"$today\" act --with none").outputText == "a")
  }

  @Test func `a bundle needs the usual programs, and values of its settings`() throws {
    let folder = "\(world.path)/bundles/Keep.appex"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write("#!/bin/sh\n", to: "\(folder)/keep")
    #expect(unsafe chmod("\(folder)/keep", 0o755) == 0)
    func reason(_ requires: String, _ setting: String) throws -> String? {
      try world.write(
        """
        { CFBundleIdentifier = "com.example.Keep"; CFBundleExecutable = keep;
          NSExtension = { NSExtensionPointIdentifier = "com.apple.share-services"; NSExtensionAttributes = {
            NSExtensionActivationRule = { NSExtensionActivationSupportsText = YES; };
            TodayRequires = "\(requires)";
            TodaySettings = ( { name = server; title = Server; type = string; \(setting) } ); }; }; }
        """,
        to: "\(folder)/Info.plist"
      )
      let run = try shell("\"$today\" extensions --why --json --widgets bundles")
      struct Row: Decodable {
        var identifier: String
        var reason: String?
      }
      let rows = try JSONDecoder().decode([Row].self, from: Data(run.output))
      return try #require(rows.first { $0.identifier == "com.example.Keep" }).reason
    }
    try program("ours")
    #expect(try reason("sh", "") == nil)
    #expect(try reason("ours", "") == "it needs ours")
    #expect(try reason("option:server", "") == "it needs a value of its option server")
    #expect(try reason("option:server", "default = a;") == nil)
  }
}
