import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today gallery` in the real program, with repositories of git and keys that are made here.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct GalleryTests {
  private let world: GalleryWorld
  private let good = "com.example.fixture.good"

  init() throws { world = try GalleryWorld() }

  @Test func `a registry is made, signed, added, searched, installed from and removed`()
    throws
  {
    try world.makeRegistry()
    #expect(try world.gallery("index", world.registry, "--check").status == .exited(code: 0))
    let asked = try world.gallery("sources", "add", world.address)
    #expect(asked.status == .exited(code: 1))
    #expect(asked.outputText.contains("is signed with its own key"))
    #expect(try world.gallery("sources").outputText.contains(world.address) == false)
    try world.addRegistry()
    #expect(try world.gallery("search", "hello").outputText.hasPrefix("script.hello  1.0.0  Hello"))
    #expect(try world.gallery("search", "zzyzx").status == .exited(code: 1))
    #expect(try world.gallery("info", "script.hello").outputText.contains("    Hello from Lists\n"))
    #expect(try world.gallery("info", "script.helo").status == .exited(code: 66))
    #expect(try world.gallery("install", "script.hello").status == .exited(code: 1))
    #expect(try world.gallery("install", "script.hello", "--yes").status == .exited(code: 0))
    #expect(try world.user.installed(["list"]).outputText.contains("script.hello"))
    #expect(try world.gallery("verify").status == .exited(code: 0))
    try world.shell("echo evil >> data/today/scripts/installed/hello.1h.sh")
    let changed = try world.gallery("verify")
    #expect(changed.status == .exited(code: 1))
    #expect(changed.outputText.contains("wrong: modified since installation"))
    #expect(try world.gallery("remove", "script.hello", "--yes").status == .exited(code: 0))
    #expect(try !world.user.installed(["list"]).outputText.contains("script.hello"))
    #expect(try world.gallery("sources", "remove", world.address).status == .exited(code: 0))
    #expect(try world.gallery("sources", "remove", world.address).status == .exited(code: 66))
  }

  @Test func `an update that asks for more is listed, and --yes does not agree to it`() throws {
    try world.makeRegistry()
    try world.addRegistry()
    _ = try world.gallery("install", "script.hello", "--yes")
    try world.release(
      """
      printf '#!/bin/sh\\n# today: network=true\\necho new\\n' > scripts/hello.1h.sh
      sed -i 's/1.0.0/1.1.0/' entries/script.hello.json
      """
    )
    let refused = try world.gallery("update", "--yes")
    #expect(refused.status == .exited(code: 1))
    #expect(refused.outputText.contains("script.hello 1.0.0 → 1.1.0\n"))
    #expect(refused.outputText.contains("  + asks to use the network"), "\(refused.outputText)")
    #expect(refused.errorText.contains("update it in a terminal to confirm"))
    let json = try world.gallery("update", "--yes", "--json")
    #expect(json.status == .exited(code: 1) && json.outputText.contains(#""declined""#))
    #expect(try world.gallery("install", "script.hello", "--yes").status == .exited(code: 1))
    #expect(
      try world.shell("cat data/today/scripts/installed/hello.1h.sh").outputText.contains("Hello")
    )
    // One that asks for nothing new needs no answer.
    try world.release(
      """
      printf '#!/bin/sh\\necho newer\\n' > scripts/hello.1h.sh
      sed -i 's/1.1.0/1.2.0/' entries/script.hello.json
      """
    )
    #expect(try world.gallery("update").status == .exited(code: 0))
    #expect(
      try world.shell("cat data/today/scripts/installed/hello.1h.sh").outputText.contains("newer")
    )
  }

  @Test func `on a terminal an update that asks for more is asked about`() throws {
    try world.makeRegistry()
    try world.addRegistry()
    _ = try world.gallery("install", "script.hello", "--yes")
    try world.release(
      """
      printf '#!/bin/sh\\n# today: network=true\\necho new\\n' > scripts/hello.1h.sh
      sed -i 's/1.0.0/1.1.0/' entries/script.hello.json
      """
    )
    for (answer, version) in [("n", "1.0.0"), ("y", "1.1.0")] {
      var program = world.user.installedProgram(["gallery", "update", "--yes"])
      program.environment["TERM"] = "xterm-256color"
      let terminal = try PseudoTerminal(program, columns: 100, rows: 24)
      try terminal.waitForText("asks to use the network")
      try terminal.waitForText("Install it? [y/N]")
      try terminal.type("\(answer)\r")
      _ = try terminal.waitForEnd()
      #expect(try world.gallery("verify").outputText.contains("script.hello \(version)  unchanged"))
    }
  }

  @Test func `no text of a registry acts on the terminal`() throws {
    try world.makeRegistry()
    let evil = #"\\u001b]0;evil\\u0007\\u001b[2J\\u009b31m\\u202e"#
    try world.release(
      """
      for name in name description license; do
        sed -i "s/\\"$name\\": \\"/&\(evil)/" entries/script.hello.json
      done
      sed -i 's/Hello from Lists/\(evil)two\\\\nlines/; s/Examples/\(evil)/' entries/script.hello.json
      sed -i 's/"name": "/&\(evil)/' index.json
      """
    )
    try world.addRegistry()
    let runs = [
      try world.gallery("search"), try world.gallery("search", "--json"),
      try world.gallery("info", "script.hello"),
      try world.gallery("info", "script.hello", "--json"),
      try world.gallery("install", "script.hello", "--yes"),
      try world.gallery("verify"), try world.gallery("sources", "--json"),
      try world.gallery("info", "\u{1B}[2J"),
      try world.gallery("sources", "add", "https://\u{1B}[2J/x"),
    ]
    for run in runs {
      let text = run.outputText + run.errorText
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(text)")
      #expect(!text.unicodeScalars.contains { $0.value == 0x9B || $0.value == 0x202E }, "\(text)")
    }
    #expect(runs[4].status == .exited(code: 0), "\(runs[4].errorText)")
  }

  @Test func `a folder that is no registry is refused without a question`() throws {
    let places = [
      ("/nowhere", "/nowhere: there is no such folder"),
      (world.path, "is not a registry, as it has no index.json"),
      ("/etc/passwd", "/etc/passwd is not a registry"),
    ]
    for (place, words) in places {
      let run = try world.gallery("sources", "add", place)
      #expect(run.status == .exited(code: 66), "\(run.errorText)")
      #expect(run.outputText == "" && run.errorText.contains(words), "\(run.errorText)")
      #expect(!run.errorText.contains("without a signature"), "\(run.errorText)")
    }
    #expect(try !world.gallery("sources").outputText.contains("/etc/passwd"))
  }

  @Test func `without a network it is said what is used, and from when that is`() throws {
    try world.makeRegistry()
    try world.addRegistry()
    try world.shell("mv Lists away")
    let updated = try world.gallery("update")
    #expect(updated.errorText.contains("; what was fetched at "))
    #expect(try world.gallery("search", "hello").outputText.hasPrefix("script.hello"))
  }

  @Test func `a removal that was cut off is finished by the next one`() throws {
    try world.makeRegistry()
    try world.addRegistry()
    _ = try world.gallery("install", "script.hello", "--yes")
    try world.shell("rm data/today/scripts/installed/*; mkdir -p state/today/x")
    let removed = try world.gallery("remove", "script.hello", "--yes")
    #expect(removed.status == .exited(code: 0), "\(removed.errorText)")
    #expect(removed.outputText.hasSuffix("Removed script.hello.\n"))
    #expect(try world.gallery("remove", "script.hello", "--yes").status == .exited(code: 66))
  }

  @Test func `entries are named in whichever case, and completions know their identifiers`() throws
  {
    try world.makeRegistry()
    try world.addRegistry()
    let before = try completions("gallery", "remove")
    #expect(try completions("gallery", "install").contains("script.hello\tHello"))
    #expect(try world.gallery("info", "HELLO").outputText.contains("script.hello"))
    #expect(try world.gallery("install", "hello", "--yes").status == .exited(code: 0))
    #expect(!before.contains("script.hello"))
    #expect(try completions("gallery", "remove").contains("script.hello"))
    #expect(try completions("gallery", "sources") == ["words", "add", "remove"])
    #expect(try completions("gallery", "index") == ["files"])
    #expect(try completions("gallery", "verify") == ["words"])
    #expect(try world.gallery("update", "Hello").status == .exited(code: 0))
    #expect(try world.gallery("remove", "Hello", "--yes").status == .exited(code: 0))
    #expect(try completions("gallery", "remove") == before)
  }

  private func completions(_ words: String...) throws -> [String] {
    try world.user.installed(["completion", "next", "--"] + words + [""]).outputText
      .split(separator: "\n").map(String.init)
  }

  @Test func `what was changed here is overwritten only if that is agreed to`() throws {
    try world.makeRegistry()
    try world.addRegistry()
    _ = try world.gallery("install", "script.hello", "--yes")
    let file = "data/today/scripts/installed/hello.1h.sh"
    try world.shell("echo 'echo mine' >> \(file)")
    let same = try world.gallery("update", "--yes")
    #expect(same.status == .exited(code: 0) && same.outputText.contains("was changed here"))
    #expect(try world.shell("cat \(file)").outputText.contains("mine"))
    try world.release(
      "echo 'echo more' >> scripts/hello.1h.sh; sed -i 's/1.0.0/1.1.0/' entries/*.json"
    )
    let asked = try world.gallery("update")
    #expect(asked.status == .exited(code: 1) && asked.outputText.contains("it was changed here"))
    #expect(try world.shell("cat \(file)").outputText.contains("mine"))
    #expect(try world.gallery("update", "--yes").status == .exited(code: 0))
    #expect(try !world.shell("cat \(file)").outputText.contains("mine"))
  }

  @Test func `another key or another registry is never taken without a word`() throws {
    try world.makeRegistry()
    try world.addRegistry()
    _ = try world.gallery("install", "script.hello", "--yes")
    try world.shell("cp -a Lists Others")
    let others = "file://\(world.path)/Others"
    let added = try world.gallery(
      "sources",
      "add",
      others,
      "--key",
      "\(world.registry)/minisign.pub"
    )
    #expect(added.status == .exited(code: 0), "\(added.errorText)")
    #expect(try world.gallery("search", "hello").outputText.contains("from \(others)"))
    let other = try world.gallery("install", "script.hello", "--from", others, "--yes")
    #expect(other.status == .exited(code: 1), "\(other.outputText)")
    #expect(other.errorText.contains("was installed from \(world.address)"), "\(other.errorText)")
    let known = try world.gallery("sources", "--json").outputText
    try world.shell("rm key; cd Lists; minisign -G -W -f -p minisign.pub -s ../key >/dev/null")
    try world.release("echo '# more' >> scripts/hello.1h.sh")
    let key = "\(world.registry)/minisign.pub"
    for arguments in [["--yes"], ["--key", key], ["--key", key, "--yes"]] {
      let again = try world.user.installed(
        ["gallery", "sources", "add", world.address] + arguments
      )
      #expect(again.status == .exited(code: 1))
      #expect(again.errorText.contains("another key was pinned"), "\(again.errorText)")
    }
    #expect(try world.gallery("sources", "--json").outputText == known)
  }

  @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed"))
  func `killed at each rename, the old or the new version is there whole`() throws {
    try world.makeRegistry()
    try world.shell("mkdir tools; git init -q tools")
    let bundle = "\(world.path)/tools/Good.widget"
    try FileManager.default.copyItem(
      atPath: "\(TestWorld.fixtures)/Good.widget",
      toPath: bundle
    )
    func publish(_ version: String) throws {
      try world.shell(
        "cd tools; echo \(version) > Good.widget/content; git add -A; git commit -qm x"
      )
      let commit = try world.shell("git -C tools rev-parse HEAD").outputText.prefix { $0 != "\n" }
      try world.user.write(
        """
        {
          "id": "\(good)", "name": "Good", "description": "x", "version": "\(version)",
          "license": "MIT", "source": { "repository": "file://\(world.path)/tools",
          "commit": "\(commit)", "path": "Good.widget" }
        }
        """,
        to: "\(world.registry)/entries/\(good).json"
      )
      try world.release()
    }
    try publish("1")
    try world.addRegistry()
    let first = try world.gallery("install", good, "--yes")
    #expect(first.status == .exited(code: 0), "\(first.errorText)")
    try publish("2")
    try world.shell("mkdir saved; cp -a data state cache saved")
    var killed = 0
    for number in 1...20 {
      try world.shell("rm -rf data state cache; cp -a saved/. .")
      let calls = "rename,renameat,renameat2"
      let run = try ProgramRun(
        ProgramDescription(
          "/usr/bin/strace",
          [
            "-f", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
            "inject=\(calls):signal=KILL:when=\(number)", BuiltProgram.path ?? "", "gallery",
            "update", good,
          ],
          environment: world.user.environment(term: nil),
          directory: world.path
        )
      )
      if run.status != .exited(code: 0) { killed += 1 }
      let content = try world.shell("cat data/today/widgets/Good.widget/content").outputText
      let verified = try world.gallery("verify").outputText
      let version = content.prefix { $0 != "\n" }
      #expect(["1", "2"].contains(version), "\(number)")
      #expect(verified.contains("\(good) \(version)  unchanged"), "\(number): \(verified)")
      let again = try world.gallery("update", good)
      #expect(again.status == .exited(code: 0), "\(number): \(again.errorText)")
      #expect(try world.shell("cat data/today/widgets/Good.widget/content").outputText == "2\n")
    }
    #expect(killed > 4)
  }

  @Test func `on the page an entry is shown with its picture, installed and added`() throws {
    try world.makeRegistry()
    try world.addRegistry()
    let terminal = try world.user.openInstalledPage(rows: 40)
    try terminal.waitForText("Today")
    try terminal.type("e")
    try terminal.waitForText("Done")
    try terminal.type("a")
    try terminal.waitForText("Available")
    try terminal.type("\u{1B}OC")
    // Among the entries that come with the program.
    try terminal.type("hello")
    try terminal.waitForText("An example to change or delete.")
    try terminal.waitForText("Hello from Lists")
    try terminal.press(.enter)
    try terminal.waitForText("and add it to this page?")
    try terminal.press(.escape)
    try terminal.wait(for: "no question") { !$0.contains("and add it to this page?") }
    try terminal.press(.enter)
    try terminal.waitForText("and add it to this page?")
    try terminal.press(.enter)
    try terminal.wait(for: "the page with the card") {
      $0.contains("Hello from Lists") && !$0.contains("Available")
    }
    #expect(try world.gallery("verify").status == .exited(code: 0))
  }

  @Test func `an entry that is looked for by name is installed on the page that is shown`() throws {
    try world.makeRegistry()
    try world.addRegistry()
    let moved = try world.user.installed(["move", "org.today.System", "--page", "Work"])
    #expect(moved.status == .exited(code: 0), "\(moved.errorText)")
    let terminal = try world.user.openInstalledPage(rows: 40)
    try terminal.waitForText("2 Work")
    try terminal.type("2")
    try terminal.waitForText("CPU")
    try terminal.type(":example to change")
    try terminal.waitForText("Search the gallery of widgets")
    try terminal.press(.enter)
    try terminal.waitForText("An example to change or delete.")
    try terminal.press(.enter)
    try terminal.waitForText("and add it to this page?")
    try terminal.press(.enter)
    try terminal.wait(for: "the page with the card") {
      $0.contains("Hello from Lists") && !$0.contains("Available")
    }
    let cards = try world.user.installed(["list"]).outputText.split(separator: "\n")
    #expect(cards.contains { $0.contains("script.hello") && $0.contains("(Work)") }, "\(cards)")
  }
}
