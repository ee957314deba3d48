import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today gallery` in the real program, with repositories of git and keys that are made here.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct GalleryTests {
  private let world: TestWorld
  private var registry: String { "\(world.path)/Lists" }
  private var address: String { "file://\(registry)" }
  private let good = "com.example.fixture.good"

  init() throws {
    world = try TestWorld()
    try world.install()
    try shell("git config --global user.name A; git config --global user.email a@example.com")
  }

  @discardableResult
  private func shell(_ command: String) throws -> ProgramRun {
    let run = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-ec", command],
        environment: world.environment(term: nil).merging(["TODAY": BuiltProgram.path ?? ""]) {
          $1
        },
        directory: world.path
      )
    )
    #expect(run.status == .exited(code: 0), "\(command): \(run.errorText)")
    return run
  }

  private func gallery(_ arguments: String...) throws -> ProgramRun {
    try world.installed(["gallery"] + arguments)
  }

  /// A registry with one script, signed.
  private func makeRegistry() throws {
    #expect(try world.installed(["new", "Lists", "--kind", "gallery"]).outputText == "Lists\n")
    try shell("git init -q Lists")
    try release()
  }

  private func release(_ change: String = ":") throws {
    try shell("cd Lists; \(change)")
    let indexed = try gallery("index", registry)
    #expect(indexed.status == .exited(code: 0), "\(indexed.errorText)")
    try shell(
      """
      [ -f key ] || minisign -G -W -p Lists/minisign.pub -s key >/dev/null
      cd Lists; minisign -S -s ../key -m index.json >/dev/null
      git add -A; git commit -qm x
      """
    )
  }

  private func addRegistry() throws {
    let added = try gallery("sources", "add", address, "--key", "\(registry)/minisign.pub")
    #expect(added.status == .exited(code: 0), "\(added.errorText)")
  }

  @Test func `a registry is made, signed, added, searched, installed from and removed`() throws {
    try makeRegistry()
    #expect(try gallery("index", registry, "--check").status == .exited(code: 0))
    let asked = try gallery("sources", "add", address)
    #expect(asked.status == .exited(code: 1))
    #expect(asked.outputText.contains("is signed with its own key"))
    #expect(try gallery("sources").outputText.contains(address) == false)
    try addRegistry()
    #expect(try gallery("search", "hello").outputText.hasPrefix("script.hello  1.0.0  Hello"))
    #expect(try gallery("search", "zzyzx").status == .exited(code: 1))
    #expect(try gallery("info", "script.hello").outputText.contains("    Hello from Lists\n"))
    #expect(try gallery("info", "script.helo").status == .exited(code: 66))
    #expect(try gallery("install", "script.hello").status == .exited(code: 1))
    #expect(try gallery("install", "script.hello", "--yes").status == .exited(code: 0))
    #expect(try world.installed(["list"]).outputText.contains("script.hello"))
    #expect(try gallery("verify").status == .exited(code: 0))
    try shell("echo evil >> data/today/scripts/installed/hello.1h.sh")
    let changed = try gallery("verify")
    #expect(changed.status == .exited(code: 1))
    #expect(changed.outputText.contains("wrong: it was changed since it was installed"))
    #expect(try gallery("remove", "script.hello", "--yes").status == .exited(code: 0))
    #expect(try !world.installed(["list"]).outputText.contains("script.hello"))
    #expect(try gallery("sources", "remove", address).status == .exited(code: 0))
    #expect(try gallery("sources", "remove", address).status == .exited(code: 66))
  }

  @Test func `an update that asks for more is listed, and --yes does not agree to it`() throws {
    try makeRegistry()
    try addRegistry()
    _ = try gallery("install", "script.hello", "--yes")
    try release(
      """
      printf '#!/bin/sh\\n# today: network=true\\necho new\\n' > scripts/hello.1h.sh
      sed -i 's/1.0.0/1.1.0/' entries/script.hello.json
      """
    )
    let refused = try gallery("update", "--yes")
    #expect(refused.status == .exited(code: 1))
    #expect(refused.outputText.contains("script.hello 1.0.0 → 1.1.0\n"))
    #expect(refused.outputText.contains("  + asks to use the network"), "\(refused.outputText)")
    #expect(refused.errorText.contains("only an answer on a terminal agrees to that"))
    let json = try gallery("update", "--yes", "--json")
    #expect(json.status == .exited(code: 1) && json.outputText.contains(#""declined""#))
    #expect(try gallery("install", "script.hello", "--yes").status == .exited(code: 1))
    #expect(try shell("cat data/today/scripts/installed/hello.1h.sh").outputText.contains("Hello"))
    // One that asks for nothing new needs no answer.
    try release(
      """
      printf '#!/bin/sh\\necho newer\\n' > scripts/hello.1h.sh
      sed -i 's/1.1.0/1.2.0/' entries/script.hello.json
      """
    )
    #expect(try gallery("update").status == .exited(code: 0))
    #expect(try shell("cat data/today/scripts/installed/hello.1h.sh").outputText.contains("newer"))
  }

  @Test func `on a terminal an update that asks for more is asked about`() throws {
    try makeRegistry()
    try addRegistry()
    _ = try gallery("install", "script.hello", "--yes")
    try release(
      """
      printf '#!/bin/sh\\n# today: network=true\\necho new\\n' > scripts/hello.1h.sh
      sed -i 's/1.0.0/1.1.0/' entries/script.hello.json
      """
    )
    for (answer, version) in [("n", "1.0.0"), ("y", "1.1.0")] {
      var program = world.installedProgram(["gallery", "update", "--yes"])
      program.environment["TERM"] = "xterm-256color"
      let terminal = try PseudoTerminal(program, columns: 100, rows: 24)
      try terminal.waitForText("asks to use the network")
      try terminal.waitForText("Install it? [y/N]")
      try terminal.type("\(answer)\r")
      _ = try terminal.waitForEnd()
      #expect(try gallery("verify").outputText.contains("script.hello \(version)  unchanged"))
    }
  }

  @Test func `no text of a registry acts on the terminal`() throws {
    try makeRegistry()
    let evil = #"\\u001b]0;evil\\u0007\\u001b[2J\\u009b31m\\u202e"#
    try release(
      """
      for name in name description license; do
        sed -i "s/\\"$name\\": \\"/&\(evil)/" entries/script.hello.json
      done
      sed -i 's/Hello from Lists/\(evil)two\\\\nlines/; s/Examples/\(evil)/' entries/script.hello.json
      sed -i 's/"name": "/&\(evil)/' index.json
      """
    )
    try addRegistry()
    let runs = [
      try gallery("search"), try gallery("search", "--json"), try gallery("info", "script.hello"),
      try gallery("info", "script.hello", "--json"),
      try gallery("install", "script.hello", "--yes"),
      try gallery("verify"), try gallery("sources", "--json"),
      try gallery("info", "\u{1B}[2J"), try gallery("sources", "add", "https://\u{1B}[2J/x"),
    ]
    for run in runs {
      let text = run.outputText + run.errorText
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(text)")
      #expect(!text.unicodeScalars.contains { $0.value == 0x9B || $0.value == 0x202E }, "\(text)")
    }
    #expect(runs[4].status == .exited(code: 0), "\(runs[4].errorText)")
  }

  @Test func `without a network it is said what is used, and from when that is`() throws {
    try makeRegistry()
    try addRegistry()
    try shell("mv Lists away")
    let updated = try gallery("update")
    #expect(updated.errorText.contains("; what was fetched at "))
    #expect(try gallery("search", "hello").outputText.hasPrefix("script.hello"))
  }

  @Test func `a bundle is checked, and proposed as a patch that the maintainer applies`() throws {
    try makeRegistry()
    let made = try world.installed(["new", "Beacon", "--kind", "widget", "--language", "script"])
    #expect(made.status == .exited(code: 0), "\(made.errorText)")
    let name = try #require(made.outputText.split(separator: "\n").first.map(String.init))
    try shell(
      """
      mkdir tools; mv \(made.outputText.replacing("\n", with: " ")) tools
      git init -q tools; cd tools; git add -A; git commit -qm x
      git clone -q --bare . ../tools.git; git remote add origin file://$PWD/../tools.git
      """
    )
    let bundle = "\(world.path)/tools/\(name)"
    let arguments = ["gallery", "publish", bundle, "--to", address, "--license", "MIT"]
    let asked = try world.installed(arguments)
    #expect(asked.status == .exited(code: 1), "\(asked.errorText)")
    let published = try world.installed(arguments + ["--yes"])
    #expect(published.status == .exited(code: 0), "\(published.errorText)")
    try shell("cd Lists; git am -q ../*.patch; ls entries pictures")
    try release()
    try addRegistry()
    #expect(try gallery("search", "beacon").outputText.contains("script.beacon  1.0.0"))
    #expect(try gallery("install", "script.beacon", "--yes").status == .exited(code: 0))
    try world.write("more", to: bundle)
    #expect(try world.installed(arguments).errorText.contains("changes that are not committed"))
  }

  @Test func `publishing writes through no link of a registry, and runs no filter`() throws {
    try makeRegistry()
    try shell(
      """
      mkdir -p tools outside
      git config --global filter.evil.smudge "touch \(world.path)/evil; cat"
      git config --global filter.evil.clean "touch \(world.path)/evil; cat"
      printf '#!/bin/sh\\necho up\\n' > tools/beacon.1m.sh; chmod +x tools/beacon.1m.sh
      git init -q tools; cd tools; git add -A; git commit -qm x
      git clone -q --bare . ../tools.git
      cd ../Lists; git rm -rq --cached pictures || :; rm -rf pictures; ln -s ../../../outside pictures
      echo '* filter=evil' > .gitattributes; git add -A; git commit -qm x; rm -f ../evil
      """
    )
    let arguments = [
      "gallery", "publish", "\(world.path)/tools/beacon.1m.sh", "--to", address, "--license",
      "MIT", "--yes",
    ]
    let lonely = try world.installed(arguments)
    #expect(lonely.errorText.contains("git remote add origin ADDRESS"), "\(lonely.errorText)")
    try shell("cd tools; git remote add origin file://$PWD/../tools.git")
    let refused = try world.installed(arguments)
    #expect(refused.status != .exited(code: 0))
    #expect(refused.errorText.contains("the folder pictures: not a folder"), "\(refused.errorText)")
    try shell("cd Lists; git rm -q pictures; git commit -qm x; rm -f ../evil")
    let published = try world.installed(arguments)
    #expect(published.status == .exited(code: 0), "\(published.errorText)")
    #expect(try shell("ls outside; ls evil || :; ls cache/today/gallery").outputText == "")
  }

  @Test func `a removal that was cut off is finished by the next one`() throws {
    try makeRegistry()
    try addRegistry()
    _ = try gallery("install", "script.hello", "--yes")
    try shell("rm data/today/scripts/installed/*; mkdir -p state/today/x")
    let removed = try gallery("remove", "script.hello", "--yes")
    #expect(removed.status == .exited(code: 0), "\(removed.errorText)")
    #expect(removed.outputText.hasSuffix("Removed script.hello.\n"))
    #expect(try gallery("remove", "script.hello", "--yes").status == .exited(code: 66))
  }

  @Test func `what was changed here is overwritten only if that is agreed to`() throws {
    try makeRegistry()
    try addRegistry()
    _ = try gallery("install", "script.hello", "--yes")
    let file = "data/today/scripts/installed/hello.1h.sh"
    try shell("echo 'echo mine' >> \(file)")
    let same = try gallery("update", "--yes")
    #expect(same.status == .exited(code: 0) && same.outputText.contains("was changed here"))
    #expect(try shell("cat \(file)").outputText.contains("mine"))
    try release("echo 'echo more' >> scripts/hello.1h.sh; sed -i 's/1.0.0/1.1.0/' entries/*.json")
    let asked = try gallery("update")
    #expect(asked.status == .exited(code: 1) && asked.outputText.contains("it was changed here"))
    #expect(try shell("cat \(file)").outputText.contains("mine"))
    #expect(try gallery("update", "--yes").status == .exited(code: 0))
    #expect(try !shell("cat \(file)").outputText.contains("mine"))
  }

  @Test func `another key or another registry is never taken without a word`() throws {
    try makeRegistry()
    try addRegistry()
    _ = try gallery("install", "script.hello", "--yes")
    try shell("cp -a Lists Others")
    let others = "file://\(world.path)/Others"
    let added = try gallery("sources", "add", others, "--key", "\(registry)/minisign.pub")
    #expect(added.status == .exited(code: 0), "\(added.errorText)")
    #expect(try gallery("search", "hello").outputText.contains("from \(others)"))
    let other = try gallery("install", "script.hello", "--from", others, "--yes")
    #expect(other.status == .exited(code: 1), "\(other.outputText)")
    #expect(other.errorText.contains("was installed from \(address)"), "\(other.errorText)")
    let known = try gallery("sources", "--json").outputText
    try shell("rm key; cd Lists; minisign -G -W -f -p minisign.pub -s ../key >/dev/null")
    try release("echo '# more' >> scripts/hello.1h.sh")
    let key = "\(registry)/minisign.pub"
    for arguments in [["--yes"], ["--key", key], ["--key", key, "--yes"]] {
      let again = try world.installed(["gallery", "sources", "add", address] + arguments)
      #expect(again.status == .exited(code: 1))
      #expect(again.errorText.contains("another key was pinned"), "\(again.errorText)")
    }
    #expect(try gallery("sources", "--json").outputText == known)
  }

  @Test func `with gh a bundle becomes a pull request from a fork`() throws {
    try makeRegistry()
    try shell(
      """
      git clone -q --bare Lists fork.git
      git config --global url."\(address)".insteadOf https://github.com/example/lists
      mkdir -p bin tools
      cat > bin/gh <<'END'
      #!/bin/sh
      case "$1 $2" in
      "api user") echo me ;;
      "repo fork") git remote add fork "\(world.path)/fork.git" ;;
      "pr create") printf '%s\\n' "$*" > "\(world.path)/request"; echo https://github.com/example/lists/pull/7 ;;
      esac
      END
      chmod +x bin/gh
      printf '#!/bin/sh\\necho up\\n' > tools/beacon.1m.sh; chmod +x tools/beacon.1m.sh
      git init -q tools; cd tools; git add -A; git commit -qm x
      git clone -q --bare . ../tools.git; git remote add origin file://$PWD/../tools.git
      """
    )
    var program = world.installedProgram([
      "gallery", "publish", "\(world.path)/tools/beacon.1m.sh", "--to",
      "https://github.com/example/lists", "--license", "MIT", "--yes", "--json",
    ])
    program.environment["PATH"] = "\(world.path)/bin:/usr/bin:/bin"
    let run = try ProgramRun(program)
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(run.outputText.contains("https://github.com/example/lists/pull/7"))
    let request = try shell("cat request; git -C fork.git ls-tree -r script.beacon-1.0.0 entries")
    #expect(request.outputText.contains("--repo example/lists --head me:script.beacon-1.0.0"))
    #expect(request.outputText.contains("entries/script.beacon.json"))
  }

  @Test(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed"))
  func `killed at each rename, the old or the new version is there whole`() throws {
    try makeRegistry()
    try shell("mkdir tools; git init -q tools")
    let bundle = "\(world.path)/tools/Good.widget"
    try FileManager.default.copyItem(
      atPath: "\(TestWorld.fixtures)/Good.widget",
      toPath: bundle
    )
    func publish(_ version: String) throws {
      try shell("cd tools; echo \(version) > Good.widget/content; git add -A; git commit -qm x")
      let commit = try shell("git -C tools rev-parse HEAD").outputText.prefix { $0 != "\n" }
      try world.write(
        """
        {
          "id": "\(good)", "name": "Good", "description": "x", "version": "\(version)",
          "license": "MIT", "source": { "repository": "file://\(world.path)/tools",
          "commit": "\(commit)", "path": "Good.widget" }
        }
        """,
        to: "\(registry)/entries/\(good).json"
      )
      try release()
    }
    try publish("1")
    try addRegistry()
    let first = try gallery("install", good, "--yes")
    #expect(first.status == .exited(code: 0), "\(first.errorText)")
    try publish("2")
    try shell("mkdir saved; cp -a data state cache saved")
    var killed = 0
    for number in 1...20 {
      try shell("rm -rf data state cache; cp -a saved/. .")
      let calls = "rename,renameat,renameat2"
      let run = try ProgramRun(
        ProgramDescription(
          "/usr/bin/strace",
          [
            "-f", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
            "inject=\(calls):signal=KILL:when=\(number)", BuiltProgram.path ?? "", "gallery",
            "update", good,
          ],
          environment: world.environment(term: nil),
          directory: world.path
        )
      )
      if run.status != .exited(code: 0) { killed += 1 }
      let content = try shell("cat data/today/widgets/Good.widget/content").outputText
      let verified = try gallery("verify").outputText
      let version = content.prefix { $0 != "\n" }
      #expect(["1", "2"].contains(version), "\(number)")
      #expect(verified.contains("\(good) \(version)  unchanged"), "\(number): \(verified)")
      let again = try gallery("update", good)
      #expect(again.status == .exited(code: 0), "\(number): \(again.errorText)")
      #expect(try shell("cat data/today/widgets/Good.widget/content").outputText == "2\n")
    }
    #expect(killed > 4)
  }

  @Test func `the checks of the template pass, and find what is wrong`() throws {
    try makeRegistry()
    try shell("Lists/check")
    try shell(
      "echo '# more' >> Lists/scripts/hello.1h.sh; sed -i 's/1.0.0/x/' Lists/entries/*.json"
    )
    let wrong = try gallery("index", registry)
    #expect(wrong.status == .exited(code: 1))
    #expect(wrong.errorText.contains("entries/script.hello.json: version: expected"))
  }

  @Test func `on the page an entry is shown with its picture, installed and added`() throws {
    try makeRegistry()
    try addRegistry()
    let terminal = try world.openInstalledPage(rows: 40)
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
    #expect(try gallery("verify").status == .exited(code: 0))
  }
}
