import Brokers
import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetPlatform
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetScripts

/// What a card shows and says of the messages of its topic.
@Suite struct BrokerRunnerTests {
  /// Keeps what it is told in words.
  private final class Owner: ScriptRunnerOwner {
    private(set) var heard: [String] = []

    func scriptHas(_ content: ScriptContent, isEnd: Bool) {
      switch content {
      case .nothing: heard.append("nothing new")
      case .failure(let words): heard.append("! \(words)")
      case .picture(let picture): heard.append(picture.view.texts.joined(separator: " "))
      }
    }
    func scriptLogs(_ lines: [SafeText]) {}
    func scriptHasEnded() { heard.append("ended") }
    func scriptWants(_ wish: ScriptWish, completion: @escaping () -> Void) {
      if case .update = wish { heard.append("all is well") }
      completion()
    }
    func take() -> [String] {
      defer { heard = [] }
      return heard
    }
  }

  private static let topic = "today/nas/System"
  private static let state = "today/nas/$state"

  private let clock = VirtualClock()
  private let owner = Owner()
  private let broker: FakeBroker
  private let runner: BrokerRunner

  init() throws {
    broker = try FakeBroker(clock)
    runner = BrokerRunner(
      ScriptProgram(path: "/none", options: ScriptOptions()),
      Self.topic,
      on: broker.shared,
      limits: HostLimits(),
      owner: owner,
      clock: clock
    )
  }

  private var connection: FakeBrokerConnection { get throws { try #require(broker.connection) } }

  /// Waits until the messages that have come are pictures.
  private func settle() async {
    Worker.queries.drain()
    await withCheckedContinuation { continuation in
      MainQueue.perform { continuation.resume() }
    }
  }

  /// A message comes, and all is done that it leads to.
  private func send(_ payload: String, isRetained: Bool = false, expiry: Duration? = nil)
    async throws
  {
    try connection.send(Self.topic, payload, isRetained: isRetained, expiry: expiry)
    await settle()
    clock.advance(by: .milliseconds(500))
    await settle()
  }

  /// What the owner was told since the last time, each beginning with one of these.
  private func expect(
    _ beginnings: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let heard = owner.take()
    let isSo =
      heard.count == beginnings.count && zip(heard, beginnings).allSatisfy { $0.hasPrefix($1) }
    #expect(isSo, "\(heard)", sourceLocation: sourceLocation)
  }

  @Test func `what is retained is shown also while its host is offline`() async throws {
    try connection.connect()
    runner.show()
    try connection.send(Self.state, "offline", isRetained: true)
    expect("! unreachable: nas is offline")
    try await send("Load 1", isRetained: true)
    expect("Load 1")
    runner.show()
    expect("! unreachable: nas is offline")
    try connection.send(Self.state, "online")
    expect("all is well")
  }

  @Test func `what the user wants reaches a broker that is away`() async throws {
    runner.queue(adding: [:], isWanted: false)
    try connection.lose("the broker refuses the user name or the password", .password)
    expect("! unreachable since")
    runner.queue(adding: [:], isWanted: false)
    expect("! unreachable since")
    #expect(broker.connections.count == 1)
    // While it is tried, the card says what it has said, and then what is new.
    runner.queue(adding: [:], isWanted: true)
    expect("! unreachable since")
    #expect(broker.connections.count == 2 && !runner.isRunning)
    try connection.connect()
    expect("all is well")
  }

  @Test func `a message that comes while one is worked on does not undo a newer event`()
    async throws
  {
    try connection.connect()
    try connection.send(Self.topic, "Load 1")
    try connection.onOversize(Self.topic, 70_000)
    expect("! the message is too large")
    await settle()
    // Its picture is newer than what there was, but it is not the last message.
    expect("Load 1")
    runner.show()
    expect("! the message is too large")
    clock.advance(by: .seconds(1))
    try await send("Load 2")
    expect("Load 2", "all is well")
  }

  @Test func `a message that has expired while its card was suspended is shown as such`()
    async throws
  {
    try connection.connect()
    try await send("Load 1", expiry: .seconds(60))
    expect("Load 1")
    runner.suspend()
    try connection.send(Self.topic, "Load 2", expiry: .seconds(60))
    clock.advance(by: .seconds(61))
    expect()
    runner.resume()
    expect("! nothing new since")
    await settle()
    expect("Load 2")
    runner.show()
    expect("! nothing new since")
  }

  @Test func `a message that is too large ends the wait for the expiry of the last one`()
    async throws
  {
    try connection.connect()
    try await send("Load 1", expiry: .seconds(60))
    try connection.onOversize(Self.topic, 70_000)
    expect("Load 1", "! the message is too large: 68 KiB")
    clock.advance(by: .seconds(100))
    expect()
  }

  @Test func `a new problem is said while there is another one`() async throws {
    try connection.connect()
    try await send("Load 1", expiry: .seconds(10))
    clock.advance(by: .seconds(11))
    expect("Load 1", "! nothing new since")
    try connection.lose()
    expect("! unreachable since")
    try connection.lose("Host is down")
    expect("! unreachable since")
    try connection.lose("Host is down")
    expect()
    runner.suspend()
    try connection.connect()
    expect()
    runner.resume()
    expect("! nothing new since")
  }

  @Test func `a published card that fails says so here`() async throws {
    try connection.connect()
    let view = #""view": {"type": "text", "text": "Load 1"}"#
    try await send(#"{\#(view), "message": "no disk"}"#)
    expect("Load 1", "! no disk")
    try await send("{\(view)}")
    expect("Load 1", "all is well")
  }

  @Test func `a subscription that the broker refuses is a problem of the card`() async throws {
    try connection.connect()
    runner.show()
    try connection.onSubscribed(Self.topic, "the broker does not allow it")
    expect("! the broker refuses the subscription: the broker does not allow it")
    try connection.onSubscribed(Self.topic, nil)
    expect("all is well")
    try connection.onSubscribed(Self.state, "the broker does not allow it")
    expect()
  }

  @Test func `a card without a message says so after a moment`() async throws {
    runner.show()
    expect()
    try connection.connect()
    clock.advance(by: .seconds(3))
    expect("no message yet")
  }

  @Test func `what was retained is as old as its sender says, and what comes is new`()
    async throws
  {
    try connection.connect()
    let old = #"{"title": "System", "text": "1", "date": "2020-01-02T03:04:05Z", "interval": 60}"#
    try await send(old, isRetained: true)
    expect("System 1", "! nothing new since")
    try await send(old)
    expect("System 1", "all is well")
    clock.advance(by: .seconds(121))
    expect("! nothing new since")
  }

  @Test func `while it is suspended the broker is held back`() throws {
    runner.suspend()
    #expect(try connection.isHeld)
    runner.resume()
    #expect(try !connection.isHeld)
  }

  @Test func `after its end it says nothing`() async throws {
    try connection.connect()
    try connection.send(Self.topic, "Load 1")
    runner.end()
    await settle()
    clock.advance(by: .seconds(10))
    expect("ended")
    #expect(try connection.isStopped)
  }
}
