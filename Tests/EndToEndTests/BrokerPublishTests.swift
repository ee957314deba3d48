import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Cards on a real broker, a Mosquitto on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: LoopbackBroker.isThere, "no broker; install mosquitto and mosquitto-clients"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct BrokerPublishTests {
  private static let counting = "com.example.fixture.counting"
  private let world: TestWorld
  private let broker: LoopbackBroker

  init() throws {
    world = try TestWorld(fixtures: ["Good", "Counting", "Private"])
    broker = try LoopbackBroker(in: world)
  }

  private func program(_ arguments: [String]) -> ProgramDescription {
    world.today(["publish", "Home", "--to", broker.address, "--as", "nas"] + arguments)
  }

  private func publish(_ arguments: [String]) throws -> PseudoTerminal {
    try PseudoTerminal(program(arguments), columns: 100, rows: 30)
  }

  @Test func `each card is a retained message, with nothing private, and its end is said`() throws {
    let terminal = try publish(["--yes", "--every", "1s"])
    try terminal.waitForText("published: 3 cards, \(broker.address)")
    #expect(try broker.message("today/nas/$state") == "online")
    let good = try broker.message("today/nas/good")
    #expect(good.contains(#""name":"Good""#) && good.contains("All is well"), "\(good)")
    let hidden = try broker.message("today/nas/private")
    #expect(hidden.contains("presses: 0") && !hidden.contains("4711"), "\(hidden)")
    #expect(!hidden.contains("\"view\""))
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    #expect(try broker.message("today/nas/$state") == "offline")
    #expect(world.processesLeft().filter { !$0.commandLine.contains("mosquitto") } == [])
  }

  @Test func `killed, its will says so`() throws {
    let terminal = try publish(["--yes", "--every", "1s"])
    try terminal.waitForText("published: 3 cards")
    #expect(try broker.message("today/nas/$state") == "online")
    terminal.signal(SIGKILL)
    try terminal.waitForEnd()
    let state = try broker.next("today/nas/$state", is: "offline")
    #expect(state)
  }

  @Test func `a broker that was started again gets everything again`() throws {
    let terminal = try publish(["--yes", "--every", "60s"])
    try terminal.waitForText("published: 3 cards")
    broker.stop()
    try broker.start()
    #expect(try broker.next("today/nas/good", contains: "All is well"))
    #expect(try broker.message("today/nas/$state") == "online")
    terminal.signal(SIGTERM)
    try terminal.waitForEnd()
  }

  @Test func `a card that is left out is removed, also by a later run`() throws {
    #expect(try ProgramRun(program(["--yes", "--once"])).status == .exited(code: 0))
    #expect(try broker.message("today/nas/counting").contains("started"))
    let only = ["--once", "--only", "com.example.fixture.good"]
    #expect(try ProgramRun(program(only)).status == .exited(code: 0))
    #expect(try broker.message("today/nas/counting").isEmpty)
    #expect(try broker.message("today/nas/good").contains("All is well"))
  }

  @Test func `a broker that is away is named, and a password in an address is refused`() throws {
    broker.stop()
    let away = try ProgramRun(program(["--yes", "--once"]))
    #expect(away.status == .exited(code: 69))
    #expect(away.errorText.contains(broker.address), "\(away.errorText)")
    let secret = try world.run([
      "publish", "Home", "--to", "mqtt://me:hunter2@127.0.0.1", "--once", "--yes",
    ])
    #expect(secret.status == .exited(code: 64) && !secret.errorText.contains("hunter2"))
    let name = try world.run([
      "publish", "Home", "--to", broker.address, "--as", "a/#", "--once", "--yes",
    ])
    #expect(name.status == .exited(code: 64), "\(name.errorText)")
  }
}

/// A Mosquitto on the loopback, without a memory of its own.
///
/// A class because it owns the process.
final class LoopbackBroker {
  static let isThere = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto_sub"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let port: Int
  private let world: TestWorld
  private var process: Process?

  /// The address for `--to`.
  var address: String { "mqtt://127.0.0.1:\(port)" }

  /// Starts one.
  init(in world: TestWorld) throws {
    self.world = world
    port = 20_000 + Int.random(in: 0..<20_000)
    try world.write(
      "listener \(port) 127.0.0.1\nallow_anonymous true\npersistence false\nlog_dest none\n",
      to: "\(world.path)/mosquitto.conf"
    )
    try start()
  }

  deinit { stop() }

  /// Starts it, and waits until it answers.
  func start() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/sbin/mosquitto")
    process.arguments = ["-c", "\(world.path)/mosquitto.conf"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    let end = ContinuousClock.now + TestDeadline.duration
    while try subscribe("$SYS/broker/version", wait: 1).isEmpty {
      guard ContinuousClock.now < end, process.isRunning else { return }
    }
  }

  /// Ends it at once.
  func stop() {
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// The message that is retained under a topic; empty if none is.
  func message(_ topic: String) throws -> String { try subscribe(topic, wait: 1) }

  /// Whether a message comes that is a text.
  func next(_ topic: String, is text: String) throws -> Bool {
    try wait { try message(topic) == text }
  }

  /// Whether a message comes that contains a text.
  func next(_ topic: String, contains text: String) throws -> Bool {
    try wait { try message(topic).contains(text) }
  }

  private func wait(_ condition: () throws -> Bool) throws -> Bool {
    let end = ContinuousClock.now + TestDeadline.duration
    while ContinuousClock.now < end { if try condition() { return true } }
    return false
  }

  private func subscribe(_ topic: String, wait: Int) throws -> String {
    let run = try ProgramRun(
      ProgramDescription(
        "/usr/bin/mosquitto_sub",
        ["-h", "127.0.0.1", "-p", "\(port)", "-t", topic, "-C", "1", "-W", "\(wait)"],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    return run.outputText.hasSuffix("\n") ? String(run.outputText.dropLast()) : run.outputText
  }
}
