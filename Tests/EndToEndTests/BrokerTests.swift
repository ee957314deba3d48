import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Cards of topics, through a real Mosquitto on the loopback.
@Suite(
  .enabled(if: BuiltProgram.isThere, "\(BuiltProgram.missing)"),
  .enabled(if: TestBroker.isThere, "no broker; install mosquitto and mosquitto-clients"),
  .timeLimit(.minutes(5)),
  .serialized
)
struct BrokerTests {
  private let world: TestWorld

  init() throws {
    world = try TestWorld()
  }

  /// The program with these arguments, and with the usual folders.
  private func today(_ arguments: [String], term: String? = nil) -> ProgramDescription {
    ProgramDescription(
      BuiltProgram.path ?? "",
      arguments,
      environment: world.environment(term: term),
      directory: world.path
    )
  }

  private func run(_ arguments: [String], fails: Bool = false) throws -> ProgramRun {
    let run = try ProgramRun(today(arguments))
    if !fails { #expect(run.status == .exited(code: 0), "\(run.errorText)") }
    return run
  }

  private func page(_ name: String) throws -> String {
    try run(["snapshot", "--page", name], fails: true).outputText
  }

  /// Opens the page of the second tab.
  private func open() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(today([], term: "xterm-256color"), columns: 80, rows: 24)
    try terminal.waitForText("Fleet")
    try terminal.type("2")
    return terminal
  }

  private func quit(_ terminal: PseudoTerminal) throws {
    let agents = TestBroker.agents(of: world.path)
    #expect(agents.count == 1)
    try terminal.type("q")
    #expect(try terminal.waitForEnd() == .exited(code: 0))
    let deadline = TestDeadline.next
    for agent in agents {
      while let state = ProcessList.state(of: agent), state != "Z" {
        guard ContinuousClock.now < deadline else {
          Issue.record("a connection to the broker is left")
          return
        }
        sched_yield()
      }
    }
  }

  @Test func `what is retained is a card at once`() throws {
    let broker = try TestBroker(world)
    try broker.publish("today/router/wan", #"{"title": "WAN", "text": "up", "value": 71}"#)
    let view = #"{"cards":[{"name":"System","view":{"type":"vstack","children":["Load 0.3"]}}]}"#
    try broker.publish("today/nas/org.today.System", view)
    let added = try run(["subscribe", broker.address, "today/+/+", "--page", "Fleet"])
    #expect(added.outputText.split(separator: "\n").count == 2)
    let shown = try page("Fleet")
    #expect(shown.contains("WAN") && shown.contains("up") && shown.contains("71 %"))
    #expect(shown.contains("nas · System") && shown.contains("Load 0.3"))
    #expect(try run(["subscribe"]).outputText == "\(broker.address) today/+/+ --page Fleet\n")
    _ = try run(["subscribe", broker.address, "today/+/+", "--remove"])
    #expect(try run(["subscribe"]).outputText == "")
  }

  @Test func `a topic of the broker in config_json is a card with a number`() throws {
    let broker = try TestBroker(world)
    try world.saveConfiguration(#"{ mqtt: { broker: "\#(broker.address)" } }"#)
    try broker.publish("sensors/living/temperature", #"{"temperature": 21.5}"#)
    let options = ["--format", "json", "--value", "$.temperature", "--history", "--page", "Fleet"]
    _ = try run(["add", "mqtt:sensors/living/temperature"] + options)
    let shown = try page("Fleet")
    #expect(shown.contains("living · temperature") && shown.contains("21.5"))
  }

  @Test func `new messages and new topics come to an open page`() throws {
    let broker = try TestBroker(world)
    try broker.publish("today/nas/System", "Load 1")
    _ = try run(["subscribe", broker.address, "today/#", "--page", "Fleet"])
    let terminal = try open()
    try terminal.waitForText("Load 1")
    try broker.publish("today/nas/System", "Load 2")
    try terminal.waitForText("Load 2")
    try broker.publish("today/web/System", "Load 3")
    try terminal.waitForText("web · System")
    try terminal.waitForText("Load 3")
    try quit(terminal)
  }

  @Test func `a host whose publisher was killed is unreachable since then`() throws {
    let broker = try TestBroker(world)
    let host = try broker.startHost("nas")
    try broker.publish("today/nas/System", "Load 1")
    _ = try run(["subscribe", broker.address, "today/+/System", "--page", "Fleet"])
    let terminal = try open()
    try terminal.waitForText("Load 1")
    kill(host.processIdentifier, SIGKILL)
    try terminal.waitForText("unreachable since")
    try terminal.waitForText("Load 1")
    try broker.publish("today/nas/$state", "online")
    try terminal.wait(for: "the card is live again") { !$0.text.contains("unreachable") }
    try quit(terminal)
  }

  @Test func `a card whose host is offline shows what the broker has of it`() throws {
    let broker = try TestBroker(world)
    try broker.publish("today/nas/$state", "offline")
    try broker.publish("today/nas/System", "Load 1")
    _ = try run(["subscribe", broker.address, "today/+/System", "--page", "Fleet"])
    let terminal = try open()
    try terminal.waitForText("Load 1")
    try terminal.waitForText("nas is offline")
    try quit(terminal)
  }

  @Test func `a broker that stops and starts again is connected to again`() throws {
    let broker = try TestBroker(world)
    try broker.publish("today/nas/System", "Load 1")
    _ = try run(["subscribe", broker.address, "today/+/System", "--page", "Fleet"])
    let terminal = try open()
    try terminal.waitForText("Load 1")
    broker.stop()
    try terminal.waitForText("unreachable since")
    try broker.start()
    try broker.publish("today/nas/System", "Load 2")
    try terminal.waitForText("Load 2")
    try terminal.wait(for: "the card is live again") { !$0.text.contains("unreachable") }
    try quit(terminal)
  }

  @Test func `a message that expires leaves its picture with words`() throws {
    let broker = try TestBroker(world)
    let expiry = ["-V", "5", "-D", "publish", "message-expiry-interval", "5"]
    try broker.publish("today/nas/System", "Load 1", expiry)
    _ = try run(["subscribe", broker.address, "today/+/System", "--page", "Fleet"])
    try broker.publish("today/nas/System", "Load 1", expiry)
    let terminal = try open()
    try terminal.waitForText("Load 1")
    try terminal.waitForText("nothing new since")
    try quit(terminal)
  }

  @Test
  func
    `what was retained is as old as its sender says, and what comes is new whatever its clock says`()
    throws
  {
    let broker = try TestBroker(world)
    let payload =
      #"{"title": "System", "text": "Load 1", "date": "2020-01-02T03:04:05Z", "interval": 60}"#
    try broker.publish("today/nas/System", payload)
    _ = try run(["subscribe", broker.address, "today/+/System", "--page", "Fleet"])
    let terminal = try open()
    try terminal.waitForText("Load 1")
    try terminal.waitForText("nothing new since 2 Jan")
    try broker.publish("today/nas/System", payload.replacing("Load 1", with: "Load 2"))
    try terminal.waitForText("Load 2")
    try terminal.wait(for: "the card is live again") { !$0.text.contains("nothing new") }
    try quit(terminal)
  }

  /// A broker that knows one user, and the address of that.
  private func brokerWithPassword() throws -> (broker: TestBroker, address: String) {
    let passwords = "\(world.path)/passwords"
    let made = try ProgramRun(
      ProgramDescription(
        "/usr/bin/mosquitto_passwd",
        ["-b", "-c", passwords, "me", "right word"],
        environment: world.environment(),
        directory: world.path
      )
    )
    #expect(made.status == .exited(code: 0))
    let broker = try TestBroker(world, ["allow_anonymous true", "password_file \(passwords)"])
    try broker.publish("today/nas/System", "Load 1")
    return (broker, "mqtt://me@127.0.0.1:\(broker.port)")
  }

  private func store(_ password: String, for address: String) throws {
    let words = "printf %s \"$1\" | \"$2\" subscribe \"$3\" --password"
    let stored = try ProgramRun(
      ProgramDescription(
        "/bin/sh",
        ["-c", words, "sh", password, BuiltProgram.path ?? "", address],
        environment: world.environment(term: nil),
        directory: world.path
      )
    )
    #expect(stored.status == .exited(code: 0), "\(stored.errorText)")
  }

  @Test func `trying again takes the password that was stored meanwhile`() throws {
    let (broker, address) = try brokerWithPassword()
    try store("wrong", for: address)
    _ = try run(["add", "\(address)/today/nas/System", "--page", "Fleet"])
    let terminal = try open()
    try terminal.waitForText("the broker refuses")
    try store("right word", for: address)
    try terminal.type("r")
    try terminal.waitForText("Load 1")
    try terminal.wait(for: "the card is live") { !$0.text.contains("unreachable") }
    try quit(terminal)
    withExtendedLifetime(broker) {}
  }

  @Test func `a password is a secret, and in no file of the card`() throws {
    let (broker, address) = try brokerWithPassword()
    for (password, isRight) in [("wrong", false), ("right word", true)] {
      try store(password, for: address)
      let added = try run(["subscribe", address, "today/+/System", "--page", "Fleet"], fails: true)
      #expect(added.status == .exited(code: isRight ? 0 : 69))
      if !isRight {
        #expect(added.errorText.contains("refuses the user name or the password"))
      }
    }
    #expect(try page("Fleet").contains("Load 1"))
    withExtendedLifetime(broker) {}
    let scripts = "\(world.path)/data/today/scripts"
    for name in try FileManager.default.contentsOfDirectory(atPath: scripts) {
      #expect(try !String(contentsOfFile: "\(scripts)/\(name)", encoding: .utf8).contains("right"))
    }
  }

  @Test func `a thousand retained cards come with one subscription`() throws {
    try world.saveConfiguration("{ limits: { widgets: 1200 } }")
    let broker = try TestBroker(world)
    try broker.publishLoads(1_000)
    let added = try run(["subscribe", broker.address, "today/+/System", "--page", "Fleet"])
    #expect(added.outputText.split(separator: "\n").count == 1_000, "\(added.errorText)")
    let terminal = try open()
    try terminal.waitForText("Load 1")
    // The last one is at the end of the page.
    try terminal.type("G")
    try terminal.waitForText("Load 1000")
    try quit(terminal)
  }

  @Test func `a certificate that is not trusted is said in the heading of the card`() throws {
    for name in ["own", "other"] {
      let made = try ProgramRun(
        ProgramDescription(
          "/usr/bin/openssl",
          [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=x",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(name).key", "-out",
            "\(name).crt",
          ],
          environment: world.environment(),
          directory: world.path
        )
      )
      #expect(made.status == .exited(code: 0), "\(made.errorText)")
    }
    let broker = try TestBroker(
      world,
      [
        "allow_anonymous true", "certfile \(world.path)/own.crt", "keyfile \(world.path)/own.key",
      ]
    )
    let address = broker.address.replacing("mqtt:", with: "mqtts:")
    try world.saveConfiguration(
      "{ mqtt: { broker: '\(address)', ca: '\(world.path)/other.crt' } }"
    )
    _ = try run(["add", "mqtt:sensors/wan", "--page", "Fleet"])
    let terminal = try PseudoTerminal(today([], term: "xterm-256color"), columns: 160, rows: 24)
    try terminal.waitForText("Fleet")
    try terminal.type("2")
    try terminal.waitForText("the certificate of the broker is not trusted")
    try quit(terminal)
    let doctor = try run(["doctor"], fails: true).outputText
    #expect(doctor.contains("\(address): the certificate of the broker is not trusted"))
    #expect(doctor.contains("check “mqtt.ca”"))
  }

  @Test func `doctor says whether the brokers answer`() throws {
    let (first, second) = (try TestBroker(world), try TestBroker(world))
    try world.saveConfiguration("{ mqtt: { broker: '\(first.address)' } }")
    _ = try run(["subscribe", second.address, "today/#"])
    second.stop()
    let doctor = try run(["doctor"], fails: true).outputText
    #expect(doctor.contains("\(first.address) answers (MQTT 5)"), "\(doctor)")
    #expect(doctor.contains("\(second.address): Connection refused"), "\(doctor)")
  }

  @Test func `a broker that cannot be used is named with the reason`() throws {
    let broker = try TestBroker(world, ["allow_anonymous false"])
    let refused = try run(["subscribe", broker.address, "today/#"], fails: true)
    #expect(refused.status == .exited(code: 69))
    #expect(refused.errorText.contains("the broker wants a user name and a password"))
    broker.stop()
    let absent = try run(["subscribe", broker.address, "today/#"], fails: true)
    #expect(absent.status == .exited(code: 69))
    #expect(absent.errorText.contains("Connection refused"))
    #expect(try run(["subscribe"]).outputText == "")
  }

  @Test(arguments: [
    ["subscribe", "mqtt://b", "a/#/b"], ["subscribe", "http://b", "a"], ["subscribe", "mqtt://b"],
    ["subscribe", "mqtt://me:secret@b", "a"], ["subscribe", "mqtt://me:pa/secret@b", "a"],
    ["subscribe", "http://me:secret@b", "a"], ["add", "mqtt:sensors/wan"],
    ["add", "mqtts://b/a/#"],
    ["add", "mqtts://b"], ["add", "org.today.Clock", "--value", "$.x"],
    ["subscribe", "mqtt://b", "--password"],
  ])
  func `what is no broker or no topic is refused with words`(arguments: [String]) throws {
    let refused = try run(arguments, fails: true)
    #expect(refused.status == .exited(code: 64))
    #expect(refused.errorText.hasPrefix("today: ") && !refused.errorText.contains("secret"))
  }

  @Test func `hostile messages and topics harm nothing`() throws {
    let broker = try TestBroker(world)
    try broker.publish("today/x/control", "\u{1B}]0;title\u{7}\u{1B}[2Jx")
    try broker.publish("today/x/deep", String(repeating: "[", count: 20_000))
    try broker.publish(
      "today/x/question",
      #"{"view":{"type":"button","action":"a","label":"Allow"}}"#
    )
    try broker.publish("today/x/<xbar.title>odd</xbar.title>", "x")
    try broker.publish("today/x/number", #"{"value": 1e999}"#)
    let added = try run(["subscribe", broker.address, "today/#", "--page", "Fleet"])
    #expect(added.outputText.split(separator: "\n").count == 4)
    #expect(added.errorText.contains("no card: a topic of a card has no “<”"))
    let shown = try page("Fleet")
    #expect(!shown.contains("\u{1B}") && !shown.contains("\u{7}") && shown.contains("Allow"))
  }
}
