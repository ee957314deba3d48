import FoundationEssentials
import Glibc
import Testing
import WidgetTestSupport

/// `today dev` with a script `build` beside the bundle: before the widget is shown first, and on each save.
@Suite(.enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"), .timeLimit(.minutes(5)))
struct DevBuildTests {
  private let world: TestWorld
  private var package: String { "\(world.path)/Cups" }

  init() throws {
    world = try TestWorld()
  }

  private func today(_ arguments: [String]) -> ProgramDescription {
    var environment = world.environment()
    // The toolchain, wherever it is.
    environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    return ProgramDescription(
      BuiltProgram.path ?? "/nowhere/today",
      arguments,
      environment: environment,
      directory: world.path
    )
  }

  private func dev(columns: Int = 110) throws -> PseudoTerminal {
    try PseudoTerminal(today(["dev", "Cups/Cups.widget"]), columns: columns, rows: 30)
  }

  /// Makes a package whose build prints a line, and waits until the test says how it ends.
  private func makeStandIn() throws -> Gate {
    try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
    _ = try ProgramRun(today(["new", "Cups", "--language", "python"]))
    for (from, to) in [("Cups.widget", "Cups/Cups.widget"), ("Cups/Cups.widget/cups", "Cups/cups")]
    {
      try #require(rename("\(world.path)/\(from)", "\(world.path)/\(to)") == 0)
    }
    let gate = try Gate("\(world.path)/gate")
    try world.write(
      """
      #!/bin/sh
      cd "$(dirname "$0")"
      echo "[1/2] Compiling cups"
      read -r word <../gate
      case $word in
      works) cp cups Cups.widget/cups ;;
      fails) echo "$PWD/Sources/cups.swift:3:5: error: no such type" && exit 1 ;;
      esac

      """,
      to: "\(package)/build"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(package)/build"
    )
    return gate
  }

  private func quit(_ terminal: PseudoTerminal) throws {
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(world.processesLeft().isEmpty)
  }

  @Test func `the first build shows how far it is, and its errors, and then the widget`() throws {
    let gate = try makeStandIn()
    let terminal = try dev()
    try terminal.waitForText("│ Building…")
    try terminal.waitForText("│ [1/2] Compiling cups")
    try gate.say("fails")
    try terminal.waitForText("│ Sources/cups.swift:3:5: error: no such type")
    try terminal.waitForText("the build has failed")
    #expect(!terminal.screen.contains("the last one still runs"))
    try world.write("\n", to: "\(package)/cups.swift")
    try terminal.waitForText("│ Building…")
    try gate.say("works")
    try terminal.waitForText("0 of 6 cups")
    #expect(!terminal.screen.contains("Building"))
    // From now on, the last program goes on during a build.
    try world.write("\n\n", to: "\(package)/cups.swift")
    try terminal.waitForText("building: [1/2] Compiling cups")
    #expect(terminal.screen.contains("0 of 6 cups"))
    try gate.say("fails")
    try terminal.waitForText("the build has failed; the last one still runs")
    try quit(terminal)
  }

  @Test func `a file that every build changes does not build for ever, and delays no other`() throws
  {
    _ = try makeStandIn()
    try world.write(
      """
      #!/bin/sh
      cd "$(dirname "$0")"
      echo built >>build.log
      cp cups Cups.widget/cups
      ! grep -s broken cups.swift

      """,
      to: "\(package)/build"
    )
    let log = URL(filePath: "\(package)/build.log")
    let count = {
      (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n").count ?? 0
    }
    let terminal = try dev(columns: 200)
    try terminal.waitForText("build.log changes all the time: the next build for it is in 2 s")
    try terminal.waitForText("the next build for it is in 8 s")
    let before = count()
    #expect(before < 10, "\(before) builds")
    // During the pause, what somebody saves is built at once.
    try world.write("broken", to: "\(package)/cups.swift")
    try terminal.waitForText("the build has failed; the last one still runs")
    #expect(count() == before + 1)
    try quit(terminal)
  }

  @Test func `a build that makes no program is an error, and one that goes on ends with the page`()
    throws
  {
    let gate = try makeStandIn()
    let terminal = try dev(columns: 200)
    try terminal.waitForText("│ Building…")
    try gate.say("forgets")
    try terminal.waitForText("that CFBundleExecutable names")
    try world.write("\n", to: "\(package)/cups.swift")
    try terminal.waitForText("│ Building…")
    try quit(terminal)
  }

  @Test func `what is wrong with a saved manifest stands in the card`() throws {
    _ = try ProgramRun(today(["new", "Cups", "--language", "python"]))
    let manifest = "\(world.path)/Cups.widget/Info.plist"
    let text = try String(contentsOf: URL(filePath: manifest), encoding: .utf8)
    let terminal = try PseudoTerminal(today(["dev", "Cups.widget"]), columns: 200, rows: 30)
    try terminal.waitForText("0 of 6 cups")
    try world.write(text.replacing("CFBundleExecutable", with: "CFBundleProgram"), to: manifest)
    try terminal.waitForText("the bundle cannot be used; the last one still runs")
    #expect(terminal.screen.contains("CFBundleExecutable"))
    try world.write(text, to: manifest)
    try terminal.waitForText("0 of 6 cups")
    try quit(terminal)
  }

  @Test func `a saved script takes the place of the old one`() throws {
    let script = "\(world.path)/load.1m.sh"
    try world.write("#!/bin/sh\necho first\n", to: script)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let terminal = try PseudoTerminal(today(["dev", "load.1m.sh"]), columns: 110, rows: 30)
    try terminal.waitForText("│ first")
    try world.write("#!/bin/sh\necho second\n", to: script)
    try terminal.waitForText("│ second")
    try quit(terminal)
  }

  @Test func `a package in Swift is built, shown, and built again with its state kept`() throws {
    let new = try ProgramRun(today(["new", "Cups", "--language", "swift"]))
    try #require(new.status == .exited(code: 0), "\(new.errorText)")
    // Without the library, which takes a minute to build.
    try FileManager.default.removeItem(atPath: "\(package)/Tests")
    try world.write(Self.manifest, to: "\(package)/Package.swift")
    try FileManager.default.removeItem(atPath: "\(package)/Sources/Cups/Cups.swift")
    let source = "\(package)/Sources/Cups/main.swift"
    try world.write(Self.program, to: source)
    let terminal = try dev()
    try terminal.waitForText("│ Building…")
    try terminal.wait(for: "the first program", patience: 4) { $0.contains("0 cups") }
    try terminal.press(.tab)
    try terminal.press(.enter)
    try terminal.waitForText("1 cups")
    try world.write(Self.program.replacing("count() + 1", with: "count() + nothing"), to: source)
    try terminal.wait(for: "the error", patience: 4) {
      $0.contains("│ Sources/Cups/main.swift:25:") && $0.contains("'nothing'")
    }
    try world.write(Self.program.replacing(" cups", with: " glasses"), to: source)
    try terminal.wait(for: "the next program", patience: 4) { $0.contains("1 glasses") }
    try quit(terminal)
  }

  private static let manifest = """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(name: "Cups", targets: [.executableTarget(name: "Cups")])

    """

  /// It speaks as much of the protocol as it needs, of lines whose members are sorted.
  private static let program = #"""
    import Glibc

    func path() -> String { String(cString: getenv("TODAY_DATA")) + "/cups" }

    func count() -> Int {
      guard let file = fopen(path(), "r") else { return 0 }
      defer { fclose(file) }
      return Int(fgetc(file)) - 48
    }

    func save(_ count: Int) {
      guard let file = fopen(path(), "w") else { return }
      fputc(Int32(48 + count), file)
      fclose(file)
    }

    func view() -> String {
      "{\"type\":\"button\",\"action\":\"more\",\"label\":\"\(count()) cups\"}"
    }

    while let line = readLine() {
      if line.contains("\"shutdown\"") { break }
      guard line.hasPrefix("{\"id\":") else { continue }
      let id = line.dropFirst(6).prefix { $0.isNumber }
      if line.contains("\"performAction\"") { save(count() + 1) }
      let content =
        line.contains("\"initialize\"")
        ? "\"protocolVersion\":1,\"implements\":[\"performAction\"]," : ""
      print("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{\(content)\"view\":\(view())}}")
      fflush(nil)
    }

    """#
}

/// A pipe with a name, through which a test tells a script how to go on.
///
/// A class because it owns a descriptor.
private final class Gate {
  private let descriptor: Int32

  init(_ path: String) throws {
    try #require(mkfifo(path, 0o600) == 0)
    // For reading too, so that neither side waits for the other one to open it.
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
  }

  deinit {
    close(descriptor)
  }

  func say(_ word: String) throws {
    let line = Array("\(word)\n".utf8)
    try #require(write(descriptor, line, line.count) == line.count)
  }
}
