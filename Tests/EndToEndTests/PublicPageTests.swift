import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// A page for everybody, as the login of a real sshd on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: SecureShellServer.isThere, "no sshd; install openssh-server"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct PublicPageTests {
  let world: TestWorld

  init() throws {
    world = try TestWorld()
  }

  private static let secret = "zanzibar"

  /// A machine whose login is its page Wall: the number of its updates, a card with a press, and what is nobody's business.
  private func makeServer(
    _ arguments: String = "",
    options: [String] = []
  ) throws -> SecureShellServer {
    let server = try SecureShellServer(
      fixtures: ["Good"],
      options: ["ForceCommand today serve --public Wall \(arguments)"] + options
    )
    try server.there.script(
      "count.1h.sh",
      "echo x >>\(server.there.path)/runs\necho \"Count $(wc -l <\(server.there.path)/runs)\""
    )
    try server.there.script("hidden.1h.sh", "echo \(Self.secret)")
    try server.there.script(
      "other.1h.sh",
      "echo x >>\(server.there.path)/others\necho other page"
    )
    try configure(
      server,
      cards: "\"script.count\", \"com.example.fixture.good\", \"script.hidden\""
    )
    return server
  }

  private func configure(_ server: SecureShellServer, cards: String) throws {
    try server.there.saveConfiguration(
      """
      { sandbox: "off",
        keys: { F5: { run: ["touch", "\(server.there.path)/pwned"] },
          Q: { run: ["touch", "\(server.there.path)/pwned"] } },
        pages: [
          { name: "Wall", cards: [\(cards)] },
          { name: "Own", cards: [\(cards.contains("script.other") ? "" : "\"script.other\"")] },
        ],
        widgets: { "script.count": { allowWhenLocked: true },
          "script.other": { allowWhenLocked: true },
          "com.example.fixture.good": { allowWhenLocked: true } } }
      """
    )
  }

  private func client(_ server: SecureShellServer, _ arguments: [String], term: String? = nil)
    throws -> ProgramDescription
  {
    var environment = world.environment(term: term)
    let bin = try server.makeClient()
    environment["PATH"] = "\(bin):/usr/bin:/bin"
    return ProgramDescription(
      "\(bin)/ssh",
      arguments,
      environment: environment,
      directory: world.path
    )
  }

  private func look(_ server: SecureShellServer, rows: Int = 30) throws -> PseudoTerminal {
    try PseudoTerminal(
      client(server, ["-t", "there"], term: "xterm-256color"),
      columns: 90,
      rows: rows
    )
  }

  private func processes(_ name: String, _ server: SecureShellServer) -> [Int32] {
    ProcessList.entries(withVariablesNaming: server.there.path)
      .filter { $0.commandLine.contains(" \(name) ") }.map(\.pid)
  }

  /// An engine stays for half a minute after the last viewer.
  private func endEngines(_ server: SecureShellServer) {
    for engine in processes("serve-public", server) { kill(engine, SIGKILL) }
  }

  private func wait(_ words: String, until holds: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(60)
    while !holds(), ContinuousClock.now < deadline { sched_yield() }
    #expect(holds(), "\(words)")
  }

  /// What is in some folders: paths with permissions, sizes and contents.
  private func state(_ server: SecureShellServer) throws -> [String: String] {
    var found: [String: String] = [:]
    let files = FileManager.default
    for folder in ["home", "config", "data", "state/today/pages", "state/today/settings"] {
      let root = "\(server.there.path)/\(folder)"
      for name in files.enumerator(atPath: root)?.allObjects as? [String] ?? [] {
        let path = "\(root)/\(name)"
        let facts = try files.attributesOfItem(atPath: path)
        let text = files.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        found[path] = "\(facts[.posixPermissions] ?? "") \(text ?? "")"
      }
    }
    return found
  }

  @Test
  func
    `widgets of other pages do not run, and one that comes to the page is there at the next login`()
    throws
  {
    let server = try makeServer()
    defer { endEngines(server) }
    let terminal = try look(server)
    try terminal.waitForText("Count 1")
    try terminal.waitForText("All is well")
    try terminal.settle()
    #expect(!FileManager.default.fileExists(atPath: "\(server.there.path)/others"))
    try configure(server, cards: "\"script.other\", \"com.example.fixture.good\"")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let next = try look(server)
    try next.waitForText("other page")
    try next.waitForText("All is well")
    try next.type("q")
    #expect(try next.waitForEnd() == .exited(code: 0))
  }

  @Test func `every key on a public page changes nothing, and the page stays locked`() throws {
    let server = try makeServer()
    defer { endEngines(server) }
    let terminal = try look(server)
    try terminal.waitForText("Count 1")
    try terminal.waitForText("All is well")
    let before = try state(server)
    let keys =
      (0x20..<0x7F).map { [UInt8($0)] } + (1..<0x20).map { [UInt8($0)] }
      + [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}[Z", "\u{1B}[3~", "\u{1B}[5~",
        "\u{1B}[6~", "\u{1B}[H", "\u{1B}[F", "\u{1B}[15~", "\u{1B}OP", "\u{1B}[24~", "\u{1B}x",
        "\u{1B}[<0;4;4M", "\u{1B}[<0;4;4m", "\u{1B}[<2;4;5M", "\u{1B}[200~!touch x\n\u{1B}[201~",
        "\u{7F}", "\r",
      ].map { Array($0.utf8) }
    // Quitting is what q and Ctrl-C are for.
    for key in keys where key != [0x71] && key != [3] {
      try terminal.type(key)
      // Lets Esc be a key of its own.
      if key == [0x1B] { try terminal.pass(.milliseconds(200)) }
      _ = try terminal.pump(until: .now + .milliseconds(20))
      #expect(!terminal.screen.contains(Self.secret), "after \(key)")
      #expect(!terminal.screen.contains("other page"), "after \(key)")
    }
    try terminal.click("More")
    try terminal.type("L")
    try terminal.waitForText("This page stays locked.")
    try terminal.type("e")
    try terminal.waitForText("This page can only be looked at")
    #expect(terminal.screen.contains("locked"))
    #expect(!terminal.screen.contains("Less"))
    #expect(try state(server) == before)
    #expect(!FileManager.default.fileExists(atPath: "\(server.there.path)/pwned"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(try lines("runs", server) == 1, "one refresh")
  }

  private func lines(_ name: String, _ server: SecureShellServer) throws -> Int {
    try String(contentsOfFile: "\(server.there.path)/\(name)", encoding: .utf8)
      .split(separator: "\n").count
  }

  @Test func `a viewer of a public page is confined and has no shell behind it`() throws {
    let server = try makeServer()
    defer { endEngines(server) }
    let terminal = try look(server)
    try terminal.waitForText("Count 1")
    let viewers = processes("serve --public", server).filter { pid in
      status(pid).contains("Seccomp:\t2") && status(pid).contains("NoNewPrivs:\t1")
    }
    #expect(viewers.count == 1)
    try terminal.type("\u{1A}")
    try terminal.waitForText("This page can only be looked at")
    #expect(viewers.allSatisfy { ProcessList.state(of: $0) != "T" })
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    wait("nothing stands by for one who has gone") { processes("serve --public", server).isEmpty }
  }

  private func status(_ pid: Int32) -> String {
    String(
      decoding: FileManager.default.contents(atPath: "/proc/\(pid)/status") ?? Data(),
      as: UTF8.self
    )
  }

  @Test func `many viewers share one engine, which is replaced when it is killed`() throws {
    let server = try makeServer()
    defer { endEngines(server) }
    let program = try client(server, ["-t", "there"], term: "xterm-256color")
    let terminals = try (0..<4).map { _ in try PseudoTerminal(program, columns: 90, rows: 30) }
    for terminal in terminals { try terminal.waitForText("Count 1") }
    #expect(try lines("runs", server) == 1)
    let engines = processes("serve-public", server)
    #expect(engines.count == 1)
    // The first viewer has started it, and goes.
    try terminals[0].type("q")
    #expect(try terminals[0].waitForEnd() == .exited(code: 0))
    #expect(processes("serve-public", server) == engines)
    for engine in engines { kill(engine, SIGKILL) }
    wait("another engine") {
      let now = processes("serve-public", server)
      return now.count == 1 && now != engines
    }
    for terminal in terminals.dropFirst() {
      try terminal.type("q")
      #expect(try terminal.waitForEnd() == .exited(code: 0))
    }
  }

  @Test func `an engine ends when nobody looks at its page any more`() throws {
    let server = try makeServer()
    defer { endEngines(server) }
    let terminal = try look(server)
    try terminal.waitForText("Count 1")
    // What the engine stores comes to the page.
    #expect(try server.there.installed(["reload", "script.count"]).status == .exited(code: 0))
    try terminal.waitForText("Count 2")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    wait("the end of the engine") { processes("serve-public", server).isEmpty }
    #expect(server.there.processesLeft() == [])
  }

  @Test func `a public page is printed without a terminal, and a command is not run`() throws {
    let server = try makeServer()
    defer { endEngines(server) }
    for arguments in [["-T", "there"], ["there", "touch \(server.there.path)/pwned"]] {
      let run = try ProgramRun(client(server, arguments), patience: 2)
      #expect(run.status == .exited(code: 0), "\(run.errorText)")
      #expect(run.outputText.contains("Count 1"), "\(run.outputText)")
      #expect(run.outputText.contains("hidden"))
      #expect(!run.outputText.contains(Self.secret))
      #expect(!run.outputText.contains("\u{1B}"))
    }
    #expect(!FileManager.default.fileExists(atPath: "\(server.there.path)/pwned"))
  }

  @Test func `one viewer more than allowed is refused with words`() throws {
    let server = try makeServer("--viewers 1")
    defer { endEngines(server) }
    let terminal = try look(server)
    try terminal.waitForText("Count 1")
    let run = try ProgramRun(client(server, ["-T", "there"]))
    #expect(run.status == .exited(code: 69))
    #expect(run.errorText.contains("somebody looks at this page already"), "\(run.errorText)")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let again = try ProgramRun(client(server, ["-T", "there"]))
    #expect(again.status == .exited(code: 0), "\(again.errorText)")
  }

  @Test func `a visitor is told neither what is wrong in settings nor which pages there are`()
    throws
  {
    let server = try makeServer()
    defer { endEngines(server) }
    let file = "\(server.there.path)/config/today/config.json"
    let settings = try String(contentsOfFile: file, encoding: .utf8)
    try server.there.saveConfiguration(
      settings.replacing("sandbox:", with: "refresh: \"\(Self.secret)\", sandbox:")
    )
    let run = try ProgramRun(client(server, ["-T", "there"]), patience: 2)
    #expect(run.status == .exited(code: 0))
    #expect(run.outputText.contains("Count 1"))
    // ssh itself says that it knows the machine now.
    #expect(!run.errorText.contains("today:"), "\(run.errorText)")
    try server.there.saveConfiguration(settings.replacing(#""Wall""#, with: #""Hall""#))
    let none = try ProgramRun(client(server, ["-T", "there"]), patience: 2)
    #expect(none.status == .exited(code: 66))
    #expect(none.errorText.contains("today: there is no such page"), "\(none.errorText)")
    #expect(!none.errorText.contains("Hall"))
  }

  @Test func `a terminal of any size is drawn on within limits`() throws {
    let server = try makeServer()
    defer { endEngines(server) }
    let terminal = try PseudoTerminal(
      client(server, ["-t", "there"], term: "xterm-256color"),
      columns: 1_500,
      rows: 400
    )
    try terminal.waitForText("Count 1")
    // From one long side to the other: a screen between both would have a hundred times as many cells.
    for (columns, rows) in [(30, 2_000), (2_000, 30), (30, 2_000)] {
      try terminal.resize(columns: columns, rows: rows)
      try terminal.waitForText("Count 1")
    }
    for viewer in processes("serve --public", server) {
      let words = status(viewer).split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
      let kibibytes = words.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
      #expect(kibibytes < 80 << 10, "\(words)")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `what a login says of itself does not reach the programs of a public page`() throws {
    let server = try makeServer(options: ["AcceptEnv *"])
    defer { endEngines(server) }
    let bus = "DBUS_SESSION_BUS_ADDRESS=unixexec:path=/bin/touch,argv1=\(server.there.path)/pwned"
    let marks = ["-o", "SetEnv LC_ALL=xx_XX TODAY_X=evil TERMINFO=/tmp GCONV_PATH=/tmp \(bus)"]
    let run = try ProgramRun(client(server, marks + ["-T", "there"]))
    #expect(run.outputText.contains("Count 1"), "\(run.errorText)")
    let engines = processes("serve-public", server)
    #expect(engines.count == 1)
    for engine in engines {
      let words = FileManager.default.contents(atPath: "/proc/\(engine)/environ") ?? Data()
      let text = String(decoding: words, as: UTF8.self)
      for name in ["LC_ALL", "TODAY_X", "TERMINFO", "GCONV_PATH", "SSH_", "unixexec"] {
        #expect(!text.contains(name))
      }
    }
    #expect(!FileManager.default.fileExists(atPath: "\(server.there.path)/pwned"))
    // A terminal that nobody knows gets the text.
    let unknown = try PseudoTerminal(
      client(server, ["-t", "there"], term: "../../etc/passwd"),
      columns: 90,
      rows: 30
    )
    try unknown.waitForText("Count 1")
    _ = try unknown.waitForEnd()
  }
}
