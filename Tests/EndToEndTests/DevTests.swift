import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today dev`: a widget alone, what is exchanged with it, and its next version.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct DevTests {
  /// Makes a widget in Python from its template, and shows it.
  private func open(
    in world: TestWorld,
    _ options: [String] = [],
    folder: String? = nil,
    columns: Int = 110
  ) throws -> PseudoTerminal {
    let environment = world.environment()
    let folder = folder ?? world.path
    func program(_ arguments: [String]) -> ProgramDescription {
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        arguments,
        environment: environment,
        directory: folder
      )
    }
    if !FileManager.default.fileExists(atPath: "\(folder)/Cups.widget") {
      _ = try ProgramRun(program(["new", "Cups", "--language", "python"]))
    }
    let terminal = try PseudoTerminal(
      program(["dev", "Cups.widget"] + options),
      columns: columns,
      rows: 30
    )
    try terminal.waitForText("→ widgetPerformUpdate")
    try terminal.waitForText("0 of 6 cups")
    try terminal.settle()
    return terminal
  }

  private func change(_ world: TestWorld, _ old: String, _ new: String) throws {
    let path = "\(world.path)/Cups.widget/cups"
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    try #require(text.contains(old))
    // As editors save: a new file in the place of the old one.
    try world.write(text.replacing(old, with: new), to: "\(path).new")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(path).new")
    try #require(rename("\(path).new", path) == 0)
  }

  private func send(_ key: String, _ terminal: PseudoTerminal) throws {
    try terminal.type("\u{4}")
    try terminal.type(key)
  }

  @Test func `the messages are beside the page, and keys send what happens on one`() throws {
    let world = try TestWorld()
    let terminal = try open(in: world)
    try terminal.waitForText("→ widgetPerformUpdate {\"reason\":\"appear\"}")
    try terminal.type("\u{4}")
    try terminal.type("?")
    try terminal.waitForText("memory warning")
    try terminal.type("u")
    try terminal.waitForText("→ widgetPerformUpdate {\"reason\":\"user\"}")
    try send("e", terminal)
    try terminal.waitForText("→ widgetActiveDisplayModeDidChange")
    try send("d", terminal)
    try terminal.waitForText("disappear")
    try send("a", terminal)
    try terminal.wait(for: "the second appearance") { screen in
      screen.rows.count { $0.contains("→ viewWillAppear") } == 2
    }
    try send("n", terminal)
    try terminal.waitForText("no app group")
    try send("h", terminal)
    try terminal.waitForText("clock + 1 h 0 min")
    try send("w", terminal)
    try terminal.waitForText("dev: 80 columns")
    // There is no room beside it any more.
    try terminal.wait(for: "the panel below the page") { screen in
      guard let row = screen.row(of: "dev: 80 columns") else { return false }
      return screen.rows[row].hasPrefix(" dev:")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft().isEmpty)
  }

  @Test func `what a widget says before it fails is beside its card`() throws {
    let world = try TestWorld()
    let terminal = try open(in: world, ["--data", "mine"])
    try terminal.wait(for: "a whole message") { screen in
      screen.rows.contains { $0.hasSuffix("→ widgetPerformUpdate {\"reason\":\"appear\"}") }
    }
    try change(world, "def view(self):\n", "def view(self)\n")
    try terminal.waitForText("SyntaxError: ")
    try terminal.waitForText("ended: exit 1")
    try change(world, "def view(self)\n", "def view(self):\n")
    try terminal.waitForText("0 of 6 cups")
    // What was wrong with the last program is not beside the next one.
    try terminal.wait(for: "the end of the old errors") { screen in
      !screen.rows.contains { $0.contains("SyntaxError: ") || $0.contains("ended: exit 1") }
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    // The data of the widget on the page are another matter.
    let files = FileManager.default
    #expect(files.fileExists(atPath: "\(world.path)/mine/state/today/logs/com.example.Cups.log"))
    #expect(!files.fileExists(atPath: "\(world.path)/state/today/logs/com.example.Cups.log"))
  }

  @Test func `a saved program takes the place of the old one, and its data stay`() throws {
    let world = try TestWorld()
    let terminal = try open(in: world)
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("1 of 6 cups")
    try change(world, "cups\", bold", "glasses\", bold")
    try terminal.waitForText("1 of 6 glasses")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a saved widget that shows its view with an update alone is asked for one`() throws {
    let world = try TestWorld()
    let bundle = "\(world.path)/Hello.widget"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try world.write(
      """
      { CFBundleIdentifier = "com.example.Hello"; CFBundleExecutable = hello; NSExtension = {
        NSExtensionPointIdentifier = "com.apple.widget-extension"; NSExtensionPrincipalClass = H; };
      }
      """,
      to: "\(bundle)/Info.plist"
    )
    func save(_ text: String) throws {
      try world.write(
        """
        #!/usr/bin/env python3
        import json, sys
        for line in sys.stdin:
            call = json.loads(line)
            if call["method"] == "initialize":
                answer = {"protocolVersion": 1, "implements": ["widgetPerformUpdate"]}
            elif call["method"] == "widgetPerformUpdate":
                answer = {"result": "newData", "view": {"type": "text", "text": "\(text)"}}
            else:
                continue
            print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": answer}), flush=True)

        """,
        to: "\(bundle)/hello.new"
      )
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: "\(bundle)/hello.new"
      )
      try #require(rename("\(bundle)/hello.new", "\(bundle)/hello") == 0)
    }
    try save("Hello")
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["dev", "Hello.widget"],
        environment: world.environment(),
        directory: world.path
      ),
      columns: 110,
      rows: 30
    )
    try terminal.waitForText("│ Hello")
    for text in ["Second", "Third"] {
      try terminal.settle()
      try save(text)
      try terminal.waitForText("│ \(text)")
    }
    try terminal.settle()
    func updates(_ screen: TestScreen) -> Int {
      screen.rows.count { $0.contains("→ widgetPerformUpdate {\"reason\":\"event\"}") }
    }
    let count = updates(terminal.screen)
    try send("r", terminal)
    try terminal.wait(for: "an update of the next process") { updates($0) > count }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `errors of a build are in the card with their place, until it succeeds`() throws {
    let world = try TestWorld()
    let folder = "\(world.path)/package"
    let build = "\(folder)/build"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write("#!/bin/sh\nexit 0\n", to: build)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: build)
    let terminal = try open(in: world, folder: folder)
    try world.write(
      "#!/bin/sh\necho \"$(dirname \"$0\")/cups.swift:3:5: error: no such type\"\nexit 1\n",
      to: build
    )
    try terminal.waitForText("│ cups.swift:3:5: error: no such type")
    try terminal.waitForText("the build has failed; the last one still runs")
    #expect(!terminal.screen.contains("0 of 6 cups"))
    try world.write("#!/bin/sh\nexit 0\n", to: build)
    try terminal.wait(for: "no errors") { !$0.contains("no such type") && $0.contains("0 of 6") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `the widget is told the time of the page from the first step on, and another locale`()
    throws
  {
    let world = try TestWorld()
    let terminal = try open(in: world, ["--trace", "\(world.path)/trace"])
    func traced(_ words: String) -> Bool {
      let text = try? String(contentsOf: URL(filePath: "\(world.path)/trace"), encoding: .utf8)
      return text?.contains(words) == true
    }
    #expect(!traced(#""method":"clockDidChange""#))
    try send("b", terminal)
    try terminal.waitForText("→ clockDidChange")
    try send("l", terminal)
    try terminal.waitForText("dev: 60 columns, en_US")
    // The next process has both from its start.
    try terminal.wait(for: "the next process") { (_: TestScreen) in traced(#""locale":"en_US""#) }
    #expect(traced(#""now":""#))
    try terminal.waitForText("0 of 6 cups")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `the time of an expiring activity runs out on a key`() throws {
    let world = try TestWorld(fixtures: ["Expiring"])
    let terminal = try PseudoTerminal(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["dev", "\(world.widgets)/Expiring.widget"],
        // It begins one at its start, and ends it when it is told to.
        environment: world.environment().merging(["TODAY_TEST_ACTIVITY": "early"]) { $1 },
        directory: world.path
      ),
      columns: 110,
      rows: 30
    )
    try terminal.waitForText("← beginExpiringActivity")
    try send("p", terminal)
    try terminal.waitForText(#"→ expiringActivity {"activity":1,"#)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a debugger is told where to attach, and a narrow screen has all of it`() throws {
    let world = try TestWorld()
    let terminal = try open(in: world, ["--wait-for-debugger", "--width", "30"], columns: 40)
    try terminal.waitForText("no deadlines: gdb -p ")
    // The program itself, and not one of its sandbox.
    let row = terminal.screen.rows.first { $0.contains("gdb -p ") } ?? ""
    let number = row.split(separator: "gdb -p ").last?.prefix { $0.isNumber } ?? ""
    let names = ProcessList.entries(naming: "\(world.path)/Cups.widget/cups").filter {
      $0.commandLine.hasPrefix("python3 ") || $0.commandLine.hasPrefix("/usr/bin/python3 ")
    }
    #expect(names.map { "\($0.pid)" } == [String(number)])
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `what is no widget, or has no terminal, is an error`() throws {
    let world = try TestWorld()
    for (arguments, code) in [
      (["dev"], Int32(64)), (["dev", "nowhere"], 66), (["dev", world.path], 66),
    ] {
      let run = try ProgramRun(
        ProgramDescription(
          BuiltProgram.path ?? "/nowhere/today",
          arguments,
          environment: world.environment(),
          directory: world.path
        )
      )
      #expect(run.status == .exited(code: code), "\(arguments): \(run.errorText)")
    }
  }
}
