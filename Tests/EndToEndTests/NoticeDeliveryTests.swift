import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// How a person is told of notices, in the real program: by the terminal, by a stand-in for `notify-send`, or by the
/// bell.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct NoticeDeliveryTests {
  private let world: TestWorld
  private let desktop: DesktopStandIn

  init() throws {
    world = try TestWorld(fixtures: ["Good"])
    desktop = try DesktopStandIn(world)
  }

  /// Opens a page whose terminal says that it lost the focus, after what it answers to the questions for its name and
  /// for notifications.
  private func openPage(_ answer: String = "", shows text: String = "All is well") throws
    -> PseudoTerminal
  {
    let before = pages.count
    var program = world.today(variables: desktop.variables)
    // Scripts are not looked for where folders are named.
    if text != "All is well" { program.arguments = [] }
    let terminal = try PseudoTerminal(program, columns: 60, rows: 60)
    try terminal.waitForText(text)
    try terminal.wait(for: "the questions") { self.text(of: $0).contains("\u{1B}]99;i=today:p=?;") }
    try terminal.type(answer + "\u{1B}[O")
    try terminal.wait(for: "the file of a page without the focus") { (_: TestScreen) in
      pages.count == before + 1 && pages.allSatisfy { $0.hasPrefix("1 u ") }
    }
    return terminal
  }

  /// The files of the pages that are open, or that were killed.
  private var pages: [String] {
    let folder = "\(world.path)/state/today/notices/pages"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("page-") }.compactMap {
      try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
    }
  }

  private func text(of screen: TestScreen) -> String {
    String(decoding: screen.bytes, as: UTF8.self)
  }

  private func post(_ arguments: String...) throws {
    let run = try ProgramRun(
      world.today(
        ["post"] + arguments + ["--app", "make"],
        term: nil,
        variables: desktop.variables
      )
    )
    #expect(run.status == .exited(code: 0) && run.errorText == "", "\(run.errorText)")
  }

  /// Writes a script whose number is in a file of the home, and which runs each second.
  private func writeScript() throws {
    try world.saveConfiguration("{ developer: true }")
    try world.script("load.1s.sh", "# today: history=true alert=>90\ncat \"$HOME/n\"")
  }

  private func quit(_ terminal: PseudoTerminal) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  private static let kitty = "\u{1B}]99;i=today:p=?;p=title,body,?:a=focus,report:u=0,1,2\u{1B}\\"
  private static let foot = "\u{1B}P>|foot(1.16.2)\u{1B}\\"
  private static let iTerm = "\u{1B}P>|iTerm2 3.5.0\u{1B}\\"

  // MARK: - Pages

  @Test func `a locked page tells only that a notice waits`() throws {
    let terminal = try openPage(Self.foot)
    try terminal.type("L")
    try terminal.waitForText("locked")
    try terminal.type("\u{1B}[O")
    try terminal.wait(for: "the file of a page without the focus") { (_: TestScreen) in
      pages.allSatisfy { $0.hasPrefix("1 u ") }
    }
    try post("Secret", "of the user")
    try terminal.wait(for: "the sequence") {
      text(of: $0).contains("\u{1B}]777;notify;today;A notice waits\u{1B}\\")
    }
    try quit(terminal)
    #expect(!text(of: terminal.screen).contains("Secret"))
  }

  @Test(arguments: [
    (kitty, "\u{1B}]99;i=today-1:e=1:d=1:a=focus:u=1:f=bWFrZQ==;RG9uZQ==\u{1B}\\"),
    (foot, "\u{1B}]777;notify;make;Done\u{1B}\\"), (iTerm, "\u{1B}]9;make: Done\u{1B}\\"),
  ])
  func `a page without the focus tells with the sequence of its terminal`(
    answer: String,
    sequence: String
  ) throws {
    let terminal = try openPage(answer)
    try post("Done")
    try terminal.wait(for: "the sequence") { text(of: $0).contains(sequence) }
    try quit(terminal)
    #expect(text(of: terminal.screen).components(separatedBy: sequence).count == 2)
    #expect(desktop.calls == [])
  }

  @Test func `on a terminal that shows none, notify-send tells if it exits with 0, else the bell`()
    throws
  {
    let terminal = try openPage()
    try post("Done")
    try terminal.wait(for: "notify-send") { (_: TestScreen) in desktop.calls.count == 1 }
    #expect(
      desktop.calls
        == ["--app-name=make --urgency=normal --hint=string:x-today-id:1 -- Done"]
    )
    #expect(!text(of: terminal.screen).contains("\u{7}"))
    try desktop.set("exit 1")
    try post("Failed")
    try terminal.wait(for: "the bell") { text(of: $0).contains("\u{7}") }
    #expect(desktop.calls.count == 2)
    try quit(terminal)
  }

  @Test func `while a page has the focus nobody is told, and not later either`() throws {
    let terminal = try openPage(Self.foot)
    try terminal.type("\u{1B}[I")
    try terminal.wait(for: "the focus") { (_: TestScreen) in pages.first?.hasPrefix("1 f") == true }
    try post("First")
    try terminal.type("\u{1B}[O")
    try terminal.wait(for: "no focus") { (_: TestScreen) in pages.first?.hasPrefix("1 u") == true }
    try post("Second")
    try terminal.wait(for: "the second") { text(of: $0).contains("notify;make;Second") }
    #expect(!text(of: terminal.screen).contains("notify;make;First"))
    try quit(terminal)
  }

  @Test func `of two pages the one that had the focus last tells, and when it is killed the other`()
    throws
  {
    let first = try openPage(Self.foot)
    let second = try openPage(Self.foot)
    // As when the person looks at the first one again for a moment.
    try first.type("\u{1B}[I")
    try first.wait(for: "the focus") { (_: TestScreen) in pages.contains { $0.hasPrefix("1 f") } }
    try first.type("\u{1B}[O")
    try first.wait(for: "no focus") { (_: TestScreen) in
      pages.allSatisfy { $0.hasPrefix("1 u") }
    }
    for number in 1...5 { try post("One \(number).") }
    try first.wait(for: "the last one") { text(of: $0).contains("notify;make;One 5.") }
    first.signal(SIGKILL)
    try first.waitForEnd()
    try post("Two.")
    try second.wait(for: "the one after it") { text(of: $0).contains("notify;make;Two.") }
    try quit(second)
    for number in 1...5 {
      let words = "notify;make;One \(number)."
      #expect(text(of: first.screen).components(separatedBy: words).count == 2)
    }
    #expect(!text(of: second.screen).contains("One"))
  }

  @Test func `what a page was telling of that is killed, another page tells of`() throws {
    let other = try openPage(Self.foot)
    let terminal = try openPage()
    try desktop.set("while [ ! -e '\(world.path)/go' ]; do sleep 0.02; done; exit 1")
    try post("Done")
    try terminal.wait(for: "notify-send") { (_: TestScreen) in desktop.calls.count == 1 }
    terminal.signal(SIGKILL)
    try terminal.waitForEnd()
    try other.wait(for: "the notice") { text(of: $0).contains("notify;make;Done") }
    try world.write("", to: "\(world.path)/go")
    try quit(other)
  }

  @Test func `for a page that is stopped the program that posts tells, and the page not later`()
    throws
  {
    let terminal = try openPage(Self.foot)
    terminal.signal(SIGSTOP)
    try terminal.wait(for: "the page to be stopped") { (_: TestScreen) in
      terminal.pid.flatMap(ProcessList.state) == "T"
    }
    try post("While stopped")
    try terminal.wait(for: "notify-send") { (_: TestScreen) in desktop.calls.count == 1 }
    #expect(desktop.calls[0].hasSuffix("-- While stopped") && pages.isEmpty)
    terminal.foreground()
    try terminal.wait(for: "the page in the register") { (_: TestScreen) in pages.count == 1 }
    try terminal.type("\u{1B}[O")
    try terminal.wait(for: "no focus") { (_: TestScreen) in pages.first?.hasPrefix("1 u") == true }
    try post("Afterwards")
    // It asks the terminal for its name again, which may be another one, and is not answered.
    try terminal.wait(for: "notify-send for the second") { (_: TestScreen) in
      desktop.calls.count == 2
    }
    try quit(terminal)
    #expect(!text(of: terminal.screen).contains("While stopped"))
    #expect(desktop.calls.count == 2 && desktop.calls[1].hasSuffix("-- Afterwards"))
  }

  @Test func `in quiet time only what is critical is told`() throws {
    let terminal = try openPage(Self.foot)
    #expect(try world.run(["quiet", "on"]).outputText == "on\n")
    try post("First")
    try post("Second", "--urgency", "critical")
    try terminal.wait(for: "the second") { text(of: $0).contains("notify;make;Second") }
    #expect(try world.run(["quiet", "off"]).outputText == "off\n")
    try post("Third")
    try terminal.wait(for: "the third") { text(of: $0).contains("notify;make;Third") }
    #expect(!text(of: terminal.screen).contains("First"))
    try quit(terminal)
  }

  @Test func `what a script of the page alerts of is a notice, and told in the same way`() throws {
    try writeScript()
    try world.write("5 %", to: "\(world.path)/home/n")
    let terminal = try openPage(Self.foot, shows: "5 %")
    try world.write("95 %", to: "\(world.path)/home/n")
    try terminal.wait(for: "the alert") { text(of: $0).contains("notify;load;95, which is > 90") }
    try quit(terminal)
    let list = try world.run(["notices", "--json"]).outputText
    #expect(
      list.contains("\"source\":\"widget\"") && list.contains("\"title\":\"95, which is > 90\"")
    )
  }

  // MARK: - Without a page

  @Test(arguments: [
    ("xterm-kitty", "\u{1B}]99;i=today-1:"), ("foot", "\u{1B}]777;notify;make;Done\u{1B}\\"),
  ])
  func `a post tells with the sequence of its terminal, and never in its output`(
    term: String,
    sequence: String
  ) throws {
    let program = world.today(["post", "Done", "--app", "make"], term: term)
    let line = ([program.path] + program.arguments).map { "'\($0)'" }.joined(separator: " ")
    let terminal = try PseudoTerminal(
      ProgramDescription(
        "/bin/sh",
        ["-c", "\(line) > out 2> err; read x"],
        environment: program.environment.merging(desktop.variables) { $1 },
        directory: world.path
      )
    )
    try terminal.wait(for: "the sequence") { text(of: $0).contains(sequence) }
    try terminal.type("\r")
    try terminal.waitForEnd()
    #expect(try String(contentsOfFile: "\(world.path)/out", encoding: .utf8) == "1\n")
    #expect(try String(contentsOfFile: "\(world.path)/err", encoding: .utf8) == "")
    #expect(desktop.calls == [])
  }

  @Test(arguments: [0, 1])
  func `a post on a terminal that shows none uses notify-send, or the bell if it fails`(
    code: Int
  ) throws {
    try desktop.set("exit \(code)")
    let program = world.today(["post", "Done"], variables: desktop.variables)
    let line = ([program.path] + program.arguments).map { "'\($0)'" }.joined(separator: " ")
    let terminal = try PseudoTerminal(
      ProgramDescription(
        "/bin/sh",
        ["-c", "\(line); read x"],
        environment: program.environment,
        directory: world.path
      )
    )
    try terminal.wait(for: "notify-send") { (_: TestScreen) in desktop.calls.count == 1 }
    if code == 1 {
      try terminal.wait(for: "the bell") { text(of: $0).contains("\u{7}") }
    }
    try terminal.type("\r")
    try terminal.waitForEnd()
    #expect(text(of: terminal.screen).contains("\u{7}") == (code == 1))
  }

  @Test func `without a terminal and without a desktop a post only stores`() throws {
    try desktop.set("exit 1")
    let run = try ProgramRun(
      world.today(["post", "Done"], term: nil, variables: desktop.variables)
    )
    #expect(run.outputText == "1\n" && run.errorText == "" && run.status == .exited(code: 0))
    #expect(try world.run(["notices", "--waiting"]).outputText.contains("Done"))
  }

  @Test func `what a script alerts of is told by refresh --due without a page`() throws {
    try writeScript()
    func refresh() throws {
      var program = world.today(term: nil, variables: desktop.variables)
      program.arguments = ["refresh", "--due"]
      let run = try ProgramRun(program)
      #expect(run.status == .exited(code: 0), "\(run.errorText)")
    }
    try world.write("5", to: "\(world.path)/home/n")
    try refresh()
    #expect(desktop.calls == [])

    try world.write("95", to: "\(world.path)/home/n")
    // It is due a second after the first one.
    let deadline = ContinuousClock.now + TestDeadline.duration
    while desktop.calls.isEmpty, .now < deadline { try refresh() }
    try #require(desktop.calls.count == 1)
    #expect(desktop.calls.first?.hasSuffix("x-today-id:1 -- 95, which is > 90") == true)
  }

  @Test func `a rule says what is done with a notice`() throws {
    let rules = "{ app: \"make\", title: \"*newsletter*\", then: \"earlier\" }"
    try world.saveConfiguration("{ notices: { rules: [\(rules)], deliver: [\"bell\"] } }")
    let terminal = try openPage(Self.foot)
    try post("The Newsletter")
    try post("Done")
    try terminal.wait(for: "the bell") { text(of: $0).contains("\u{7}") }
    try quit(terminal)
    #expect(desktop.calls == [] && !text(of: terminal.screen).contains("\u{1B}]777"))
    let list = try world.run(["notices"]).outputText
    #expect(list.contains("Earlier\n  1") && list.contains("make") && list.contains("  a  now"))
  }
}

/// A program that stands in for `notify-send`: it keeps its arguments, and does what a test says.
struct DesktopStandIn {
  /// What programs that use it have in their environment.
  let variables: [String: String]
  private let world: TestWorld
  private let folder: String

  init(_ world: TestWorld) throws {
    self.world = world
    folder = "\(world.path)/desktop"
    variables = ["PATH": "\(folder):/usr/bin:/bin"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try set("exit 0")
    try world.write(
      "#!/bin/sh\necho \"$*\" >> '\(folder)/calls'\n. '\(folder)/work'\n",
      to: "\(folder)/notify-send"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(folder)/notify-send"
    )
  }

  /// What it does when it has kept its arguments, as lines of `sh`.
  func set(_ work: String) throws { try world.write("\(work)\n", to: "\(folder)/work") }

  /// The arguments of each call.
  var calls: [String] {
    let text = try? String(contentsOfFile: "\(folder)/calls", encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }
}
