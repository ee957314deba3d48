import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Scripts of the user as widgets, in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ScriptTests {
  private func world(_ scripts: [String: String], in folder: String) throws -> TestWorld {
    let world = try TestWorld()
    for (name, text) in scripts { try write(name, text, "\(world.path)/\(folder)") }
    return world
  }

  private func write(_ name: String, _ text: String, _ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    #expect(unsafe chmod("\(folder)/\(name)", 0o755) == 0)
  }

  private static let folder = "config/today/scripts"

  @Test func `a script is a card of a snapshot, and one that fails says so`() throws {
    let world = try world(
      [
        "good.sh":
          "#!/bin/sh\n# today: title=Tidy\nprintf '\\033[32mall\\033[0m well\\033[2J\\n'\n",
        "bad.sh": "#!/bin/sh\necho 'no such host' >&2\nexit 7\n",
      ],
      in: Self.folder
    )
    let run = try world.installed(["snapshot", "--width", "60", "script.good", "script.bad"])
    #expect(run.status == .exited(code: 1))
    #expect(run.outputText.contains("─ Tidy ─") || run.outputText.contains(" Tidy "))
    #expect(run.outputText.contains("all well"), "\(run.outputText)")
    #expect(run.errorText.contains("script.bad: exit 7: no such host"), "\(run.errorText)")
    #expect(!run.output.contains(0x1b))
    let good = try world.installed(["snapshot", "script.good", "--format", "ansi"])
    #expect(good.status == .exited(code: 0), "\(good.errorText)")
    #expect(CursesOutput.strangers(inPicture: good.output) == [])
    #expect(world.processesLeft() == [])
  }

  @Test func `what is wrong with other scripts is said by list and doctor, not by each command`()
    throws
  {
    let world = try world(
      [
        "good.sh": "#!/bin/sh\necho fine\n", "odd.sh": "#!/bin/sh\n# today: lines=many\n",
        "plain.sh": "#!/bin/sh\n",
      ],
      in: Self.folder
    )
    #expect(unsafe chmod("\(world.path)/\(Self.folder)/plain.sh", 0o644) == 0)
    for command in [["snapshot", "script.good"], ["refresh", "script.good"]] {
      let run = try world.installed(command)
      #expect(run.status == .exited(code: 0))
      #expect(run.errorText == "")
    }
    let words = [
      "plain.sh is not executable; expected an executable script (chmod +x)", "lines is",
    ]
    let list = try world.installed(["list"])
    let doctor = try world.installed(["doctor"])
    for word in words {
      #expect(list.errorText.contains(word), "\(list.errorText)")
      #expect(doctor.outputText.contains(word), "\(doctor.outputText)")
    }
  }

  @Test func `a script comes on an open page, and its last picture is there at the next start`()
    throws
  {
    let world = try world(["one.sh": "echo first; cat \"$0\" >/dev/null\n"], in: Self.folder)
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("first")
    try write("two.1s.sh", "echo second; date +%N\n", "\(world.path)/\(Self.folder)")
    try terminal.waitForText("second")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
    try write("one.sh", "sleep 1000 # \"$0\"\n", "\(world.path)/\(Self.folder)")
    let again = try world.openInstalledPage()
    try again.waitForText("first")
    try again.type("q")
    #expect(try again.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `the menu of a plugin is a card with folds, links and rows that run it again`() throws
  {
    let world = try world(
      [
        "menu.1h.sh": """
        # <xbar.title>My plugin</xbar.title>
        echo x >> "$HOME/runs"
        echo "Runs: $(wc -l < "$HOME/runs") | color=red"
        echo ---
        echo "More of it"
        echo "--Hidden at first"
        echo "Again | refresh=true"
        echo "Broken | color = 'x"
        """
      ],
      in: Self.folder
    )
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("My plugin")
    try terminal.waitForText("Runs: 1")
    try terminal.waitForText("Broken")
    #expect(!terminal.screen.contains("Hidden at first") && !terminal.screen.contains("|"))
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("More of it")
    try terminal.waitForText("Hidden at first")
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Again")
    try terminal.waitForText("Runs: 2")
    try terminal.waitForText("Hidden at first")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `a command of a row runs after consent, which is kept for its program`() throws {
    let world = try world(
      [
        "menu.1h.sh": """
        # <xbar.title>My plugin</xbar.title>
        echo "Made: $(ls "$HOME" | grep -c made) | color=red"
        echo ---
        echo "Make it | bash=./make.tool param1=made param2='two words' terminal=false refresh=true"
        echo "Fail | bash=./fail.tool"
        echo "Not there | bash=nowhere-tool"
        echo "In the terminal | bash=./edit.tool terminal=true refresh=true"
        """,
        "make.tool": "touch \"$HOME/$1\" && echo \"made with $2\"\n",
        "fail.tool": "echo 'no route' >&2\nexit 3\n",
        "edit.tool": "printf 'name? '\nread name\n: > \"$HOME/made-$name\"\n",
      ],
      in: Self.folder
    )
    for tool in ["make", "fail", "edit"] {
      let path = "\(world.path)/\(Self.folder)/\(tool).tool"
      let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      try Data("#!/bin/sh\n# today: show=false\n\(text)".utf8).write(to: URL(filePath: path))
      #expect(unsafe chmod(path, 0o755) == 0)
    }
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("Made: 0")
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Make it")
    try terminal.waitForText("Run a command?")
    try terminal.waitForText("./make.tool made 'two words'")
    try terminal.readQuestion()
    // Nothing has run before the answer.
    #expect(terminal.screen.contains("Made: 0"))
    try terminal.type("\r")
    try terminal.waitForText("Made: 1")
    try terminal.waitForText("My plugin: made with two words")
    try terminal.settle(calm: .milliseconds(300))
    try FileManager.default.removeItem(atPath: "\(world.path)/home/made")
    try terminal.click("Make it")
    try terminal.waitForText("made with two words")
    try terminal.settle(calm: .milliseconds(300))
    #expect(!terminal.screen.contains("Run a command?"))

    try terminal.click("Not there")
    try terminal.waitForText("nowhere-tool is not installed")
    try terminal.click("Fail")
    try terminal.waitForText("Run a command?")
    try terminal.readQuestion()
    try terminal.type("d")
    try terminal.waitForText("you do not permit this command")
    let path = "\(world.path)/\(Self.folder)"
    let name = "command:\(path)/fail.tool"
    let listed = try world.installed(["permissions", "script.menu"]).outputText
    #expect(listed.contains("refused") && listed.contains(name), "\(listed)")
    #expect(
      try world.installed(["permissions", "script.menu", "--grant", name]).status
        == .exited(code: 0)
    )
    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("Fail")
    try terminal.waitForText("My plugin: exit 3: no route")

    try terminal.settle(calm: .milliseconds(300))
    try terminal.click("In the terminal")
    try terminal.waitForText("wants to run a command in the terminal")
    try terminal.readQuestion()
    try terminal.type("\r")
    try terminal.waitForText("name?")
    try terminal.type("ann\r")
    try terminal.waitForText("Made: 2")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `run makes a command line a card, and two with one title are two cards`() throws {
    let world = try TestWorld()
    let run = try world.installed([
      "run", "echo \"it's $((40 + 2))\"", "--every", "5s", "--title", "The \"answer\"",
    ])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText == "script.The-answer\n")
    let shown = try world.installed(["snapshot", "--width", "60", "script.The-answer"])
    #expect(shown.outputText.contains("The \"answer\""), "\(shown.outputText)\(shown.errorText)")
    #expect(shown.outputText.contains("it's 42"), "\(shown.outputText)")
    let paged = try world.installed(["run", "echo 3", "--title", "Elsewhere", "--page", "Work"])
    #expect(paged.status == .exited(code: 0), "\(paged.errorText)")
    let lines = try world.installed(["list"]).outputText.split(separator: "\n")
    #expect(lines.contains { $0.contains("Elsewhere") && $0.contains("(Work)") })
    let other = try world.installed(["run", "echo 2", "--title", "The \"answer\""])
    #expect(other.outputText == "script.The-answer-2\n")
    let json = try world.installed([
      "run", "echo '[{\"a\": 1}]'", "--format", "json", "--title", "J", "--lines", "3",
    ])
    #expect(json.outputText == "script.J\n")
    #expect(try world.installed(["snapshot", "script.J"]).outputText.contains("a"))
    for wrong in [
      ["run"], ["run", "a", "b"], ["run", " "], ["run", "a", "--every", "x"], ["run", "a", "--no"],
    ] {
      #expect(try world.installed(wrong).status == .exited(code: 64), "\(wrong)")
    }
    #expect(world.processesLeft() == [])
  }

  @Test func `import makes cards of modules, and a dry run writes nothing`() throws {
    let world = try TestWorld()
    try world.write(
      "{ /* c */ \"custom/hello\": { \"exec\": \"echo hello there\", \"interval\": 5 }, }",
      to: "\(world.path)/waybar.jsonc"
    )
    let dry = try world.installed(["import", "waybar", "waybar.jsonc", "--dry-run"])
    #expect(dry.outputText.contains("echo hello there"), "\(dry.errorText)")
    #expect(try world.installed(["list"]).outputText.contains("waybar") == false)
    let run = try world.installed(["import", "waybar", "waybar.jsonc"])
    #expect(run.outputText == "script.waybar-hello\n")
    let shown = try world.installed(["snapshot", "script.waybar-hello"])
    #expect(shown.outputText.contains("hello there"), "\(shown.outputText)\(shown.errorText)")
    #expect(try world.installed(["import", "waybar", "nowhere"]).status == .exited(code: 66))
    #expect(try world.installed(["import", "polybar", "x"]).status == .exited(code: 64))
    try world.write("{}", to: "\(world.path)/empty")
    #expect(try world.installed(["import", "waybar", "empty"]).status == .exited(code: 1))
  }

  @Test
  func `sources in config.json are more folders, and its names come before those of a script`()
    throws
  {
    let world = try world(
      ["a.sh": "#!/bin/sh\n# today: title=Mine\necho one\n", "b.sh": "echo two\n"],
      in: "home/status"
    )
    try FileManager.default.createDirectory(
      atPath: "\(world.path)/config/today",
      withIntermediateDirectories: true
    )
    try world.write(
      """
      { sources: [{ path: "~/status", title: "Of the folder", interval: 5 }],
        widgets: { "script.b": { title: "Chosen here", lines: 1, VAR: 3 } } }
      """,
      to: "\(world.path)/config/today/config.json"
    )
    let shown = try world.installed(["snapshot", "--width", "60", "script.a", "script.b"])
    #expect(
      shown.outputText.contains("Mine") && shown.outputText.contains("one"),
      "\(shown.errorText)"
    )
    #expect(shown.outputText.contains("Chosen here") && shown.outputText.contains("two"))
    #expect(!shown.outputText.contains("Of the folder"))
    try world.write(
      "{ sources: [{ path: \"status\" }, 5, { path: \"/x\", interval: \"soon\" }, { path: \"/x\", colour: 1 }] }",
      to: "\(world.path)/config/today/config.json"
    )
    let wrong = try world.installed(["list"])
    #expect(wrong.errorText.contains("config.json:1:"), "\(wrong.errorText)")
  }

  @Test func `a folder that config.json names is followed on an open page`() throws {
    let world = try world(["a.sh": "echo first-of-all\n"], in: Self.folder)
    let more = "\(world.path)/home/more"
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("first-of-all")
    try world.saveConfiguration("{ sources: [\"~/more\"] }")
    try write("b.sh", "echo from-the-source\n", more)
    try terminal.waitForText("from-the-source")
    try Data("echo once-not-executable\n".utf8).write(to: URL(filePath: "\(more)/c.sh"))
    #expect(unsafe chmod("\(more)/c.sh", 0o755) == 0)
    try terminal.waitForText("once-not-executable")
    try FileManager.default.removeItem(atPath: "\(more)/b.sh")
    try terminal.wait(for: "the card to go") { !$0.contains("from-the-source") }
    try world.saveConfiguration("{}")
    try terminal.wait(for: "the folder to go") { !$0.contains("once-not-executable") }
    #expect(terminal.screen.contains("first-of-all"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  /// Scripts of every format, as they are recorded in `Tests/Fixtures/Scripts`.
  @Test(arguments: [40, 80])
  func `scripts of every format look as recorded`(width: Int) throws {
    let fixtures = BuiltTool.package.appending(path: "Tests/Fixtures/Scripts")
    let world = try TestWorld()
    let folder = "\(world.path)/\(Self.folder)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.path).sorted()
      .filter { $0.hasSuffix(".sh") }
    for name in names {
      let source = fixtures.appending(path: name)
      try FileManager.default.copyItem(at: source, to: URL(filePath: "\(folder)/\(name)"))
    }
    let identifiers = names.map { "script.\($0.dropLast(3))" }
    let run = try world.installed(["snapshot", "--width", "\(width)"] + identifiers)
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let golden = fixtures.appending(path: "golden-\(width).txt")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data(run.output).write(to: golden)
      Issue.record("recorded \(golden.lastPathComponent)")
    } else {
      let recorded = try String(decoding: Data(contentsOf: golden), as: UTF8.self)
      #expect(run.outputText == recorded)
    }
    #expect(world.processesLeft() == [])
  }

  @Test func `add makes a script from anywhere a card, and remove takes it off`() throws {
    let world = try world(["load.5s.sh": "pwd; basename \"$0\"\n", "plain": "x"], in: "home/bin")
    #expect(unsafe chmod("\(world.path)/home/bin/plain", 0o644) == 0)
    let added = try world.installed(["add", "./home/bin/load.5s.sh", "--page", "Work"])
    #expect(added.status == .exited(code: 0), "\(added.errorText)")
    let shown = try world.installed(["snapshot", "script.load", "--width", "200"]).outputText
    #expect(shown.contains("\(world.path)/home/bin"), "\(shown)")
    #expect(shown.contains("load.5s.sh"))
    #expect(try world.installed(["list", "--json"]).outputText.contains("\"Work\""))
    // Adding it again changes nothing.
    #expect(try world.installed(["add", "./home/bin/load.5s.sh"]).status == .exited(code: 0))
    #expect(try world.installed(["remove", "script.load"]).status == .exited(code: 0))
    #expect(try world.installed(["list"]).outputText.contains("removed"))

    try write("load.1m.py", "x", "\(world.path)/home/other")
    let clash = try world.installed(["add", "home/other/load.1m.py"])
    #expect(clash.status == .exited(code: 1))
    #expect(clash.errorText.contains("is called script.load already"), "\(clash.errorText)")
    let plain = try world.installed(["add", "./home/bin/plain"])
    #expect(plain.status == .exited(code: 1))
    #expect(plain.errorText.contains("chmod +x"), "\(plain.errorText)")
    #expect(try world.installed(["add", "./nowhere.sh"]).status == .exited(code: 66))
    let action = "\(world.path)/home/bin/upper.sh"
    try world.write("#!/bin/sh\n# today: action accepts=\"public.text\"\ntr a-z A-Z\n", to: action)
    #expect(unsafe chmod(action, 0o755) == 0)
    let refused = try world.installed(["add", "./home/bin/upper.sh"])
    #expect(refused.status == .exited(code: 64))
    #expect(refused.errorText.contains("is an action, and no card"), "\(refused.errorText)")
    #expect(refused.errorText.contains("“today act --with upper”"), "\(refused.errorText)")
    #expect(try world.run(["add", "./home/bin/load.5s.sh"]).status == .exited(code: 64))
  }
}
