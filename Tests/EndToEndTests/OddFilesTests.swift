import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// Foreign files below the XDG folders: stored data may be lost, and nothing else happens.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct OddFilesTests {
  private let good = "com.example.fixture.good"

  /// A world in which the dashboard was used before, so that all its files exist.
  private func usedWorld() throws -> TestWorld {
    let world = try TestWorld(fixtures: ["Good"])
    try use(world)
    #expect(try world.run(["reload", good]).outputText == "1\n")
    return world
  }

  private func use(_ world: TestWorld) throws {
    let terminal = try world.openDashboard(columns: 80, rows: 30)
    try terminal.waitForText("updates: 1")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft() == [])
  }

  /// The files of the program, relative to the world's folder.
  private func files(_ world: TestWorld) throws -> [String] {
    try ["state", "cache", "run"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: "\(world.path)/\(folder)/today")
        .map { "\(world.path)/\(folder)/today/\($0)" }
        .filter { path in
          var status = stat()
          return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }
  }

  @Test func `pipes in place of all files block neither the dashboard nor a command`() throws {
    let world = try usedWorld()
    let files = try files(world)
    for kind in [".log", ".runs", ".json", ".lock"] {
      #expect(files.contains { $0.hasSuffix(kind) }, "\(files)")
    }
    for file in files {
      #expect(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
    }
    for arguments in [
      ["list"], ["log", good], ["snapshot", good], ["snapshot", "--cached"], ["refresh", good],
      ["refresh", "--due"], ["reload", good], ["has-content", good, "on"], ["move", good, "1"],
    ] {
      _ = try world.run(arguments)
    }
    try use(world)
  }

  @Test(arguments: ["snapshots", "snapshots/com.example.fixture.good"])
  func `a link in place of a snapshot folder changes no file elsewhere`(place: String) throws {
    let world = try usedWorld()
    let elsewhere = "\(world.path)/elsewhere"
    let victims = "\(elsewhere)\(place == "snapshots" ? "/\(good)" : "")"
    try FileManager.default.createDirectory(atPath: victims, withIntermediateDirectories: true)
    for number in 0..<13 { try world.write("mine", to: "\(victims)/\(number).json") }
    let path = "\(world.path)/cache/today/\(place)"
    try FileManager.default.removeItem(atPath: path)
    #expect(symlink(elsewhere, path) == 0)
    try use(world)
    #expect(try world.run(["has-content", good, "off"]).status == .exited(code: 0))
    #expect(try world.run(["has-content", good, "on"]).status == .exited(code: 0))
    let names = try FileManager.default.contentsOfDirectory(atPath: victims)
    #expect(Set(names) == Set((0..<13).map { "\($0).json" }))
    for name in names {
      #expect(
        try String(contentsOf: URL(filePath: "\(victims)/\(name)"), encoding: .utf8) == "mine"
      )
    }
  }

  @Test func `links in place of all files change no file that they point to`() throws {
    for isHard in [true, false] {
      let world = try usedWorld()
      let stranger = "\(world.path)/stranger"
      try world.write("mine", to: stranger)
      for file in try files(world) {
        unlink(file)
        #expect((isHard ? link(stranger, file) : symlink(stranger, file)) == 0)
      }
      for arguments in [["reload", good], ["refresh", good], ["has-content", good, "off"]] {
        _ = try world.run(arguments)
      }
      _ = try world.run(["has-content", good, "on"])
      try use(world)
      #expect(try String(contentsOf: URL(filePath: stranger), encoding: .utf8) == "mine")
    }
  }

  @Test func `a folder that others can write to is reported, and the page works`() throws {
    let world = try usedWorld()
    let folder = "\(world.path)/cache/today/snapshots"
    chmod(folder, 0o777)
    let terminal = try world.openDashboard(columns: 200, rows: 30)
    try terminal.waitForText("updates: 1")
    try terminal.waitForText("(chmod o-w)")
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
  }

  @Test func `invalid numbers in files crash neither the dashboard nor a command`() throws {
    let world = try usedWorld()
    for number in ["1e300", "-1e300", "1e19", "-1", "9223372036854775807", "NaN"] {
      for file in try files(world) where file.hasSuffix(".json") || file.hasSuffix(".runs") {
        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        let odd = text.replacing(/([:\[,])-?[0-9][0-9.]*/) { "\($0.1)\(number)" }
        #expect(odd != text || !text.contains(/:[0-9]/))
        try world.write(odd, to: file)
      }
      for arguments in [
        ["list"], ["log", good], ["log", "--json", good], ["snapshot", "--cached"],
        ["refresh", "--due"],
      ] {
        let run = try world.run(arguments)
        if case .killed = run.status { Issue.record("\(arguments) ended with \(run.status)") }
      }
      let terminal = try world.openDashboard(columns: 100, rows: 40)
      try terminal.waitForText("All is well")
      try terminal.press(.tab)
      try terminal.type("i")
      try terminal.waitForText("Inspector")
      try terminal.type("q")
      try terminal.type("q")
      #expect(try terminal.waitForEnd() == .exited(code: 0))
    }
  }

  @Test func `a container with too many files is full at every start`() throws {
    let world = try TestWorld(fixtures: ["Good"])
    let container = "\(world.path)/data/today/containers/\(good)"
    try FileManager.default.createDirectory(
      atPath: container,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    for number in 0...100_000 { close(creat("\(container)/\(number)", 0o600)) }
    for _ in 0..<2 {
      let terminal = try world.openDashboard(columns: 80, rows: 30)
      try terminal.waitForText("storage full")
      try terminal.type("q")
      #expect(try terminal.waitForEnd() == .exited(code: 0))
    }
    #expect(try world.run(["log", good]).outputText.contains("more files than are counted"))
  }
}
