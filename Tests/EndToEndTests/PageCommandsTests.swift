import FoundationEssentials
import Testing
import WidgetTestSupport

/// Which widgets are on the page, by commands and with an open dashboard.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct PageCommandsTests {
  @Test("an installed widget is announced, not started, and shown once it is added")
  func announcesNewWidgets() throws {
    let world = try TestWorld(fixtures: ["Counting"])
    try world.install()
    let terminal = try world.openInstalledPage()
    try terminal.waitForText("1 new")
    #expect(world.notes("starts") == 0)
    #expect(try world.installed(["list"]).outputText.contains("new"))
    #expect(try world.installed(["add", Self.counting]).status == .exited(code: 0))
    try terminal.waitForText("started 1 times")
    try terminal.wait(for: "no news") { !$0.contains("1 new") }

    #expect(try world.installed(["remove", Self.counting]).status == .exited(code: 0))
    try terminal.wait(for: "the card's end") { !$0.contains("started") }
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(try world.installed(["list"]).outputText.contains("removed"))
    #expect(world.notes("starts") == 1)
    // By name it is shown anyway, with --all too.
    let named = try world.installed(["snapshot", Self.counting])
    #expect(named.outputText.contains("started 2 times"), "\(named.errorText)")
    #expect(world.processesLeft() == [])
  }

  @Test("the order of the user applies to an open dashboard and survives restarts")
  func movesCards() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    let terminal = try world.openDashboard(columns: 60, rows: 30)
    try terminal.waitForText("updates: 1")
    try terminal.waitForText("started 1")
    func isCountingFirst(_ screen: TestScreen) -> Bool {
      guard let one = screen.row(of: "Counting"), let two = screen.row(of: "Good ─") else {
        return false
      }
      return one < two
    }
    #expect(isCountingFirst(terminal.screen))
    #expect(try world.run(["move", Self.counting, "2"]).status == .exited(code: 0))
    try terminal.wait(for: "the other order") {
      $0.row(of: "Counting") != nil && !isCountingFirst($0)
    }
    try terminal.type("q")
    try terminal.waitForEnd()
    let list = try world.run(["list"]).outputText
    #expect(list.split(separator: "\n").first?.contains("good") == true, "\(list)")
    let again = try world.run(["snapshot", "--width", "50"]).outputText
    let rows = again.split(separator: "\n")
    let good = try #require(rows.firstIndex { $0.contains("Good") })
    let counting = try #require(rows.firstIndex { $0.contains("Counting") })
    #expect(good < counting)
  }

  @Test("when a bundle was removed, all its data is deleted")
  func forgetsWhatIsGone() throws {
    let world = try TestWorld(fixtures: ["Counting", "Good"])
    _ = try world.run(["snapshot"])
    _ = try world.run(["has-content", "com.example.fixture.good", "off"])
    _ = try world.run(["reload", Self.counting])
    #expect(world.filesNaming("fixture.counting") > 2)
    try FileManager.default.removeItem(atPath: "\(world.widgets)/Counting.widget")
    _ = try world.run(["snapshot"])
    #expect(world.filesNaming("fixture.counting") == 0)
    #expect(world.filesNaming("fixture.good") > 0)
  }

  @Test("the data of a bundle on an unmounted disk is kept while its link exists")
  func keepsWhatMayComeBack() throws {
    let world = try TestWorld(fixtures: ["Counting"])
    let files = FileManager.default
    // Links that lead out of the folder are not followed, so the disk lies in it.
    let (link, disk) = ("\(world.widgets)/Counting.widget", "\(world.widgets)/disk")
    try files.moveItem(atPath: link, toPath: disk)
    try files.createSymbolicLink(atPath: link, withDestinationPath: disk)
    _ = try world.run(["snapshot"])
    try files.moveItem(atPath: disk, toPath: "\(disk)-away")
    _ = try world.run(["snapshot"])
    try files.moveItem(atPath: "\(disk)-away", toPath: disk)
    let run = try world.run(["snapshot"])
    #expect(run.outputText.contains("started 2 times"), "\(run.outputText)\(run.errorText)")
  }

  @Test("the data of a widget that was never on the page is deleted too")
  func forgetsGuests() throws {
    let world = try TestWorld(fixtures: ["Counting"])
    try world.install()
    _ = try world.installed(["snapshot", Self.counting])
    _ = try world.installed(["has-content", Self.counting, "off"])
    #expect(world.filesNaming("fixture.counting") > 2)
    let bundle = "\(world.path)/data/today/widgets/Counting.widget"
    try FileManager.default.removeItem(atPath: bundle)
    _ = try world.installed(["snapshot"])
    #expect(world.filesNaming("fixture.counting") == 0)
  }

  @Test("twelve concurrent changes of the page are all made")
  func changesAtOnce() async throws {
    let world = try TestWorld(fixtures: ["Counting", "Good", "Ticking", "Silent"])
    try world.install()
    let names = ["counting", "good", "ticking", "silent"].map { "com.example.fixture.\($0)" }
    try await withThrowingTaskGroup(of: ProgramRun.self) { group in
      for name in names + names + names {
        let program = world.installedProgram(["add", name])
        group.addTask { try ProgramRun(program) }
      }
      for try await run in group { #expect(run.status == .exited(code: 0), "\(run.errorText)") }
    }
    let list = try world.installed(["list"]).outputText
    for name in names {
      let row = list.split(separator: "\n").first { $0.contains(name) }
      #expect(row.map { !$0.contains("new") } == true, "\(list)")
    }
  }

  private static let mistakes: [[String]: Int32] = [
    ["add", "com.example.nobody"]: 66, ["remove", "com.example.nobody"]: 66, ["add"]: 64,
    ["move", "com.example.fixture.good"]: 64, ["move", "com.example.fixture.good", "0"]: 64,
    ["move", "com.example.fixture.good", "2"]: 64, ["has-content"]: 64,
    ["has-content", "com.example.fixture.good", "maybe"]: 64, ["reload"]: 64,
    ["has-content", "com.example.nobody", "on"]: 66, ["add", "--wrong"]: 64,
  ]

  @Test("each kind of error has its own exit status", arguments: mistakes)
  func saysWhatIsWrong(arguments: [String], code: Int32) throws {
    let world = try TestWorld(fixtures: ["Good"])
    let run = try world.run(arguments)
    #expect(run.status == .exited(code: code), "\(run.errorText)")
    #expect(run.errorText.hasPrefix("today: "))
  }

  @Test func `while another program changes the page a command fails with exit status 75`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    #expect(try world.run(["remove", "Good"]).status == .exited(code: 0))
    let state = "\(world.path)/state"
    let lock = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: state).first {
        $0.hasSuffix(".json.lock")
      }
    )
    // Only the lock of a program named today is respected: a copy of flock(1) is one.
    let holder = "\(world.path)/today"
    try FileManager.default.copyItem(atPath: "/usr/bin/flock", toPath: holder)
    let terminal = try PseudoTerminal(
      ProgramDescription(
        holder,
        ["-o", "\(state)/\(lock)", "sh", "-c", "echo locked; read line"],
        environment: world.environment(),
        directory: world.path
      ),
      columns: 80,
      rows: 10
    )
    try terminal.waitForText("locked")
    for arguments in [["add", "Good"], ["remove", "Good"]] {
      let run = try world.run(arguments)
      #expect(run.status == .exited(code: 75), "\(run.errorText)")
      #expect(run.errorText.hasSuffix("try again\n"), "\(run.errorText)")
    }
    try terminal.type("\r")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(try world.run(["add", "Good"]).status == .exited(code: 0))
  }

  private static let counting = "com.example.fixture.counting"
}

extension TestWorld {
  /// Moves the widgets of this world to the folder of installed ones.
  func install() throws {
    let folder = "\(path)/data/today"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: widgets, toPath: "\(folder)/widgets")
  }

  /// Runs a command on the usual page, without `--widgets`.
  func installed(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(installedProgram(arguments))
  }

  /// A command on the usual page, without `--widgets`.
  func installedProgram(_ arguments: [String]) -> ProgramDescription {
    ProgramDescription(
      BuiltProgram.path ?? "",
      arguments,
      environment: environment(term: nil),
      directory: path
    )
  }

  /// Opens the usual page, without `--widgets`.
  ///
  /// With 24 rows there is no room in which cards grow.
  func openInstalledPage(rows: Int = 60) throws -> PseudoTerminal {
    try PseudoTerminal(
      ProgramDescription(BuiltProgram.path ?? "", [], environment: environment(), directory: path),
      columns: 100,
      rows: rows
    )
  }

  /// How many lines the Counting widget has written into one of its files.
  func notes(_ name: String) -> Int {
    let file = "\(path)/data/today/containers/com.example.fixture.counting/\(name)"
    let text = FileManager.default.contents(atPath: file).map {
      String(decoding: $0, as: UTF8.self)
    }
    return text?.split(separator: "\n").count ?? 0
  }

  /// The lines of a file in the data folder of a fixture.
  func lines(of name: String, fixture: String) -> [String] {
    let file = "\(path)/data/today/containers/com.example.fixture.\(fixture)/\(name)"
    let text = FileManager.default.contents(atPath: file).map {
      String(decoding: $0, as: UTF8.self)
    }
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  /// Files and folders of the state whose names or contents have these words in them.
  func filesNaming(_ words: String) -> Int {
    ["state", "cache", "data", "run"].reduce(0) { count, folder in
      let root = "\(path)/\(folder)"
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
      return count
        + names.count { name in
          if name.contains(words) { return true }
          guard let data = FileManager.default.contents(atPath: "\(root)/\(name)") else {
            return false
          }
          return String(decoding: data, as: UTF8.self).contains(words)
        }
    }
  }
}
