import FoundationEssentials
import Testing
import WidgetTestSupport

/// What widgets are told of the focus and of a hidden page, in the real program.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct FocusTests {
  /// The messages that the widget was sent, without those before its view appeared and its updates.
  private func told(_ world: TestWorld) -> [String] {
    let text = (try? String(contentsOfFile: "\(world.path)/trace", encoding: .utf8)) ?? ""
    let names = text.split(separator: "\n").filter { $0.contains(#""direction":"to""#) }
      .compactMap { line in
        line.firstRange(of: #""method":""#).map { line[$0.upperBound...].prefix { $0 != "\"" } }
      }
    return names.filter { $0.hasPrefix("view") || $0.hasPrefix("host") }.map(String.init)
  }

  private func sent(_ terminal: PseudoTerminal) -> String {
    String(decoding: terminal.screen.bytes, as: UTF8.self)
  }

  private func count(_ text: String, in terminal: PseudoTerminal) -> Int {
    sent(terminal).components(separatedBy: text).count - 1
  }

  @Test func `the focus, H and Ctrl-Z are told in the order of the protocol`() throws {
    let world = try TestWorld(fixtures: ["Attending"])
    let program = world.today(["--trace", "\(world.path)/trace"])
    let terminal = try PseudoTerminal(program)
    var expected = ["viewWillAppear", "viewDidAppear"]
    func expect(_ methods: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
      expected += methods
      try terminal.wait(for: "the messages \(methods)") { (_: TestScreen) in
        told(world).count >= expected.count
      }
      #expect(told(world) == expected, sourceLocation: sourceLocation)
    }
    let leaves = [
      "hostWillResignActive", "viewWillDisappear", "viewDidDisappear", "hostDidEnterBackground",
    ]
    let returns = [
      "hostWillEnterForeground", "viewWillAppear", "viewDidAppear", "hostDidBecomeActive",
    ]
    try terminal.waitForText("last: viewDidAppear")
    #expect(count("\u{1B}[?1004h", in: terminal) == 1)
    try terminal.type("\u{1B}[O")
    try expect(["hostWillResignActive"])
    try terminal.type("\u{1B}[I")
    try expect(["hostDidBecomeActive"])
    try terminal.waitForText("last: hostDidBecomeActive")

    try terminal.type("H")
    try expect(leaves)
    try terminal.waitForText("The page is hidden.")
    try terminal.type("x")
    try expect(returns)
    try terminal.waitForText("last: hostDidBecomeActive")

    try terminal.press(.controlZ)
    try terminal.wait(
      for: "the stop",
      status: { if case .stopped = $0 { true } else { false } }
    )
    try terminal.settle()
    #expect(told(world) == expected + leaves)
    #expect(count("\u{1B}[?1004l", in: terminal) == 1)
    expected += leaves
    terminal.foreground()
    try expect(returns)
    try terminal.wait(for: "the page again") { $0.isAlternate && $0.contains("Attending") }
    #expect(count("\u{1B}[?1004h", in: terminal) == 2)

    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(count("\u{1B}[?1004l", in: terminal) == 2)
    #expect(told(world) == expected + ["viewWillDisappear", "viewDidDisappear"])
    #expect(world.processesLeft() == [])
  }

  @Test func `views disappear without the focus where the user wants that`() throws {
    let world = try TestWorld(fixtures: ["Attending"])
    try world.saveConfiguration("{ suspendWhenUnfocused: true }")
    let terminal = try PseudoTerminal(world.today(["--trace", "\(world.path)/trace"]))
    try terminal.waitForText("last: viewDidAppear")
    try terminal.type("\u{1B}[O")
    try terminal.wait(for: "the page to leave") { (_: TestScreen) in
      told(world).last == "hostDidEnterBackground"
    }
    #expect(terminal.screen.contains("Attending"))
    try terminal.type("\u{1B}[I")
    try terminal.waitForText("last: hostDidBecomeActive")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }
}
