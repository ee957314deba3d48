import Brokers
import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// A broker of MQTT with the cards of a page, each a retained message, which leaves by itself when nothing newer comes.
final class PublishedBroker: PublishedPlace {
  /// What the broker has of a card.
  private struct Sent {
    var face: WebCard.Face
    var time: ContinuousClock.Instant
    var expiry: Double
  }

  /// What is published where.
  struct Terms {
    var topics: BrokerTopics
    /// All cards to which the user has agreed, as their topics depend on each other.
    var cards: [CardID]
    var page: PageName
    /// What tells the page and the broker from others.
    var key: String
  }

  var onReturn: () -> Void = {}

  private let connection: BrokerConnection
  private let name: String
  private let state: String
  private let topics: [CardID: String]
  private let keep: (TopicRecord) -> Void
  private var record: TopicRecord {
    didSet { if record != oldValue { keep(record) } }
  }
  private var sent: [String: Sent] = [:]
  private var isAnnounced = false
  private var waiting: CheckedContinuation<Void, Never>?
  private var deadline: (any HostTimer)?
  private let clock: any HostClock

  private static let patience: Duration = .seconds(15)

  init(
    _ broker: Broker,
    _ terms: Terms,
    clock: any HostClock,
    environment: [String: String]
  ) {
    name = broker.address.description
    state = terms.topics.state
    topics = terms.topics.topics(of: terms.cards)
    record = TopicRecord(
      key: terms.key,
      page: terms.page.rawValue,
      broker: name,
      environment: environment
    )
    keep = { $0.store(key: terms.key, environment: environment) }
    self.clock = clock
    connection = BrokerConnection(
      broker,
      will: BrokerWill(topic: state, payload: "offline"),
      environment: environment
    )
    connection.onState = { [weak self] in self?.stateDidChange($0) }
  }

  private func stateDidChange(_ state: BrokerConnection.State) {
    switch state {
    case .idle, .connecting: return
    case .connected:
      // A broker may have lost what it had retained.
      (sent, isAnnounced) = ([:], false)
      onReturn()
    case .away, .failed: break
    }
    stopWaiting()
  }

  private func stopWaiting() {
    deadline?.cancel()
    waiting?.resume()
    waiting = nil
  }

  // MARK: - Publishing

  func isDue(_ edition: PublishedEdition, after last: PublishedEdition.Summary) -> Bool { true }

  func publish(_ edition: PublishedEdition) async throws(PublishFault) {
    try await connect()
    try await announce()
    let cards = edition.page.cards
    try await removeOthers(than: Set(cards.compactMap { topics[$0.id] }))
    for card in cards {
      guard let topic = topics[card.id] else { continue }
      let face = card.face
      if let last = sent[topic], last.face == face,
        last.time.duration(to: edition.moment.now) < .saturated(seconds: last.expiry / 2)
      {
        continue
      }
      let expiry = 2 * card.seconds
      note(expiry, at: edition.moment.date)
      try await send(topic, CardPayload.bytes(of: card), expiry: .saturated(seconds: expiry))
      sent[topic] = Sent(face: face, time: edition.moment.now, expiry: expiry)
    }
  }

  /// Says that the machine publishes; under another name than before, what was said under that is removed.
  private func announce() async throws(PublishFault) {
    guard !isAnnounced else { return }
    if let old = record.state, old != state { try await send(old, []) }
    record.state = state
    try await send(state, Array("online".utf8))
    isAnnounced = true
  }

  /// Removes the cards that are published no longer.
  private func removeOthers(than shown: Set<String>) async throws(PublishFault) {
    let gone = record.topics.subtracting(shown)
    // Noted before they are there, so that they are removed after whatever end.
    record.topics.formUnion(shown)
    for topic in gone.sorted() {
      try await send(topic, [])
      sent[topic] = nil
      record.topics.remove(topic)
    }
  }

  /// Notes for how long the broker has what is sent now, not more often than half of that.
  private func note(_ expiry: Double, at date: Date) {
    let end = date.addingTimeInterval(expiry)
    if end.timeIntervalSince(record.end) > expiry / 2 { record.end = end }
  }

  /// Waits for the connection, which is made again by itself.
  private func connect() async throws(PublishFault) {
    connection.start()
    if case .connecting = connection.state {
      await withCheckedContinuation { continuation in
        waiting = continuation
        deadline = clock.schedule(after: Self.patience) { [weak self] in self?.stopWaiting() }
      }
    }
    switch connection.state {
    case .connected: return
    case .idle, .connecting: throw PublishFault(words: "\(name): the broker does not answer")
    case .away(let trouble, _): throw PublishFault(words: "\(name): \(trouble)")
    case .failed(let trouble):
      throw PublishFault(words: "\(name): \(trouble)", isFinal: true, code: .unavailable)
    }
  }

  private func send(
    _ topic: String,
    _ payload: [UInt8],
    expiry: Duration? = nil
  ) async throws(PublishFault) {
    do throws(BrokerTrouble) {
      try await connection.publish(
        topic: topic,
        payload: payload,
        retained: true,
        expiry: expiry,
        contentType: expiry == nil ? nil : CardPayload.contentType
      )
    } catch {
      throw PublishFault(words: "\(name): \(topic) was not published: \(error)")
    }
  }

  func close() async {
    if case .connected = connection.state { try? await send(state, Array("offline".utf8)) }
    await withCheckedContinuation { continuation in
      connection.end { continuation.resume() }
    }
  }
}
