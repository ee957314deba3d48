import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Cards on a real broker, a Mosquitto on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: TestBroker.isThere, "no broker; install mosquitto and mosquitto-clients"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct BrokerPublishTests {
  private static let good = "com.example.fixture.good"
  private static let counting = "com.example.fixture.counting"
  private let world: TestWorld
  private let broker: TestBroker

  init() throws {
    world = try TestWorld(fixtures: ["Good", "Counting", "Private"])
    broker = try TestBroker(world)
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
    #expect(try broker.next("today/nas/$state") { $0 == "offline" })
  }

  @Test func `a broker that was started again gets everything again`() throws {
    let terminal = try publish(["--yes", "--every", "60s"])
    try terminal.waitForText("published: 3 cards")
    broker.stop()
    try broker.start()
    #expect(try broker.next("today/nas/good") { $0.contains("All is well") })
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

  @Test func `after another name nothing is left under the one before`() throws {
    #expect(try ProgramRun(program(["--yes", "--once"])).status == .exited(code: 0))
    #expect(try broker.message("today/nas/$state") == "offline")
    let named = ["publish", "Home", "--to", broker.address, "--as", "attic", "--once"]
    #expect(try world.run(named).status == .exited(code: 0))
    #expect(try broker.message("today/attic/good").contains("All is well"))
    #expect(try broker.message("today/nas/good").isEmpty)
    #expect(try broker.message("today/nas/$state").isEmpty)
  }

  @Test func `a second page of a machine needs another name`() throws {
    try world.install()
    #expect(try world.installed(["add", Self.good]).status == .exited(code: 0))
    let add = ["add", Self.counting, "--page", "Work"]
    #expect(try world.installed(add).status == .exited(code: 0))
    let home = ["publish", "Home", "--to", broker.address, "--as", "nas", "--once"]
    #expect(try world.installed(home + ["--only", Self.good]).status == .exited(code: 0))
    let work = ["publish", "Work", "--to", broker.address, "--once", "--yes", "--as"]
    let refused = try world.installed(work + ["nas"])
    #expect(refused.status == .exited(code: 77))
    #expect(
      refused.errorText.contains("has the page “Home” under this name"),
      "\(refused.errorText)"
    )
    #expect(try world.installed(work + ["desk"]).status == .exited(code: 0))
    #expect(try broker.message("today/desk/counting").contains("started"))
    #expect(try broker.message("today/nas/good").contains("All is well"))
  }

  @Test func `a second signal ends it while a broker does not answer`() throws {
    let socket = try ListeningSocket()
    let arguments = ["publish", "Home", "--to", "mqtt://127.0.0.1:\(socket.port)", "--as", "nas"]
    let terminal = try PseudoTerminal(
      world.today(arguments + ["--once", "--yes"]),
      columns: 100,
      rows: 30
    )
    try terminal.wait(for: "the connection") { _ in !TestBroker.agents(of: world.path).isEmpty }
    let pid = try #require(terminal.pid)
    // Two of them that come together are one.
    try terminal.wait(for: "its end") { _ in
      terminal.signal(SIGINT)
      return [nil, "Z"].contains(ProcessList.state(of: pid))
    }
    #expect(try terminal.waitForEnd() == .exited(code: 130))
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
