import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// A broker of MQTT with the cards of a page, each a retained message, which leaves by itself when nothing newer comes.
///
/// A class because its connection calls it.
final class PublishedBroker: PublishedPlace {
  /// What the broker has of a card.
  private struct Sent {
    var face: WebCard.Face
    var date: Date
    var expiry: Double
  }

  var onReturn: () -> Void = {}

  private let connection: BrokerConnection
  private let name: String
  private let topics: BrokerTopics
  private let record: TopicRecord
  private var sent: [String: Sent] = [:]
  private var isAnnounced = false
  private var waiting: CheckedContinuation<Void, Never>?
  private var deadline: (any HostTimer)?

  private static let patience: Duration = .seconds(15)

  init(_ broker: Broker, _ topics: BrokerTopics, key: String, environment: [String: String]) {
    name = broker.address.description
    self.topics = topics
    record = TopicRecord(key: key, environment: environment)
    connection = BrokerConnection(
      broker,
      will: BrokerWill(topic: topics.state, payload: "offline"),
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

  func isDue(_ edition: PublishedEdition, after last: PublishedEdition) -> Bool { true }

  func publish(_ edition: PublishedEdition) async throws(PublishFault) {
    try await connect()
    if !isAnnounced {
      try await send(topics.state, Array("online".utf8))
      isAnnounced = true
    }
    let topics = topics.topics(of: edition.page.cards.map(\.id))
    let gone = record.topics.subtracting(topics.values)
    // Noted before they are there, so that they are removed after whatever end.
    record.topics.formUnion(topics.values)
    for topic in gone.sorted() {
      try await send(topic, [])
      sent[topic] = nil
      record.topics.remove(topic)
    }
    for card in edition.page.cards {
      guard let topic = topics[card.id] else { continue }
      let face = card.face
      if let last = sent[topic], last.face == face,
        edition.date.timeIntervalSince(last.date) < last.expiry / 2
      {
        continue
      }
      let expiry = 2 * card.seconds
      try await send(topic, CardPayload.bytes(of: card), expiry: .seconds(expiry))
      sent[topic] = Sent(face: face, date: edition.date, expiry: expiry)
    }
  }

  /// Waits for the connection, which is made again by itself.
  private func connect() async throws(PublishFault) {
    connection.start()
    if case .connecting = connection.state {
      await withCheckedContinuation { continuation in
        waiting = continuation
        deadline = SystemClock().schedule(after: Self.patience) { [weak self] in
          self?.stopWaiting()
        }
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
    if case .connected = connection.state { try? await send(topics.state, Array("offline".utf8)) }
    await withCheckedContinuation { continuation in
      connection.end { continuation.resume() }
    }
  }
}

/// The topics under which a broker may have cards of a page, also those of earlier runs.
///
/// A class because it stores what is changed.
final class TopicRecord {
  private let path: String
  private static let byteLimit = 256 * 1024

  /// The topics.
  var topics: Set<String> {
    didSet { if topics != oldValue { store() } }
  }

  /// - Parameters:
  ///   - key: What tells the page and the broker from others.
  ///   - environment: The user's environment.
  init(key: String, environment: [String: String]) {
    path = "\(StateFolders(environment: environment).publishing)/\(key)-topics.json"
    let bytes = DurableFile.read(path, byteLimit: Self.byteLimit) ?? []
    topics = Set((try? JSONDecoder().decode([String].self, from: Data(bytes))) ?? [])
  }

  private func store() {
    guard let data = try? JSONEncoder().encode(topics.sorted()) else { return }
    // Without it a card that is left out stays until it expires.
    try? DurableFile.write(data, to: path)
  }
}
