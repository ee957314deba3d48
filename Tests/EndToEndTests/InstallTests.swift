import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today install` and `today uninstall` in the real program.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct InstallTests {
  private let good = "com.example.fixture.good"

  @Test func `without a terminal a bundle is installed only with --yes`() throws {
    let world = try TestWorld()
    let bundle = "\(TestWorld.fixtures)/Good.widget"
    let asked = try world.installed(["install", bundle])
    #expect(asked.status == .exited(code: 1))
    #expect(asked.outputText.hasPrefix("Widget \(good) (Good.widget)\n"))
    #expect(asked.errorText == "today: nothing was changed; --yes agrees without a terminal\n")
    #expect(try !world.installed(["list"]).outputText.contains(good))

    #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    #expect(try world.installed(["list"]).outputText.contains(good))
    let again = try world.installed(["install", bundle, "--yes"])
    #expect(again.outputText.contains("  replaces "))

    #expect(try world.installed(["uninstall", good]).status == .exited(code: 1))
    #expect(try world.installed(["list"]).outputText.contains(good))
    #expect(try world.installed(["uninstall", good, "--yes"]).status == .exited(code: 0))
    #expect(try !world.installed(["list"]).outputText.contains(good))
    let gone = try world.installed(["uninstall", good, "--yes"])
    #expect(gone.status == .exited(code: 66))
    let nothing = try world.installed(["install", "\(world.path)/nothing.widget", "--yes"])
    #expect(nothing.status == .exited(code: 66))
    #expect(nothing.errorText == "today: there is no \(world.path)/nothing.widget\n")
    #expect(try world.installed(["permissions", good]).status == .exited(code: 66))
    #expect(gone.errorText.hasPrefix("today: no widget or app “\(good)” is installed"))
  }

  @Test func `an open page starts the version that is installed over another`() throws {
    let world = try TestWorld()
    let bundle = "\(world.path)/Good.widget"
    try FileManager.default.copyItem(atPath: "\(TestWorld.fixtures)/Good.widget", toPath: bundle)
    #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    try world.saveConfiguration("{ pages: [{ name: 'Home', cards: ['\(good)'] }] }")
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("updates: 1")
    let program = "\(bundle)/good"
    let text = String(decoding: try Data(contentsOf: URL(filePath: program)), as: UTF8.self)
    try Data(text.replacing("updates: ", with: "upgrades: ").utf8).write(
      to: URL(filePath: program)
    )
    #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    try terminal.wait(for: "the new version") {
      $0.contains("upgrades: ") && !$0.contains("updates: ")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test func `a share extension is installed, used, replaced and uninstalled`() throws {
    let world = try TestWorld()
    let bundle = "\(world.path)/Shelf.appex"
    let made = try world.installed([
      "new", "Shelf", "--kind", "share", "--language", "python", "--identifier", "org.test.shelf",
    ])
    #expect(made.status == .exited(code: 0), "\(made.errorText)")
    let asked = try world.installed(["install", bundle])
    #expect(asked.status == .exited(code: 1))
    #expect(asked.outputText.hasPrefix("Share extension org.test.shelf (Shelf.appex)\n"))
    #expect(asked.outputText.contains("  share extension “Shelf” (org.test.shelf)\n"))
    let installed = try world.installed(["install", bundle, "--yes"])
    #expect(installed.status == .exited(code: 0), "\(installed.errorText)")
    #expect(installed.outputText.contains("“today share --with org.test.shelf” uses it."))
    #expect(try world.installed(["list", "--extensions"]).outputText.contains("org.test.shelf"))
    try world.write("a note", to: "\(world.path)/note.txt")
    let words = ["share", "note.txt", "--with", "shelf", "--yes", "--text", "mine"]
    let shared = try world.installed(words)
    #expect(shared.status == .exited(code: 0), "\(shared.errorText)")
    let again = try world.installed(["install", bundle, "--yes"])
    #expect(again.outputText.contains("  replaces "))
    let container = "\(world.path)/data/today/containers/org.test.shelf"
    #expect(FileManager.default.fileExists(atPath: container))
    let gone = try world.installed(["uninstall", "org.test.shelf", "--yes"])
    #expect(gone.status == .exited(code: 0), "\(gone.errorText)")
    #expect(try !world.installed(["list", "--extensions"]).outputText.contains("org.test.shelf"))
    #expect(!FileManager.default.fileExists(atPath: container))
  }

  @Test(arguments: [60, 110])
  func `what is asked for is said as in the card, without a break within a word`(
    columns: Int
  ) throws {
    let world = try TestWorld()
    let bundle = "\(world.path)/Good.widget"
    try FileManager.default.copyItem(
      atPath: "\(TestWorld.fixtures)/Good.widget",
      toPath: bundle
    )
    try world.write(
      #"{ "com.apple.security.network.client" = YES; "org.today.process-info" = YES; }"#,
      to: "\(bundle)/Entitlements.plist"
    )
    let piped = try world.installed(["install", bundle]).outputText
    #expect(piped.contains("asks to use the network, except localhost\n"), "\(piped)")
    #expect(!piped.contains("slirp4netns"))
    let words = Set(piped.split { $0 == " " || $0 == "\n" })
    let terminal = try PseudoTerminal(
      world.installedProgram(["install", bundle]),
      columns: columns,
      rows: 40
    )
    try terminal.waitForText("[y/N]")
    for word in terminal.screen.text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let isOfQuestion = ["Install", "it?", "[y/N]"].contains(word)
      #expect(isOfQuestion || words.contains(word), "\(word)")
    }
    try terminal.type("n\r")
    #expect(try terminal.waitForEnd() == .exited(code: 1))
  }

  @Test func `a script is installed as a copy that runs in the sandbox`() throws {
    let world = try TestWorld()
    let text = """
      #!/bin/sh
      # today: title="Of somebody" sandbox=false
      [ -r "$HOME/secret" ] && echo sees it || echo sees nothing
      """
    try world.write(text, to: "\(world.path)/other.5s.sh")
    try world.write("x", to: "\(world.path)/home/secret")
    let plain = try world.installed(["install", "other.5s.sh", "--yes"])
    #expect(plain.status == .exited(code: 1))
    #expect(unsafe chmod("\(world.path)/other.5s.sh", 0o755) == 0)
    let asked = try world.installed(["install", "other.5s.sh"])
    #expect(asked.status == .exited(code: 1))
    #expect(asked.outputText.contains("runs in the sandbox"))
    #expect(try !world.installed(["list"]).outputText.contains("script.other"))

    let run = try world.installed(["install", "other.5s.sh", "--yes"])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    try FileManager.default.removeItem(atPath: "\(world.path)/other.5s.sh")
    let shown = try world.installed(["snapshot", "script.other"])
    #expect(shown.outputText.contains("sees nothing"), "\(shown.outputText)\(shown.errorText)")
    #expect(shown.outputText.contains("Of somebody"))
    #expect(try world.installed(["uninstall", "script.other"]).status == .exited(code: 1))
    #expect(try world.installed(["uninstall", "script.other", "--yes"]).status == .exited(code: 0))
    #expect(try !world.installed(["list"]).outputText.contains("script.other"))
    #expect(world.processesLeft() == [])
  }

  @Test(arguments: [("share", "a share extension", "share"), ("action", "an action", "act")])
  func `a script that gets content is not installed, and the command for an own one is named`(
    point: String,
    kind: String,
    command: String
  ) throws {
    let world = try TestWorld()
    let line = "# today: \(point) accepts=public.text"
    try world.write("#!/bin/sh\n\(line)\ntr a-z A-Z\n", to: "\(world.path)/it's.sh")
    #expect(unsafe chmod("\(world.path)/it's.sh", 0o755) == 0)
    let run = try world.installed(["install", "it's.sh", "--yes"])
    #expect(run.status == .exited(code: 1) && run.outputText == "")
    let start = "today: it's.sh is \(kind), which runs outside of the sandbox"
    #expect(run.errorText.hasPrefix(start), "\(run.errorText)")
    #expect(run.errorText.contains("“today \(command) --with script.it"))
    #expect(try !world.installed(["extensions"]).outputText.contains("script.it"))
    // What is named there is done.
    let end = run.errorText.split(separator: "own scripts: ").last
    let words = try #require(end?.split(separator: ", and then").first)
    let copied = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", String(words)],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    #expect(copied.status == .exited(code: 0), "\(copied.errorText)")
    #expect(try world.installed(["extensions"]).outputText.contains("script.it"))
  }

  @Test func `a script in the folder of installed ones gets no content outside of the sandbox`()
    throws
  {
    let world = try TestWorld()
    let folder = "\(world.path)/data/today/scripts/installed"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try world.write(
      "#!/bin/sh\n# today: action accepts=public.text\necho x >'\(world.path)/ran'\n",
      to: "\(folder)/other.sh"
    )
    #expect(unsafe chmod("\(folder)/other.sh", 0o755) == 0)
    let run = try world.installed(["act", "--with", "other", "--text", "a"])
    #expect(run.status == .exited(code: 66))
    #expect(run.errorText.contains("in a folder whose scripts run in the sandbox"))
    #expect(!FileManager.default.fileExists(atPath: "\(world.path)/ran"))
    #expect(try !world.installed(["extensions"]).outputText.contains("script.other"))
  }

  @Test func `a script asks for the network and for files like a widget`() throws {
    let world = try TestWorld()
    let text = """
      #!/bin/sh
      # today: network=true files="~/notes, ~/.ssh"
      [ -r "$HOME/notes/a" ] && echo reads notes || echo reads nothing
      [ -r "$HOME/other" ] && echo reads all || echo and nothing else
      """
    try world.write(text, to: "\(world.path)/own.5s.sh")
    #expect(unsafe chmod("\(world.path)/own.5s.sh", 0o755) == 0)
    for (folder, file) in [("notes", "notes/a"), ("", "other")] {
      try FileManager.default.createDirectory(
        atPath: "\(world.path)/home/\(folder)",
        withIntermediateDirectories: true
      )
      try world.write("x", to: "\(world.path)/home/\(file)")
    }
    let asked = try world.installed(["install", "own.5s.sh"])
    #expect(asked.outputText.contains("asks to use the network"), "\(asked.outputText)")
    #expect(asked.outputText.contains("notes"), "\(asked.outputText)")
    #expect(try world.installed(["install", "own.5s.sh", "--yes"]).status == .exited(code: 0))
    let before = try world.installed(["snapshot", "script.own"])
    #expect(before.outputText.contains("reads nothing"), "\(before.outputText)")
    let grant = ["permissions", "script.own", "--grant", "all"]
    let granted = try world.installed(grant)
    #expect(granted.status == .exited(code: 0), "\(granted)")
    let after = try world.installed(["snapshot", "script.own"])
    #expect(after.outputText.contains("reads notes"), "\(after.outputText)\(after.errorText)")
    #expect(after.outputText.contains("and nothing else"), "\(after.outputText)")
    #expect(world.processesLeft() == [])
  }

  @Test func `what a widget asks for is said before it is installed`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let bundle = "\(world.path)/widgets/Good.widget"
    try "{ com.apple.security.network.client = YES; }".write(
      toFile: "\(bundle)/Entitlements.plist",
      atomically: true,
      encoding: .utf8
    )
    let asked = try world.installed(["install", bundle])
    let words = "\n    asks to use the network, except localhost\n"
    #expect(asked.outputText.contains(words), "\(asked.outputText)")
    #expect(asked.status == .exited(code: 1))
  }

  @Test func `a bundle cannot write lines of its own where it is installed, listed or asks`() throws
  {
    let world = try TestWorld(fixtures: ["Good"])
    let bundle = "\(world.path)/widgets/Good.widget"
    let list = try String(contentsOfFile: "\(bundle)/Info.plist", encoding: .utf8)
    let gap = String(repeating: " ", count: 80)
    let forged = """
      <key>CFBundleDisplayName</key>
      <string>Clock
        signed by: today project”</string>
      <key>widget.description</key>
      <string>The clock.
          asks for nothing\(gap)\u{2028}Installed /x.</string>
      """
    let name = "<key>CFBundleDisplayName</key>\n  <string>Good</string>"
    #expect(list.contains(name))
    try world.write(list.replacing(name, with: forged), to: "\(bundle)/Info.plist")
    try world.write(
      #"{ com.apple.security.files.home-relative-path.read-only = ("a\#u{2028}  asks for nothing"); }"#,
      to: "\(bundle)/Entitlements.plist"
    )
    let faulty = try world.installed(["install", bundle])
    #expect(!faulty.outputText.contains("\n  asks for nothing"), "\(faulty.outputText)")
    try world.write(
      "{ com.apple.security.network.client = YES; }",
      to: "\(bundle)/Entitlements.plist"
    )
    let asked = try world.installed(["install", bundle])
    #expect(
      asked.outputText.contains("\n  widget “Clock signed by: today project'” (\(good))\n"),
      "\(asked.outputText)"
    )
    #expect(
      asked.outputText.contains("\n    “The clock. asks for nothing Installed /x.”\n"),
      "\(asked.outputText)"
    )
    #expect(try world.installed(["install", bundle, "--yes"]).status == .exited(code: 0))
    for command in [["list"], ["permissions"], ["doctor"], ["settings", good]] {
      let text = try world.installed(command).outputText
      #expect(!text.contains("\n  signed by") && !text.contains("\nInstalled /x"), "\(text)")
    }
    #expect(try world.installed(["add", good]).status == .exited(code: 0))
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("“Clock signed by: today project'” asks to")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test(arguments: [
    ["install"], ["install", "a", "b"], ["uninstall"], ["install", "--force", "a"],
  ])
  func `a wrong call is a usage error`(arguments: [String]) throws {
    let world = try TestWorld()
    #expect(try world.installed(arguments).status == .exited(code: 64))
  }

  /// An app with a widget, whose entitlements are those of both.
  private func app(_ identifier: String, _ entitlements: String, in world: TestWorld) throws
    -> String
  {
    let place = "\(world.path)/src/\(identifier).app"
    let widget = try world.add(fixture: "Good", below: "\(place)/PlugIns")
    let list = try String(contentsOfFile: "\(widget)/Info.plist", encoding: .utf8)
    try world.write(
      list.replacing(good, with: "\(identifier).Today"),
      to: "\(widget)/Info.plist"
    )
    try world.write(
      "{ CFBundleIdentifier = \"\(identifier)\"; CFBundleExecutable = run; }",
      to: "\(place)/Info.plist"
    )
    try world.write("#!/bin/sh\n", to: "\(place)/run")
    #expect(unsafe chmod("\(place)/run", 0o755) == 0)
    for path in [place, widget] { try world.write(entitlements, to: "\(path)/Entitlements.plist") }
    return place
  }

  @Test func `--yes does not agree to the secrets of another developer`() throws {
    let world = try TestWorld()
    let groups = "{ \"keychain-access-groups\" = (group.com.example.Vault); }"
    let mine = try app("com.example.Vault", groups, in: world)
    let installed = try world.installed(["install", mine, "--yes"])
    #expect(installed.status == .exited(code: 0), "\(installed.errorText)")
    #expect(!installed.outputText.contains("other developers"), "\(installed.outputText)")
    #expect(installed.outputText.contains("its program runs in the sandbox, after a press only"))

    let thief = try app("net.thief.Clock", groups, in: world)
    let other = try world.installed(["install", thief, "--yes"])
    #expect(other.status == .exited(code: 0), "\(other.errorText)")
    let words =
      "asks to read and change secrets of other developers (com.example), in group.com.example.Vault"
    #expect(other.outputText.contains(words), "\(other.outputText)")
    #expect(
      other.outputText.contains(
        "not permitted; “today permissions net.thief.Clock --grant keychain-access-groups”"
      )
    )
    func state(of id: String) throws -> String {
      let text = try world.installed(["permissions", id]).outputText
      return String(
        text.split(separator: "\n").first { $0.contains("keychain-access-groups") } ?? ""
      )
    }
    #expect(try state(of: "com.example.Vault") == "")
    #expect(try state(of: "net.thief.Clock").contains("open"))
    let doctor = try world.installed(["doctor"]).outputText
    #expect(
      doctor.contains("net.thief.Clock.Today asks to read and change secrets of other developers"),
      "\(doctor)"
    )
    let grant = ["permissions", "net.thief.Clock", "--grant", "keychain-access-groups"]
    #expect(try world.installed(grant).status == .exited(code: 0))
    #expect(try state(of: "net.thief.Clock").contains("granted"))
  }

  @Test
  func `a bundle with the identifier of another one has nothing of it before the user says so`()
    throws
  {
    let world = try TestWorld()
    let folder = "\(world.path)/data/today/widgets"
    let first = try world.add(fixture: "Good", below: "\(folder)/.src")
    try FileManager.default.moveItem(atPath: first, toPath: "\(folder)/First.widget")
    #expect(try world.installed(["snapshot", good]).outputText.contains("updates: 1"))
    try FileManager.default.moveItem(
      atPath: "\(folder)/First.widget",
      toPath: "\(folder)/Second.widget"
    )
    let shown = try world.installed(["snapshot", good])
    #expect(shown.outputText.contains("Not started: the identifier"), "\(shown.outputText)")
    let listed = try world.installed(["permissions", good]).outputText
    #expect(listed.contains("identity") && listed.contains("First.widget"), "\(listed)")
    let all = try world.installed(["permissions", good, "--grant", "all"])
    #expect(all.status == .exited(code: 1) && all.errorText.contains("--grant identity"))
    #expect(
      try world.installed(["permissions", good, "--grant", "identity"]).status == .exited(code: 0)
    )
    #expect(try world.installed(["snapshot", good]).outputText.contains("updates: 1"))
  }

  @Test func `nothing of an uninstalled widget comes back from a page that is open`() throws {
    let world = try TestWorld()
    #expect(
      try world.installed(["install", "\(TestWorld.fixtures)/Good.widget", "--yes"]).status
        == .exited(code: 0)
    )
    #expect(try world.installed(["add", good]).status == .exited(code: 0))
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("updates: 1")
    #expect(world.filesNaming(good) > 2)
    #expect(try world.installed(["uninstall", good, "--yes"]).status == .exited(code: 0))
    try terminal.wait(for: "the end of the card", until: { !$0.contains("updates: 1") })
    try terminal.settle(calm: .milliseconds(500))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.filesNaming(good) == 0)
  }
}
