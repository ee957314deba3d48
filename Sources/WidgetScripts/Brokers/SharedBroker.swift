package import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// Somebody who gets what a broker has under some topics.
@MainActor package protocol BrokerListener: AnyObject {
  /// Whether it needs nothing at present.
  var isSuspended: Bool { get }
  /// A message of one of its topics has come, at this time of this machine.
  func brokerHas(_ message: BrokerMessage, at date: Date)
  /// A message has come that is too large.
  func brokerHas(large byteCount: Int, under topic: String)
  /// The connection was made or lost.
  func brokerDidChange(_ state: BrokerConnection.State, since date: Date)
}

/// The connection to one broker, and those that share it.
///
/// It is made for the first of them, and ended a moment after the last one has gone.
@MainActor package final class SharedBroker {
  package let address: BrokerAddress
  private let make: (_ completion: @escaping (BrokerConnection) -> Void) -> Void
  private let clock: any HostClock
  private var connection: BrokerConnection?
  private var isMaking = false
  private var topics: [String: [any BrokerListener]] = [:]
  private var filters: [String: [any BrokerListener]] = [:]
  private(set) var state = BrokerConnection.State.idle
  private var since: Date
  private var ending: (any HostTimer)?

  /// How long a connection stays that nobody uses.
  private static let leisure = Duration.seconds(2)

  /// Creates one without a connection.
  ///
  /// - Parameters:
  ///   - address: The broker.
  ///   - clock: The clock for the times of arrival.
  ///   - make: Makes a connection that is not started, now or later.
  init(
    _ address: BrokerAddress,
    clock: any HostClock = SystemClock(),
    make: @escaping (_ completion: @escaping (BrokerConnection) -> Void) -> Void
  ) {
    (self.address, self.clock, self.make) = (address, clock, make)
    since = clock.date
  }

  /// Gives a listener what is under a topic, now and later.
  package func join(_ listener: any BrokerListener, topic name: String) {
    use()
    // Nothing is kept here of what may be large: the broker sends what is retained once more.
    if topics[name] != nil { connection?.unsubscribe(from: name) }
    topics[name, default: []].append(listener)
    connection?.subscribe(to: name)
    tell(listener)
  }

  /// Gives a listener all that matches a filter, now and later.
  package func join(_ listener: any BrokerListener, filter: String) {
    use()
    filters[filter, default: []].append(listener)
    connection?.subscribe(to: filter)
    tell(listener)
  }

  /// A listener wants nothing any more.
  package func leave(_ listener: any BrokerListener) {
    for (name, listeners) in topics {
      let rest = listeners.filter { $0 !== listener }
      topics[name] = rest.isEmpty ? nil : rest
      if rest.isEmpty { connection?.unsubscribe(from: name) }
    }
    for (filter, listeners) in filters {
      let rest = listeners.filter { $0 !== listener }
      filters[filter] = rest.isEmpty ? nil : rest
      if rest.isEmpty { connection?.unsubscribe(from: filter) }
    }
    adjust()
    guard topics.isEmpty, filters.isEmpty else { return }
    ending = clock.schedule(after: Self.leisure) { [weak self] in self?.close() }
  }

  /// A listener is suspended, or is not any more: while all are, the broker is held back.
  package func adjust() {
    connection?.isHeld = !listeners.isEmpty && listeners.allSatisfy(\.isSuspended)
  }

  /// The user wants something of it: what has failed is tried again.
  package func retry() {
    guard case .failed = state else { return }
    close()
    use()
  }

  /// Ends the connection.
  func close() {
    ending?.cancel()
    connection?.stop()
    connection = nil
    state = .idle
  }

  private var listeners: [any BrokerListener] {
    topics.values.flatMap(\.self) + filters.values.flatMap(\.self)
  }

  private func use() {
    ending?.cancel()
    ending = nil
    guard connection == nil, !isMaking else { return }
    isMaking = true
    make { [weak self] in self?.begin($0) }
  }

  private func begin(_ new: BrokerConnection) {
    isMaking = false
    connection = new
    new.onState = { [weak self] in self?.didChange($0) }
    new.onMessage = { [weak self] in self?.take($0) }
    new.onOversize = { [weak self] in self?.take(large: $1, $0) }
    for name in topics.keys.sorted() { new.subscribe(to: name) }
    for filter in filters.keys.sorted() { new.subscribe(to: filter) }
    new.start()
    adjust()
  }

  private func later(_ work: @escaping @MainActor (SharedBroker) -> Void) {
    MainQueue.perform { [weak self] in if let self { work(self) } }
  }

  private func tell(_ listener: any BrokerListener) {
    guard state != .idle, state != .connecting else { return }
    later { broker in listener.brokerDidChange(broker.state, since: broker.since) }
  }

  // MARK: - From the broker

  private func didChange(_ state: BrokerConnection.State) {
    // While it is tried again and again, it is away since the first time.
    let wasAway = if case .away = self.state { true } else { false }
    let isAway = if case .away = state { true } else { false }
    if !wasAway || !isAway { since = clock.date }
    self.state = state
    for listener in listeners { listener.brokerDidChange(state, since: since) }
  }

  private func take(_ message: BrokerMessage) {
    let date = clock.date
    for listener in topics[message.topic] ?? [] { listener.brokerHas(message, at: date) }
    for (filter, listeners) in filters where BrokerTopic.matches(filter, message.topic) {
      for listener in listeners { listener.brokerHas(message, at: date) }
    }
  }

  private func take(large byteCount: Int, _ name: String) {
    for listener in topics[name] ?? [] {
      listener.brokerHas(large: byteCount, under: name)
    }
  }
}
