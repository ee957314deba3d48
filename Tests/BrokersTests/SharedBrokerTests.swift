import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetPlatform
import WidgetTestSupport
import WidgetTesting

@testable import Brokers
@testable import EngineTestSupport
@testable import WidgetExtensions

/// The connection that all cards of a broker share.
@Suite struct SharedBrokerTests {
  /// Keeps what it is told.
  private final class Listener: BrokerListener {
    var isSuspended = false
    var heard: [String] = []
    var states: [BrokerConnection.State] = []
    var dates: [Date] = []

    func brokerHas(_ message: BrokerMessage, at date: Date) {
      heard.append("\(message.topic) \(String(decoding: message.payload, as: UTF8.self))")
    }
    func brokerHas(large byteCount: Int, under topic: String) {
      heard.append("\(topic) has \(byteCount) bytes")
    }
    func brokerHas(subscribed filter: String, refusal: SafeText?) {
      heard.append("\(filter): \(refusal?.string ?? "taken")")
    }
    func brokerDidChange(_ state: BrokerConnection.State, since date: Date) {
      states.append(state)
      dates.append(date)
    }
  }

  private let clock = VirtualClock()
  private let broker: FakeBroker

  init() throws { broker = try FakeBroker(clock) }

  @Test func `a card and a filter of the same text have one subscription`() throws {
    let (card, collector) = (Listener(), Listener())
    broker.shared.join(collector, filter: "sensors/wan")
    broker.shared.join(card, topic: "sensors/wan")
    let connection = try #require(broker.connection)
    // The broker sends what is retained once more for the second one.
    #expect(connection.requests == ["+ sensors/wan", "- sensors/wan", "+ sensors/wan"])
    connection.send("sensors/wan", "up")
    #expect(card.heard == ["sensors/wan up"] && collector.heard == card.heard)
    broker.shared.leave(collector)
    #expect(connection.requests.count == 3)
    connection.send("sensors/wan", "down")
    #expect(card.heard.count == 2 && collector.heard.count == 1)
    broker.shared.leave(card)
    #expect(connection.requests.last == "- sensors/wan")
  }

  @Test func `a filter that comes after a card gets what is retained`() throws {
    let (card, collector) = (Listener(), Listener())
    broker.shared.join(card, topic: "a")
    broker.shared.join(collector, filter: "a")
    let connection = try #require(broker.connection)
    #expect(connection.requests == ["+ a", "- a", "+ a"])
    broker.shared.leave(card)
    #expect(connection.requests.count == 3)
  }

  @Test func `names that look alike have subscriptions of their own`() throws {
    let (first, second) = (Listener(), Listener())
    broker.shared.join(first, topic: "caf\u{E9}")
    broker.shared.join(second, topic: "cafe\u{301}")
    let connection = try #require(broker.connection)
    #expect(connection.requests.count == 2)
    connection.send("cafe\u{301}", "x")
    #expect(first.heard.isEmpty && second.heard.count == 1)
  }

  @Test func `a connection that comes when nobody waits any more is not used`() throws {
    broker.isLate = true
    let listener = Listener()
    broker.shared.join(listener, topic: "a")
    broker.shared.leave(listener)
    broker.makeWaiting()
    #expect(broker.connection?.isStarted == false)
    clock.advance(by: .seconds(10))
    broker.shared.join(listener, topic: "a")
    broker.makeWaiting()
    #expect(broker.connections.count == 2 && broker.connection?.isStarted == true)
  }

  @Test func `a connection that nobody uses ends after a moment`() throws {
    let (first, second) = (Listener(), Listener())
    broker.shared.join(first, topic: "a")
    broker.shared.leave(first)
    clock.advance(by: .seconds(1))
    broker.shared.join(second, topic: "b")
    clock.advance(by: .seconds(10))
    #expect(broker.connection?.isStopped == false)
    broker.shared.leave(second)
    // Leaving again does not let an earlier moment end what comes after it.
    clock.advance(by: .milliseconds(1_500))
    broker.shared.leave(second)
    clock.advance(by: .milliseconds(1_500))
    #expect(broker.connection?.isStopped == false)
    clock.advance(by: .seconds(1))
    #expect(broker.connection?.isStopped == true && broker.connections.count == 1)
  }

  @Test func `what is away is so since the first time, until there is a connection`() throws {
    let listener = Listener()
    broker.shared.join(listener, topic: "a")
    broker.connection?.connect()
    clock.advance(by: .seconds(60))
    let lost = clock.date
    broker.connection?.lose()
    clock.advance(by: .seconds(60))
    broker.connection?.lose("Host is down")
    #expect(listener.dates.suffix(2) == [lost, lost])
    broker.shared.retry()
    #expect(broker.connections.count == 2 && broker.connections[0].isStopped)
    #expect(broker.connection?.requests == ["+ a"])
    clock.advance(by: .seconds(60))
    broker.connection?.lose()
    #expect(listener.dates.last == lost)
    broker.connection?.connect()
    #expect(listener.dates.last == clock.date)
  }

  @Test func `what works, or is being tried, is not tried again`() throws {
    broker.shared.join(Listener(), topic: "a")
    broker.shared.retry()
    broker.connection?.connect()
    broker.shared.retry()
    #expect(broker.connections.count == 1)
    broker.connection?.onState(.failed(BrokerTrouble(.password, "refused")))
    broker.shared.retry()
    broker.shared.retry()
    #expect(broker.connections.count == 2)
  }

  @Test func `a refusal reaches those that have subscribed`() throws {
    let (card, collector, other) = (Listener(), Listener(), Listener())
    broker.shared.join(card, topic: "a")
    broker.shared.join(collector, filter: "a")
    broker.shared.join(other, filter: "#")
    broker.connection?.onSubscribed("a", "the broker does not allow it")
    #expect(card.heard == ["a: the broker does not allow it"])
    #expect(collector.heard == card.heard && other.heard.isEmpty)
  }

  @Test func `the broker is held back while all are suspended`() throws {
    let (first, second) = (Listener(), Listener())
    broker.shared.join(first, topic: "a")
    broker.shared.join(second, topic: "b")
    let connection = try #require(broker.connection)
    first.isSuspended = true
    broker.shared.adjust()
    #expect(!connection.isHeld)
    second.isSuspended = true
    broker.shared.adjust()
    #expect(connection.isHeld)
    broker.shared.leave(second)
    first.isSuspended = false
    broker.shared.adjust()
    #expect(!connection.isHeld)
  }

  @Test func `a password that cannot be read is asked for once, and again when the user wants it`()
    throws
  {
    broker.isLate = true
    let listener = Listener()
    broker.shared.join(listener, topic: "a")
    let trouble = BrokerTrouble(.password, "the keyring is locked")
    broker.makeWaiting(trouble)
    #expect(listener.states == [.failed(trouble)])
    broker.shared.join(Listener(), topic: "b")
    #expect(broker.waitingCount == 0)
    broker.shared.retry()
    #expect(broker.waitingCount == 1)
    broker.makeWaiting()
    #expect(broker.connection?.requests == ["+ a", "+ b"])
  }

  @Test func `a keyring that cannot be used is no missing password`() throws {
    let world = try TestWorld()
    let hub = BrokerHub()
    var environment = world.environment()
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    hub.findPasswords(
      in: SecretStorage(.service, environment: environment, executable: "/nowhere/today")
    )
    var found: [BrokerHub.Password] = []
    // Without a user the keyring is not needed.
    for address in ["mqtt://me@b", "mqtt://b"] {
      hub.password(of: try BrokerAddress(address)) { found.append($0) }
    }
    guard case .failure(let trouble)? = found.first else {
      Issue.record("the password was found")
      return
    }
    #expect(trouble.kind == .password && trouble.words.string.contains("not installed"))
    #expect(found.last == .success(nil))
  }
}
