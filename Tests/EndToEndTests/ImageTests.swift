import FoundationEssentials
import Testing
import WidgetTestSupport

/// Pictures of widgets, in the real program with its decoder.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct ImageTests {
  private func sent(_ terminal: PseudoTerminal) -> String {
    String(decoding: terminal.screen.bytes, as: UTF8.self)
  }

  /// Whether characters are blocks, which only pictures have here.
  private func hasBlocks(_ text: String) -> Bool {
    text.unicodeScalars.contains { (0x2580...0x259F).contains($0.value) }
  }

  @Test func `a snapshot has the picture in every format`() throws {
    let world = try TestWorld(fixtures: ["Painting"])
    let alt = "A sunset over a lake"
    for format in ["text", "ansi"] {
      let run = try world.run(["snapshot", "--format", format])
      #expect(run.status == .exited(code: 0), "\(run.errorText)")
      #expect(hasBlocks(run.outputText) && !run.outputText.contains(alt))
    }
    for format in ["svg", "html"] {
      let run = try world.run(["snapshot", "--format", format])
      #expect(run.outputText.contains("data:image/png;base64,iVBOR"))
      #expect(!run.outputText.contains(">\(alt)<"))
    }
    // The same from what was stored.
    let cached = try world.run(["snapshot", "--cached", "--format", "svg"])
    #expect(cached.outputText.contains("data:image/png;base64,iVBOR"), "\(cached.errorText)")
    for arguments in [["--plain"], ["--format", "json"]] {
      let run = try world.run(["snapshot"] + arguments)
      #expect(run.outputText.contains(alt) && !hasBlocks(run.outputText))
    }
    #expect(world.processesLeft().isEmpty)
  }

  @Test func `a script that was never run before is printed with its picture`() throws {
    let world = try TestWorld()
    let path = "\(world.path)/picture.sh"
    let pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    try world.write(
      "#!/bin/sh\n# today: format=xbar\nprintf '%s\\n' title --- '| image=\(pixel)'\n",
      to: path
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    for format in ["svg", "text"] {
      let fresh = try TestWorld()
      let run = try ProgramRun(
        fresh.today(["snapshot", "--bundle", path, "--format", format], term: nil)
      )
      #expect(run.status == .exited(code: 0), "\(run.outputText.suffix(400)) \(run.errorText)")
      #expect(!run.outputText.contains("timed out"))
      #expect(format != "svg" || run.outputText.contains("data:image/png"))
    }
  }

  @Test func `a terminal without graphics gets characters`() throws {
    let world = try TestWorld(fixtures: ["Painting"])
    let terminal = try world.openDashboard(variables: ["COLORTERM": "truecolor"])
    try terminal.waitForText("Evening at the lake")
    try terminal.wait(for: "the picture") { (screen: TestScreen) in hasBlocks(screen.text) }
    #expect(!terminal.screen.contains("A sunset"))
    // Its answers are no keys: the page is as it was.
    #expect(terminal.screen.contains("Evening at the lake"))
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft().isEmpty)
  }

  @Test func `a terminal with the graphics of kitty gets the picture and its characters`() throws {
    let world = try TestWorld(fixtures: ["Painting"])
    let terminal = try world.openDashboard(term: "xterm-256color")
    try terminal.wait(for: "the question") { (_: TestScreen) in sent(terminal).contains("a=q") }
    try terminal.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4c")
    try terminal.wait(for: "the picture") { (_: TestScreen) in
      sent(terminal).contains("\u{1B}_Ga=T,U=1,q=2,f=100")
    }
    try terminal.wait(for: "its characters") { (_: TestScreen) in
      sent(terminal).contains("\u{10EEEE}\u{305}\u{305}")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(sent(terminal).contains("\u{1B}_Ga=d,d=I,i="))
    #expect(world.processesLeft().isEmpty)
  }

  @Test func `Ctrl-Z removes the picture from the terminal, and fg sends it again`() throws {
    let world = try TestWorld(fixtures: ["Painting"])
    let terminal = try world.openDashboard()
    let answer = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4c"
    let count = { (text: String) in sent(terminal).ranges(of: text).count }
    try terminal.wait(for: "the question") { (_: TestScreen) in count("a=q") == 1 }
    try terminal.type(answer)
    try terminal.wait(for: "the picture") { (_: TestScreen) in count("a=T,U=1") == 1 }
    try terminal.settle()
    try terminal.press(.controlZ)
    try terminal.wait(
      for: "the stop",
      status: { if case .stopped = $0 { true } else { false } }
    )
    #expect(count("\u{1B}_Ga=d,d=I,i=") == 1)
    terminal.foreground()
    try terminal.wait(for: "the question again") { (_: TestScreen) in count("a=q") == 2 }
    try terminal.type(answer)
    try terminal.wait(for: "the picture again") { (_: TestScreen) in count("a=T,U=1") == 2 }
    // It was sent once, to the screen that shows it.
    try terminal.settle()
    #expect(count("a=T,U=1") == 2 && count("a=q") == 2)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `a terminal with sixels gets them`() throws {
    let world = try TestWorld(fixtures: ["Painting"])
    let terminal = try world.openDashboard()
    try terminal.wait(for: "the question") { (_: TestScreen) in
      sent(terminal).contains("\u{1B}[16t")
    }
    try terminal.type("\u{1B}[6;20;10t\u{1B}[?62;4c")
    try terminal.wait(for: "the picture") { (_: TestScreen) in
      sent(terminal).contains("\u{1B}P0;1;0q\"1;1;")
    }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test(arguments: ["../../../../etc/passwd", "/etc/passwd", "Info.plist"])
  func `a picture outside of the bundle is refused, and the log says why`(_ path: String) throws {
    let world = try TestWorld(fixtures: ["Painting"])
    let program = world.today(["snapshot"], term: nil, variables: ["TODAY_PAINTING": path])
    let run = try ProgramRun(program)
    #expect(run.outputText.contains("A sunset over a lake"))
    let log = try world.run(["log", "com.example.fixture.painting"]).outputText
    #expect(log.contains("image “\(path)” is "), "\(log)")
  }
}
