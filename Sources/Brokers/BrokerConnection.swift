import FoundationEssentials
package import WidgetKitCore
package import WidgetPlatform

/// A connection to an MQTT broker, which is kept in the process `broker-agent`.
///
/// It is made again, with growing pauses, until ``end(completion:)`` or ``stop()``. All that is reported comes later, on
/// the main actor, in the order in which it has happened.
///
/// ```swift
/// let connection = BrokerConnection(broker, will: BrokerWill(topic: "today/nas/$state", payload: "offline"))
/// connection.onState = { state in … }
/// connection.start()
/// // when the state is .connected:
/// try await connection.publish(topic: "today/nas/$state", payload: Array("online".utf8), retained: true)
/// ```
@MainActor package final class BrokerConnection: BrokerConnecting {
  /// Whether there is a connection.
  package enum State: Hashable, Sendable {
    /// Not started, or stopped.
    case idle
    /// It is being made for the first time.
    case connecting
    /// There is one, with this version of MQTT; the words say why it is not 5.
    case connected(version: String, words: SafeText?)
    /// There is none; it is tried again after a time.
    case away(BrokerTrouble, again: Duration)
    /// There will be none, as something is not installed or what is set cannot be used.
    case failed(BrokerTrouble)
  }

  /// Called with each new state.
  package var onState: (State) -> Void = { _ in }
  /// Called with each message of a topic that was subscribed to.
  package var onMessage: (BrokerMessage) -> Void = { _ in }
  /// Called with a message of which the payload is larger than ``BrokerMessage/payloadLimit``, and is not known.
  package var onOversize: (_ topic: String, _ byteCount: Int) -> Void = { _, _ in }
  /// Called when the broker has taken a subscription, or has refused it with words; again after each connection.
  package var onSubscribed: (_ filter: String, _ refusal: SafeText?) -> Void = { _, _ in }
  /// What ``state`` was last reported.
  package private(set) var state = State.idle
  /// Whether it is read slowly, as on a page that is suspended: the broker then keeps what it has, as far as it can.
  package var isHeld = false

  private let broker: Broker
  private let will: BrokerWill?
  private let client: String
  private let program: String?
  private let environment: [String: String]
  private let clock: any HostClock
  private var reader = BrokerFrameReader()
  private var run: ChildRun?
  private var filters: [TopicKey] = []
  private var publications: [Int: (BrokerTrouble?) -> Void] = [:]
  private var lastNumber = 0
  private var pause = shortestPause
  private var timer: (any HostTimer)?
  private var isEnding = false
  private var onEnd: (() -> Void)?

  private static let shortestPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(60)
  /// The bytes that are read at once.
  private static let turn = 256 * 1024
  private static let heldPause = Duration.milliseconds(500)
  /// How long an orderly end may take.
  private static let endPatience = Duration.seconds(6)
  /// What may wait for the process: the filters of many cards, and what is published.
  private static let queue = (messages: 20_000, bytes: 32 << 20)
  /// What TLS reads of the environment.
  private static let names = ["SSL_CERT_DIR", "SSL_CERT_FILE", "TZ"]

  /// Creates one that does nothing yet.
  ///
  /// - Parameters:
  ///   - broker: The broker, and what is needed to log in.
  ///   - will: What it publishes when this program is gone without ``end(completion:)``.
  ///   - client: The name of this client, which no other one of the broker may have.
  ///   - environment: The user's environment.
  ///   - executable: The path of the program `today`.
  ///   - clock: The clock for pauses.
  package init(
    _ broker: Broker,
    will: BrokerWill? = nil,
    client: String = Broker.newClient(),
    environment: [String: String],
    executable: String = HostProcess.executablePath(),
    clock: any HostClock = SystemClock()
  ) {
    (self.broker, self.will, self.client, self.clock) = (broker, will, client, clock)
    program = HelperProgram.brokerAgent.path(beside: executable)
    self.environment = environment.filter { Self.names.contains($0.key) }
      .merging(["LC_ALL": "C.UTF-8"]) { $1 }
  }

  isolated deinit {
    timer?.cancel()
    run?.closeStreams()
    run?.kill()
  }

  // MARK: - Starting and ending

  /// Connects, unless that was done.
  package func start() {
    guard run == nil, timer == nil, !isEnding else { return }
    set(.connecting)
    launch()
  }

  /// Disconnects when everything that was published was acknowledged, or after some seconds; the will is not published.
  ///
  /// - Parameter completion: Called once, later.
  package func end(completion: @escaping () -> Void) {
    guard !isEnding, let run else {
      stop()
      MainQueue.perform { completion() }
      return
    }
    (isEnding, onEnd) = (true, completion)
    send(BrokerFrame("end"))
    run.input?.closeWhenDrained()
    timer?.cancel()
    timer = clock.schedule(after: Self.endPatience) { [weak self] in self?.run?.kill() }
  }

  /// Ends the connection at once; the broker publishes the will.
  package func stop() {
    isEnding = true
    timer?.cancel()
    run?.closeStreams()
    run?.kill()
    run = nil
    set(.idle)
    refuseAll()
  }

  private func launch() {
    timer = nil
    guard let program else {
      return fail(BrokerTrouble(.missing, "broker-agent is missing; install today again"))
    }
    reader = BrokerFrameReader()
    var queue = OutputQueue()
    (queue.messageLimit, queue.byteLimit) = Self.queue
    do throws(HostError) {
      run = try ChildRun(
        LaunchDescription(program: program, environment: environment),
        ChildRun.Terms(
          isolation: .command,
          input: .pipe(queue),
          output: .passed(turn: Self.turn) { [weak self] in self?.take($0) }
        ),
        clock: clock
      ) { [weak self] in self?.didEnd($0.status) }
    } catch {
      return fail(BrokerTrouble(.missing, SafeText(error.description)))
    }
    for frame in broker.frames(client: client, will: will) { send(frame) }
    for filter in filters { send(BrokerFrame("subscribe", filter.text)) }
  }

  @discardableResult
  private func send(_ frame: BrokerFrame) -> Bool { run?.input?.send(frame.bytes) ?? false }

  private func didEnd(_ status: TerminationStatus) {
    run = nil
    refuseAll()
    if isEnding {
      timer?.cancel()
      set(.idle)
      onEnd?()
      onEnd = nil
      return
    }
    if case .failed = state { return }
    // It was killed, or is not what it should be.
    let words = SafeText("broker-agent has ended: \(status)")
    set(.away(BrokerTrouble(.network, words), again: pause))
    timer = clock.schedule(after: pause) { [weak self] in self?.launch() }
    pause = min(pause * 2, Self.longestPause)
  }

  private func fail(_ trouble: BrokerTrouble) {
    set(.failed(trouble))
    refuseAll()
  }

  private func set(_ state: State) {
    guard state != self.state else { return }
    self.state = state
    onState(state)
  }

  // MARK: - What is asked for

  /// Receives what matches a filter, now and after each new connection; those that are retained come at once.
  package func subscribe(to filter: String) {
    guard !filters.contains(TopicKey(filter)) else { return }
    filters.append(TopicKey(filter))
    send(BrokerFrame("subscribe", filter))
  }

  /// Receives no more of what matches a filter.
  package func unsubscribe(from filter: String) {
    guard let place = filters.firstIndex(of: TopicKey(filter)) else { return }
    filters.remove(at: place)
    send(BrokerFrame("unsubscribe", filter))
  }

  /// Publishes a message, with QoS 1; nothing is kept for later where there is no connection.
  ///
  /// - Parameters:
  ///   - topic: The topic; see ``TopicRules/fault(_:)``.
  ///   - payload: At most ``BrokerMessage/payloadLimit`` bytes; none to remove what is retained.
  ///   - retained: Whether the broker keeps it for those that come later.
  ///   - expiry: After what time the broker removes it, in whole seconds; a broker before MQTT 5 keeps it.
  ///   - contentType: What kind of content it is, such as `application/json`.
  /// - Throws: ``BrokerTrouble`` if the broker does not have it.
  package func publish(
    topic: String,
    payload: [UInt8],
    retained: Bool,
    expiry: Duration? = nil,
    contentType: String? = nil
  ) async throws(BrokerTrouble) {
    let trouble: BrokerTrouble? = await withCheckedContinuation { continuation in
      publish(
        BrokerMessage(
          topic: topic,
          payload: payload,
          isRetained: retained,
          expiry: expiry,
          contentType: contentType
        )
      ) { continuation.resume(returning: $0) }
    }
    if let trouble { throw trouble }
  }

  /// Publishes a message like ``publish(topic:payload:retained:expiry:contentType:)``.
  ///
  /// - Parameters:
  ///   - message: What is published.
  ///   - completion: Called once, later, with why the broker does not have it; nil if it has.
  package func publish(
    _ message: BrokerMessage,
    completion: @escaping (BrokerTrouble?) -> Void
  ) {
    func refuse(_ kind: BrokerTrouble.Kind, _ words: String) {
      MainQueue.perform { completion(BrokerTrouble(kind, SafeText(words))) }
    }
    if let fault = TopicRules.fault(message.topic) { return refuse(.request, fault) }
    guard message.payload.count <= BrokerMessage.payloadLimit else {
      return refuse(.request, "it has more than \(BrokerMessage.payloadLimit / 1024) KiB")
    }
    guard case .connected = state else { return refuse(.network, "there is no connection") }
    lastNumber += 1
    let seconds = message.expiry.map { max(1, min($0.components.seconds, Int64(UInt32.max))) }
    let frame = BrokerFrame(
      "publish",
      [
        Array("\(lastNumber)".utf8), Array(message.topic.utf8), message.payload,
        Array((message.isRetained ? "1" : "0").utf8), Array((seconds.map { "\($0)" } ?? "").utf8),
        Array((message.contentType ?? "").utf8),
      ]
    )
    guard send(frame) else { return refuse(.network, "too much waits for the broker") }
    publications[lastNumber] = completion
  }

  private func refuseAll() {
    let open = publications.sorted { $0.key < $1.key }
    publications = [:]
    for (_, completion) in open {
      MainQueue.perform { completion(BrokerTrouble(.network, "the connection was lost")) }
    }
  }

  // MARK: - From the process

  private func take(_ bytes: [UInt8]) -> Duration? {
    reader.append(bytes)
    do throws(BrokerFrameReader.Invalid) {
      while let frame = try reader.next() {
        if let report = BrokerReport(frame) { take(report) }
        guard run != nil else { return nil }
      }
    } catch {
      run?.kill()
    }
    return isHeld ? Self.heldPause : nil
  }

  private func take(_ report: BrokerReport) {
    switch report {
    case .connected(let version, let words):
      pause = Self.shortestPause
      set(.connected(version: version, words: words))
    case .disconnected(let trouble, let again): set(.away(trouble, again: again))
    case .failed(let trouble): fail(trouble)
    case .subscribed(let filter, let refusal): onSubscribed(filter, refusal)
    case .message(let message): onMessage(message)
    case .large(let topic, let count): onOversize(topic, count)
    case .published(let number, let refusal):
      guard let completion = publications.removeValue(forKey: number) else { return }
      completion(refusal.map { BrokerTrouble(.broker, $0) })
    }
  }
}
