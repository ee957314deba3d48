import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// What a text names is found, and opened with the program for it, by keys alone.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct LookUpTests {
  /// What is printed of one thing.
  private struct Found: Decodable {
    struct Action: Decodable {
      var title: String
      var command: [String]
    }
    var kind: String
    var actions: [Action]
  }

  private let world: TestWorld

  init() throws {
    world = try TestWorld()
    try world.replaceBundledExtensions()
    try world.write("one\ntwo\n", to: "\(world.path)/a.txt")
    try world.write(
      "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && t=terminal\necho \"$* $t\" >'\(world.path)/edited'\n",
      to: "\(world.path)/edit"
    )
    chmod("\(world.path)/edit", 0o755)
  }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: "\(world.path)/\(name)", encoding: .utf8)
  }

  private func open(_ line: String) throws -> PseudoTerminal {
    var environment = world.environment(term: "xterm-256color")
    environment["today"] = BuiltProgram.path
    environment["VISUAL"] = "\(world.path)/edit --wait"
    environment["GIT_PAGER"] = "cat"
    let names = [
      "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
    ]
    for name in names { environment[name] = "me@example.test" }
    return try PseudoTerminal(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path),
      rows: 24
    )
  }

  private func end(_ terminal: PseudoTerminal, with code: Int32) throws {
    try terminal.waitForEnd()
    #expect(terminal.status == .exited(code: code), "\(terminal.screen.text)")
  }

  @Test func `keys alone open the editor at a line that a text names`() throws {
    let terminal = try open(
      "printf 'a.txt:2:5: error\\nb.txt:1: no such file\\n' | \"$today\" share >out"
    )
    // Nothing accepts the text, and still there is something to do with it.
    try terminal.waitForText("Look Up")
    try terminal.press(.enter)
    try terminal.waitForText("a.txt:2:5")
    #expect(!terminal.screen.rows.contains { $0.contains("b.txt") && $0.contains("line") })
    try terminal.press(.enter)
    try terminal.waitForText("edit")
    // Back to the list, and from there to the first one.
    try terminal.press(.escape)
    try terminal.waitForText(" line ")
    try terminal.press(.escape)
    try terminal.waitForText("what it names")
    for _ in 0..<2 {
      try terminal.press(.enter)
      try terminal.wait(for: "the next list") { !$0.contains("what it names") }
    }
    try terminal.waitForText("copy")
    try terminal.press(.enter)
    try end(terminal, with: 0)
    #expect(text("edited") == "--wait +2 a.txt terminal\n")
    #expect(text("out") == "")
    try expectShellTerminal(terminal, scrolls: true)
  }

  @Test func `a long text that names something at its end has the list at once, and Look Up in it`()
    throws
  {
    try world.script("mark.sh", "# today: share accepts=public.text title=Mark\ncat")
    let terminal = try open(
      "(seq -f 'the line %g of some words' 7000; echo https://example.test/) | \"$today\" share"
    )
    try terminal.waitForText("Mark")
    try terminal.waitForText("what it names")
    try terminal.press(.up)
    try terminal.press(.enter)
    try terminal.waitForText("example.test")
    // Back to the list, which has all of its rows now.
    try terminal.press(.escape)
    try terminal.waitForText("what it names")
    try terminal.press(.escape)
    try end(terminal, with: 130)
  }

  /// What the program prints of a command line of a shell, as it is decoded from JSON.
  private func found(_ line: String) throws -> [Found] {
    var environment = world.environment(term: nil)
    environment["today"] = BuiltProgram.path
    let run = try ProgramRun(
      ProgramDescription("/bin/sh", ["-c", line], environment: environment, directory: world.path)
    )
    return try JSONDecoder().decode([Found].self, from: Data(run.output))
  }

  @Test(arguments: [
    "https://example.test/", "a=b https://example.test/?a=b", "--help https://example.test/",
    "\u{301}https://example.test/", "", "=", "-- 2027-02-03 14:00",
  ])
  func `a text behind the sign of equality is the same as one behind a space`(text: String) throws {
    let (one, two) = (["--text=\(text)"], ["--text", text])
    let runs = try [one, two].map { try world.run(["share", "--look-up", "--json"] + $0) }
    #expect(runs[0].output == runs[1].output && runs[0].status == .exited(code: 0))
    #expect(runs[0].outputText.contains("example.test") == text.contains("example.test"))
  }

  @Test func `blame is offered for files of the repository alone`() throws {
    for name in ["outside/c.txt", "box/own.txt", "box/inner/d.txt", "box/.git/x.txt"] {
      let file = "\(world.path)/\(name)"
      let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try world.write("one\n", to: file)
    }
    let all = try found(
      """
      ln -s ../outside/c.txt box/link.txt; (cd box && git init -q . && cd inner && git init -q .)
      cd box; printf 'own.txt:1 ../outside/c.txt:1 inner/d.txt:1 .git/x.txt:1 link.txt:1' |
        "$today" share --look-up --json
      """
    )
    let titles = all.map { $0.actions.map(\.title) }
    #expect(titles == [["edit", "blame", "copy"]] + Array(repeating: ["edit", "copy"], count: 4))
  }

  @Test func `a commit is shown if the repository has it`() throws {
    let terminal = try open(
      """
      git init -q . && git add a.txt && git commit -qm 'The first' || exit 9
      (git log --format=%h; echo 1234abc) | "$today" share --look-up
      """
    )
    try terminal.waitForText("commit")
    #expect(!terminal.screen.rows.contains { $0.contains("1234abc") && $0.contains(" commit ") })
    try terminal.press(.enter)
    try terminal.waitForText("show")
    try terminal.press(.enter)
    try end(terminal, with: 0)
    #expect(terminal.screen.contains("The first"))
    try expectShellTerminal(terminal)
  }

  @Test func `the list is left with Esc, and with 65 if there is nothing`() throws {
    let terminal = try open("echo https://example.test/ | \"$today\" share --look-up")
    try terminal.waitForText("example.test")
    try terminal.press(.escape)
    try end(terminal, with: 130)
    try expectShellTerminal(terminal)
    let nothing = try open("echo nothing | \"$today\" share --look-up")
    try end(nothing, with: 65)
    #expect(nothing.screen.contains("the content names nothing that can be looked up"))
  }

  @Test func `what a text names is printed as JSON without a terminal`() throws {
    let done = try world.run(
      [
        "share", "--look-up", "--json", "--text",
        "mail a@b.test \u{1B}]0;x\u{7} by 2027-02-03 14:00, #3",
      ]
    )
    #expect(done.status == .exited(code: 0), "\(done.errorText)")
    let found = try JSONDecoder().decode([Found].self, from: Data(done.output))
    #expect(found.map(\.kind) == ["e-mail", "date"])
    let first = found.map { $0.actions[0].command }
    #expect(first[0].dropFirst() == ["open", "--", "mailto:a@b.test"])
    #expect(first[1].contains("when=2027-02-03 14:00"))
    let bundled = try TestWorld()
    let extensions = try ProgramRun(
      ProgramDescription(
        BuiltProgram.path ?? "/nowhere/today",
        ["extensions", "--json"],
        environment: bundled.environment(term: nil),
        directory: bundled.path
      )
    ).outputText
    for action in found.flatMap(\.actions) {
      guard let index = action.command.firstIndex(of: "--with") else { continue }
      #expect(extensions.contains("\"\(action.command[index + 1])\""))
    }
    let wrong = try world.run(["share", "--look-up", "--with", "x", "--text", "a"])
    #expect(wrong.status == .exited(code: 64))
  }
}
