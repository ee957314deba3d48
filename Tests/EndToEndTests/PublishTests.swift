import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// A page as a web page in a folder of this machine.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct PublishTests {
  private static let counting = "com.example.fixture.counting"
  private static let hidden = "com.example.fixture.private"
  private static let good = "com.example.fixture.good"

  private func text(_ world: TestWorld, _ name: String = "index.html") -> String {
    (try? String(contentsOfFile: "\(world.path)/www/\(name)", encoding: .utf8)) ?? ""
  }

  private func files(_ world: TestWorld) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(world.path)/www")) ?? []).sorted()
  }

  /// Where and when each file was written.
  private func identities(_ world: TestWorld) -> [String: [Int]] {
    var result: [String: [Int]] = [:]
    for name in files(world) {
      var status = stat()
      guard unsafe lstat("\(world.path)/www/\(name)", &status) == 0 else { continue }
      result[name] = [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
    return result
  }

  private func publish(_ world: TestWorld, _ arguments: [String]) throws -> ProgramRun {
    try world.run(["publish", "Home", "--to", "www"] + arguments)
  }

  @Test func `the first time it lists the cards, and publishes nothing without agreement`() throws {
    let world = try TestWorld(fixtures: ["Good", "Private"])
    let refused = try publish(world, ["--once"])
    #expect(refused.status == .exited(code: 77))
    for words in [Self.good, Self.hidden, "\(world.path)/www", "--yes", "--only"] {
      #expect(refused.errorText.contains(words), "\(refused.errorText)")
    }
    #expect(files(world) == [] && world.processesLeft() == [])
    for time in ["0s", "-1s", "nan", "2d", "1e300s"] {
      #expect(try publish(world, ["--once", "--yes", "--every", time]).status == .exited(code: 64))
    }
    #expect(files(world) == [])
    let agreed = try publish(world, ["--once", "--yes"])
    #expect(agreed.status == .exited(code: 0), "\(agreed.errorText)")
    #expect(
      files(world) == [
        ".today-publish.json", "card-\(Self.good).svg", "card-\(Self.hidden).svg", "index.html",
        "page.svg",
      ]
    )
    #expect(text(world).contains("All is well") && text(world).contains("<h2>Good</h2>"))
    let again = try publish(world, ["--once"])
    #expect(again.status == .exited(code: 0) && again.errorText.isEmpty, "\(again.errorText)")
    #expect(world.processesLeft() == [])
  }

  @Test func `what is private, and what is pressed, is in no file`() throws {
    let world = try TestWorld(fixtures: ["Private"])
    #expect(try publish(world, ["--once", "--yes"]).status == .exited(code: 0))
    for name in files(world) {
      #expect(!text(world, name).contains("4711"), "\(name)")
      #expect(!text(world, name).contains("Count"), "\(name)")
    }
    #expect(text(world).contains("presses: 0"))
    #expect(text(world).contains("<a href=\"https://example.com/statement\""))
  }

  @Test func `in a terminal it asks, and no is no`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    for (answer, code) in [("n", Int32(77)), ("y", 0)] {
      let terminal = try PseudoTerminal(
        world.today(["publish", "Home", "--to", "www", "--once"]),
        columns: 100,
        rows: 30
      )
      try terminal.waitForText("Publish these cards? [y/N]")
      #expect(terminal.screen.contains(Self.good) && files(world) == [])
      try terminal.type("\(answer)\r")
      #expect(try terminal.waitForEnd() == .exited(code: code))
    }
    #expect(text(world).contains("All is well"))
  }

  @Test func `only the cards that are named are published, and one that comes later is not`() throws
  {
    let world = try TestWorld(fixtures: ["Good", "Private"])
    let run = try publish(world, ["--once", "--only", Self.good])
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    #expect(!text(world).contains("<h2>Private</h2>") && text(world).contains("<h2>Good</h2>"))
    try world.add(fixture: "Counting")
    let later = try publish(world, ["--once"])
    #expect(later.status == .exited(code: 0))
    #expect(later.errorText.contains("not published without your agreement"), "\(later.errorText)")
    #expect(later.errorText.contains(Self.counting) && !later.errorText.contains(Self.good))
    #expect(!text(world).contains("<h2>Counting</h2>"))
    #expect(try publish(world, ["--once", "--yes"]).status == .exited(code: 0))
    #expect(text(world).contains("<h2>Counting</h2>"))
    // The picture of a card that is left out is gone.
    #expect(try publish(world, ["--once", "--only", Self.good]).status == .exited(code: 0))
    #expect(!files(world).contains("card-\(Self.counting).svg"))
    #expect(try publish(world, ["--once", "--only", "nobody"]).status == .exited(code: 66))
  }

  @Test func `it writes only when something has changed, and ends in order`() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    let terminal = try PseudoTerminal(
      world.today(["publish", "Home", "--to", "www", "--every", "1s", "--yes"]),
      columns: 100,
      rows: 30
    )
    try terminal.waitForText("published: 2 cards")
    let first = identities(world)
    #expect(first.count == 5)
    try terminal.pass(.seconds(3))
    #expect(identities(world) == first)
    #expect(try world.run(["has-content", Self.counting, "off"]).status == .exited(code: 0))
    try terminal.wait(for: "the page without the card") { _ in
      !text(world).contains("<h2>Counting</h2>")
    }
    let second = identities(world)
    #expect(second["card-\(Self.good).svg"] == first["card-\(Self.good).svg"])
    #expect(second["index.html"] != first["index.html"])
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  @Test
  func `a card that moves to another page is published no longer, and one that comes is named`()
    throws
  {
    let world = try TestWorld(fixtures: ["Counting", "Good", "Private"])
    try world.install()
    for arguments in [[Self.good], [Self.counting], [Self.hidden, "--page", "Work"]] {
      #expect(try world.installed(["add"] + arguments).status == .exited(code: 0))
    }
    let cards = ["--only", Self.good, "--only", Self.counting]
    let terminal = try PseudoTerminal(
      world.installedProgram(["publish", "Home", "--to", "www", "--every", "1s"] + cards),
      columns: 100,
      rows: 30
    )
    try terminal.waitForText("published: 2 cards")
    #expect(text(world).contains("<h2>Counting</h2>"))
    let away = ["move", Self.counting, "--page", "Work"]
    #expect(try world.installed(away).status == .exited(code: 0))
    try terminal.wait(for: "the page without the card") { _ in
      !text(world).contains("<h2>Counting</h2>")
    }
    #expect(!text(world, "page.svg").contains("Counting"))
    let here = ["move", Self.hidden, "--page", "Home"]
    #expect(try world.installed(here).status == .exited(code: 0))
    try terminal.waitForText("not published without your agreement: \(Self.hidden)")
    #expect(!text(world).contains("<h2>Private</h2>"))
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test(arguments: [1, 2])
  func `pictures of files are on the page, and in its pictures`(_ span: Int) throws {
    let world = try TestWorld(fixtures: ["Painting"])
    try world.saveConfiguration(
      #"{"widgets": {"com.example.fixture.painting": {"span": \#(span)}}}"#
    )
    // So high that it is as wide as the card, which has other widths here than on the page of the user.
    let program = world.today(
      ["publish", "Home", "--to", "www", "--once", "--yes"],
      term: nil,
      variables: ["TODAY_PAINTING_ROWS": "20"]
    )
    let run = try ProgramRun(program)
    #expect(run.status == .exited(code: 0), "\(run.errorText)")
    let pictures =
      text(world).components(separatedBy: "src=\"data:image/png;base64,iVBOR").count - 1
    #expect(pictures == span)
    #expect(text(world).components(separatedBy: "<pre").count - 1 == span)
    for name in ["page.svg", "card-com.example.fixture.painting.svg"] {
      #expect(text(world, name).contains("href=\"data:image/png;base64,iVBOR"), "\(name)")
      #expect(!text(world, name).contains("sunset"), "\(name)")
    }
    #expect(world.processesLeft() == [])
  }

  @Test func `a signal before anything is published is no success, and ends the wait`() throws {
    let world = try TestWorld(fixtures: ["Silent"])
    let terminal = try PseudoTerminal(
      world.today(["publish", "Home", "--to", "www", "--once", "--yes"]),
      columns: 100,
      rows: 30
    )
    try terminal.wait(for: "the widget") { _ in
      ProcessList.entries(naming: world.path).contains { $0.commandLine.contains("/silent") }
    }
    terminal.signal(SIGINT)
    #expect(try terminal.waitForEnd() == .exited(code: 130))
    #expect(files(world) == [] && world.processesLeft() == [])
  }

  @Test func `a page and a publisher make one update for both`() throws {
    let world = try TestWorld(fixtures: ["Counting"])
    let publisher = try PseudoTerminal(
      world.today(["publish", "Home", "--to", "www", "--every", "1s", "--yes"]),
      columns: 100,
      rows: 30
    )
    try publisher.waitForText("published: 1 card")
    let page = try world.openDashboard(columns: 60, rows: 30)
    try page.waitForText("started ")
    try page.wait(for: "the updates on appearing") { _ in world.notes("updates") == 2 }
    try page.settle(calm: .milliseconds(300))
    #expect(try world.run(["reload", Self.counting]).status == .exited(code: 0))
    try page.wait(for: "the update that was requested") { _ in world.notes("updates") == 3 }
    try page.settle(calm: .milliseconds(500))
    #expect(world.notes("updates") == 3)
    #expect(try world.run(["refresh", "--due"]).output.isEmpty)
    publisher.signal(SIGTERM)
    try publisher.waitForEnd()
    try page.type("q")
    try page.waitForEnd()
  }

  @Test func `killed at any moment, it leaves whole files, and the next run goes on`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    #expect(try publish(world, ["--once", "--yes"]).status == .exited(code: 0))
    for delay in [0.05, 0.2, 0.4, 0.6] {
      try world.write("", to: "\(world.path)/www/index.html")
      let run = try ProgramRun(
        ProgramDescription(
          "/usr/bin/timeout",
          ["-s", "KILL", "\(delay)"]
            + [BuiltProgram.path ?? "", "publish", "Home", "--to", "www"]
            + ["--widgets", world.widgets],
          environment: world.environment(term: nil),
          directory: world.path
        )
      )
      #expect(run.status != .exited(code: 0))
      let page = text(world)
      #expect(page.isEmpty || page.hasSuffix("</html>\n"))
    }
    #expect(try publish(world, ["--once"]).status == .exited(code: 0))
    #expect(text(world).hasSuffix("</html>\n"))
    #expect(!files(world).contains { $0.hasSuffix(".tmp") })
    #expect(world.processesLeft() == [])
  }

  @Test func `a folder of others is refused, and what is in it stays`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    mkdir("\(world.path)/www", 0o755)
    try world.write("mine", to: "\(world.path)/www/index.html")
    let refused = try publish(world, ["--once", "--only", Self.good])
    #expect(refused.status == .exited(code: 77))
    #expect(refused.errorText.contains("such as index.html"), "\(refused.errorText)")
    #expect(text(world) == "mine")
    // What was agreed to applies to later runs, which may be those of a service.
    #expect(try publish(world, ["--once", "--yes"]).status == .exited(code: 0))
    #expect(text(world).contains("All is well"))
    unlink("\(world.path)/www/.today-publish.json")
    #expect(try publish(world, ["--once"]).status == .exited(code: 0))
  }

  @Test func `another page of the folder is named, and not replaced without agreement`() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    try world.install()
    #expect(try world.installed(["add", Self.good]).status == .exited(code: 0))
    let add = ["add", Self.counting, "--page", "Work"]
    #expect(try world.installed(add).status == .exited(code: 0))
    let home = ["publish", "Home", "--to", "www", "--once", "--only", Self.good]
    #expect(try world.installed(home).status == .exited(code: 0))
    let work = ["publish", "Work", "--to", "www", "--once"]
    let refused = try world.installed(work + ["--only", Self.counting])
    #expect(refused.status == .exited(code: 77))
    #expect(refused.errorText.contains("www has the page “Home”"), "\(refused.errorText)")
    #expect(text(world).contains("<h1>Home</h1>"))
    #expect(try world.installed(work + ["--yes"]).status == .exited(code: 0))
    #expect(text(world).contains("<h1>Work</h1>"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a small file system"))
  func `on a full disk the page before stays whole, and the words say so`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let program = world.today(["publish", "Home", "--to", "www", "--once", "--yes"], term: nil)
    let words = program.arguments.map { "'\($0)'" }.joined(separator: " ")
    let line = """
      mkdir www && mount -t tmpfs -o size=64k none www && '\(program.path)' \(words) &&
      echo old >www/index.html; dd if=/dev/zero of=www/full bs=4096 2>/dev/null
      '\(program.path)' \(words); echo "code $?"; cat www/index.html; ls -a www | grep tmp
      rm www/full; '\(program.path)' \(words) && tail -n 1 www/index.html
      """
    let run = try ProgramRun(
      ProgramDescription(
        "/usr/bin/unshare",
        ["-m", "bash", "-c", line],
        environment: program.environment,
        directory: world.path
      )
    )
    #expect(run.errorText.contains("No space left on device"), "\(run.errorText)")
    #expect(run.outputText.contains("code 69\nold\n"), "\(run.outputText)")
    #expect(run.outputText.hasSuffix("</html>\n"), "\(run.outputText)")
  }

  /// A page with a script, and a systemctl that notes what it is asked for.
  private func serviceWorld(_ systemctl: String = "") throws -> TestWorld {
    let world = try TestWorld()
    try world.script("hello.sh", "# today: interval=1h\necho hello")
    try world.write(
      """
      #!/bin/sh
      echo "$@" >> \(world.path)/systemctl.log
      \(systemctl)
      case "$*" in *is-active*) test -n "$(ls \(units(world)) 2>/dev/null)";; esac
      """,
      to: "\(world.path)/systemctl"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(world.path)/systemctl"
    )
    return world
  }

  private func units(_ world: TestWorld) -> String { "\(world.path)/config/systemd/user" }

  private func service(
    _ world: TestWorld,
    _ arguments: [String],
    place: String = "www"
  ) throws -> ProgramRun {
    var environment = world.environment(term: nil)
    environment["PATH"] = "\(world.path):/usr/bin:/bin"
    return try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "",
        ["publish", "Home", "--to", place] + arguments,
        environment: environment,
        directory: world.path
      )
    )
  }

  @Test func `a service publishes what was agreed to`() throws {
    let world = try serviceWorld()
    let units = units(world)
    #expect(try service(world, ["on"]).status == .exited(code: 77))
    #expect(!FileManager.default.fileExists(atPath: units))
    #expect(try service(world, ["off"]).status == .exited(code: 66))
    let on = try service(world, ["on", "--yes", "--every", "5m", "--as", "nas"])
    #expect(on.status == .exited(code: 0), "\(on.errorText)")
    #expect(text(world).contains("hello"))
    let names = try FileManager.default.contentsOfDirectory(atPath: units)
    let name = try #require(names.first)
    #expect(names.count == 1 && name.hasPrefix("today-publish-"))
    let unit = try String(contentsOfFile: "\(units)/\(name)", encoding: .utf8)
    let words = #""publish" "Home" "--to" "\#(world.path)/www" "--every" "300s" "--as" "nas""#
    #expect(unit.contains(words), "\(unit)")
    #expect(!unit.contains("--yes"))
    #expect(try service(world, ["off"]).outputText.hasPrefix("off"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: units) == [])
    let calls = try String(contentsOfFile: "\(world.path)/systemctl.log", encoding: .utf8)
    #expect(calls.contains("--user enable --now \(name)"))
    #expect(calls.contains("--user disable --now \(name)"))
  }

  @Test func `a service that could never publish is not installed`() throws {
    let world = try serviceWorld()
    mkdir("\(world.path)/www", 0o755)
    try world.write("mine", to: "\(world.path)/www/notes.txt")
    let refused = try service(world, ["on", "--only", "script.hello"])
    #expect(refused.status == .exited(code: 77))
    #expect(refused.errorText.contains("such as notes.txt"), "\(refused.errorText)")
    let name = try service(world, ["on", "--as", "a/b", "--yes"], place: "mqtt://127.0.0.1:1")
    #expect(name.status == .exited(code: 64), "\(name.errorText)")
    #expect(!FileManager.default.fileExists(atPath: units(world)))
    // The service has no --yes, and is agreed to it.
    #expect(try service(world, ["on", "--yes"]).status == .exited(code: 0))
    unlink("\(world.path)/www/.today-publish.json")
    #expect(try service(world, ["--once"]).status == .exited(code: 0))
  }

  @Test func `a service that does not run, or does not end, is said`() throws {
    let world = try serviceWorld("case \"$*\" in *is-active*|*disable*) exit 1;; esac")
    let on = try service(world, ["on", "--yes"])
    #expect(on.status == .exited(code: 1))
    #expect(on.errorText.contains("does not run; “journalctl --user -u today-publish-"))
    let off = try service(world, ["off"])
    #expect(off.status == .exited(code: 1))
    #expect(off.errorText.contains("could not stop today-publish-"), "\(off.errorText)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: units(world)) == [])
  }
}
