import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Sharing from the page, and actions there, by keys alone.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct PageContentTests {
  private func world(_ fixture: String = "Good") throws -> TestWorld {
    let world = try TestWorld(fixtures: [fixture])
    try world.replaceBundledExtensions()
    try world.script(
      "keep.sh",
      "# today: share accepts=\"public.text, public.url\" title=Keep leaves=false\necho \"$TODAY_TYPE\" >'\(world.path)/type'; cat >'\(world.path)/kept'"
    )
    try world.script("upper.sh", "# today: action accepts=public.text title=Upper\ntr a-z A-Z")
    try world.script("fail.sh", "# today: action accepts=public.text title=Fails\nexit 3")
    return world
  }

  private func text(_ name: String, _ world: TestWorld) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  /// The folders of content that are left.
  private func left(_ world: TestWorld) throws -> [String] {
    try ["tmp", "run/today"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: "\(world.path)/\(folder)")
        .filter { $0.hasPrefix("today-") || $0.hasPrefix("content-") }
        .map { "\(folder)/\($0)" }
    }
  }

  private func open(
    _ world: TestWorld,
    waiting words: String,
    variables: [String: String] = [:]
  ) throws -> PseudoTerminal {
    for folder in ["tmp", "run/today"] {
      try FileManager.default.createDirectory(
        atPath: "\(world.path)/\(folder)",
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
    let terminal = try world.openDashboard(
      variables: ["TMPDIR": "\(world.path)/tmp"].merging(variables) { $1 }
    )
    try terminal.waitForText(words)
    return terminal
  }

  private func quit(_ terminal: PseudoTerminal, _ world: TestWorld) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
    #expect(try left(world) == [])
  }

  @Test func `s shares the text of the card, and the page comes back`() throws {
    let world = try world()
    let terminal = try open(world, waiting: "updates: 1")
    try terminal.type("s")
    try terminal.waitForText("Keep")
    try terminal.type("keep\r")
    try terminal.waitForText("[ Post ]")
    #expect(text("kept", world) == nil)
    try terminal.type([0x13])
    try terminal.wait(for: "the page and the text") {
      $0.contains("updates: 1") && !$0.contains("[ Post ]")
        && text("kept", world)?.hasPrefix("All is well\nupdates: 1\n") == true
    }
    try quit(terminal, world)
  }

  @Test func `what an action returns is copied`() throws {
    let world = try world()
    let terminal = try open(world, waiting: "updates: 1")
    try terminal.type("a")
    try terminal.waitForText("Upper")
    #expect(!terminal.screen.contains("Keep"))
    try terminal.type("upper\r")
    try terminal.waitForText("[ Copy ]")
    #expect(!String(decoding: terminal.screen.bytes, as: UTF8.self).contains("]52;"))
    try terminal.press(.enter)
    try terminal.waitForText("Copied 2 lines to the terminal (OSC 52).")
    let copied = Data("ALL IS WELL\nUPDATES: 1".utf8).base64EncodedString()
    let bytes = String(decoding: terminal.screen.bytes, as: UTF8.self)
    #expect(bytes.contains("]52;c;\(copied)"))
    try quit(terminal, world)
  }

  @Test func `Esc and failures lead back to the page, and copy nothing`() throws {
    let world = try world()
    let terminal = try open(world, waiting: "updates: 1")
    for keys in ["s", "a"] {
      try terminal.type(keys)
      try terminal.waitForText("esc cancel")
      try terminal.press(.escape)
      try terminal.wait(for: "the page") { $0.contains("updates: 1") && !$0.contains("esc cancel") }
    }
    try terminal.type("a")
    try terminal.waitForText("Fails")
    try terminal.type("fails\r")
    try terminal.waitForText("Fails: ")
    #expect(!String(decoding: terminal.screen.bytes, as: UTF8.self).contains("]52;"))
    try quit(terminal, world)
  }

  @Test func `a link with the focus is shared as an address`() throws {
    let world = try world("Private")
    let terminal = try open(world, waiting: "Statement")
    try terminal.press(.tab)
    try terminal.waitForText("opens https://example.com/statement")
    try terminal.type("s")
    try terminal.waitForText("Keep")
    try terminal.type("keep\r")
    try terminal.waitForText("[ Post ]")
    try terminal.type([0x13])
    try terminal.wait(for: "the page") { $0.contains("Statement") && !$0.contains("[ Post ]") }
    try terminal.wait(for: "the content") { _ in
      text("kept", world) == "https://example.com/statement" && text("type", world) != nil
    }
    #expect(text("type", world) == "public.url\n")
    try quit(terminal, world)
  }

  @Test(arguments: [true, false])
  func `content on its way has no name among the files, also when the page ends`(isKilled: Bool)
    throws
  {
    let world = try world()
    let terminal = try open(world, waiting: "updates: 1")
    try terminal.type("s")
    try terminal.waitForText("esc cancel")
    #expect(try left(world) == [])
    if isKilled {
      terminal.signal(SIGTERM)
      try terminal.waitForEnd()
      #expect(world.processesLeft() == [])
    } else {
      try terminal.press(.escape)
      try terminal.wait(for: "the page") { !$0.contains("esc cancel") }
      try quit(terminal, world)
    }
    #expect(try left(world) == [])
  }

  @Test func `a locked page shares nothing`() throws {
    let world = try world()
    let terminal = try open(world, waiting: "updates: 1")
    try terminal.type("L")
    try terminal.waitForText("locked")
    for key in ["s", "a"] {
      try terminal.type(key)
      try terminal.waitForText("The page is locked.")
      #expect(terminal.screen.isAlternate)
    }
    try quit(terminal, world)
  }
}
