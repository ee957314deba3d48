package import FoundationEssentials
package import WidgetKitCore
package import WidgetPlatform

/// Receives the messages of topics and filters.
@MainActor package protocol BrokerListener: AnyObject {
  /// Whether it needs nothing at present.
  var isSuspended: Bool { get }
  /// A message of one of its topics has come, at this time of this machine.
  func brokerHas(_ message: BrokerMessage, at date: Date)
  /// A message has come that is too large.
  func brokerHas(large byteCount: Int, under topic: String)
  /// The broker has taken the subscription to one of its topics or filters, or has refused it with words.
  func brokerHas(subscribed filter: String, refusal: SafeText?)
  /// The connection was made or lost.
  func brokerDidChange(_ state: BrokerConnection.State, since date: Date)
}

/// The connection to one broker, and those that share it.
///
/// It is made for the first of them, and ended a moment after the last one has gone.
@MainActor package final class SharedBroker {
  /// Makes a connection that is not started, now or later, or says why there is none.
  package typealias Maker = (
    _ completion: @escaping (Result<any BrokerConnecting, BrokerTrouble>) -> Void
  ) -> Void

  package let address: BrokerAddress
  private let make: Maker
  private let clock: any HostClock
  private var connection: (any BrokerConnecting)?
  private var isMaking = false
  // A card and a filter of the same text have one subscription.
  private var topics: [TopicKey: [any BrokerListener]] = [:]
  private var filters: [TopicKey: [any BrokerListener]] = [:]
  private(set) var state = BrokerConnection.State.idle
  /// Since when there is a connection, or since when there is none: the first time that it was lost.
  private var since: Date
  private var isAway = false
  private var ending: (any HostTimer)?

  /// How long a connection stays that nobody uses.
  private static let unusedTime = Duration.seconds(2)

  /// Creates one without a connection.
  ///
  /// - Parameters:
  ///   - address: The broker.
  ///   - clock: The clock for the times of arrival.
  ///   - make: Makes a connection when one is needed.
  package init(
    _ address: BrokerAddress,
    clock: any HostClock = SystemClock(),
    make: @escaping Maker
  ) {
    (self.address, self.clock, self.make) = (address, clock, make)
    since = clock.date
  }

  /// Gives a listener what is under a topic, now and later.
  package func join(_ listener: any BrokerListener, topic: String) {
    let name = TopicKey(topic)
    let isFirst = !isSubscribed(to: name)
    topics[name, default: []].append(listener)
    subscribe(to: name, isFirst: isFirst)
    tell(listener)
  }

  /// Gives a listener all that matches a filter, now and later.
  package func join(_ listener: any BrokerListener, filter: String) {
    let name = TopicKey(filter)
    let isFirst = !isSubscribed(to: name)
    filters[name, default: []].append(listener)
    subscribe(to: name, isFirst: isFirst)
    tell(listener)
  }

  private func subscribe(to name: TopicKey, isFirst: Bool) {
    ending?.cancel()
    ending = nil
    // A new connection subscribes to all that there is.
    guard let connection else { return connect() }
    // Nothing is kept here of what may be large: the broker sends what is retained once more.
    if !isFirst { connection.unsubscribe(from: name.text) }
    connection.subscribe(to: name.text)
  }

  private func isSubscribed(to name: TopicKey) -> Bool {
    topics[name] != nil || filters[name] != nil
  }

  /// A listener wants nothing any more.
  package func leave(_ listener: any BrokerListener) {
    let left =
      Self.remove(listener, from: &topics).union(Self.remove(listener, from: &filters))
    for name in left where !isSubscribed(to: name) { connection?.unsubscribe(from: name.text) }
    adjust()
    guard topics.isEmpty, filters.isEmpty else { return }
    ending?.cancel()
    ending = clock.schedule(after: Self.unusedTime) { [weak self] in self?.close() }
  }

  /// Removes a listener; returns the names that it had.
  private static func remove(
    _ listener: any BrokerListener,
    from all: inout [TopicKey: [any BrokerListener]]
  ) -> Set<TopicKey> {
    var found: Set<TopicKey> = []
    for (name, listeners) in all where listeners.contains(where: { $0 === listener }) {
      let rest = listeners.filter { $0 !== listener }
      all[name] = rest.isEmpty ? nil : rest
      found.insert(name)
    }
    return found
  }

  /// A listener is suspended, or is not any more: while all are, the broker is held back.
  package func adjust() {
    connection?.isHeld = !listeners.isEmpty && listeners.allSatisfy(\.isSuspended)
  }

  /// The user wants something of it: what is away or has failed is tried again at once.
  ///
  /// Until there is a connection, it is away since the first time.
  package func retry() {
    switch state {
    case .away, .failed: break
    case .idle, .connecting, .connected: return
    }
    stop()
    connect()
  }

  /// Ends the connection.
  func close() {
    ending?.cancel()
    stop()
    isAway = false
  }

  private func stop() {
    connection?.stop()
    connection = nil
    state = .idle
  }

  private var listeners: [any BrokerListener] {
    topics.values.flatMap(\.self) + filters.values.flatMap(\.self)
  }

  private func connect() {
    guard !isMaking else { return }
    // Without a connection it has failed before there was one: not each new card asks for the password again.
    if case .failed = state { return }
    isMaking = true
    make { [weak self] in self?.begin($0) }
  }

  private func begin(_ made: Result<any BrokerConnecting, BrokerTrouble>) {
    isMaking = false
    // Nobody may have waited so long.
    guard !topics.isEmpty || !filters.isEmpty else { return }
    switch made {
    case .failure(let trouble): didChange(.failed(trouble))
    case .success(let new): begin(new)
    }
  }

  private func begin(_ new: any BrokerConnecting) {
    connection = new
    new.onState = { [weak self] in self?.didChange($0) }
    new.onMessage = { [weak self] in self?.take($0) }
    new.onOversize = { [weak self] in self?.take(large: $1, $0) }
    new.onSubscribed = { [weak self] in self?.take(subscribed: $0, $1) }
    let names = Set(topics.keys).union(filters.keys)
    for text in names.map(\.text).sorted() { new.subscribe(to: text) }
    new.start()
    adjust()
  }

  private func tell(_ listener: any BrokerListener) {
    guard state != .idle, state != .connecting else { return }
    MainQueue.perform { [weak self] in
      guard let self else { return }
      listener.brokerDidChange(state, since: since)
    }
  }

  // MARK: - From the broker

  private func didChange(_ state: BrokerConnection.State) {
    switch state {
    case .connected: (since, isAway) = (clock.date, false)
    // While it is tried again and again, it is away since the first time.
    case .away where !isAway, .failed where !isAway: (since, isAway) = (clock.date, true)
    case .away, .failed, .idle, .connecting: break
    }
    self.state = state
    for listener in listeners { listener.brokerDidChange(state, since: since) }
  }

  private func take(_ message: BrokerMessage) {
    let date = clock.date
    for listener in topics[TopicKey(message.topic)] ?? [] {
      listener.brokerHas(message, at: date)
    }
    for (filter, listeners) in filters where TopicRules.matches(filter.text, message.topic) {
      for listener in listeners { listener.brokerHas(message, at: date) }
    }
  }

  private func take(large byteCount: Int, _ topic: String) {
    for listener in topics[TopicKey(topic)] ?? [] {
      listener.brokerHas(large: byteCount, under: topic)
    }
  }

  private func take(subscribed filter: String, _ refusal: SafeText?) {
    let name = TopicKey(filter)
    for listener in (topics[name] ?? []) + (filters[name] ?? []) {
      listener.brokerHas(subscribed: filter, refusal: refusal)
    }
  }
}
