import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// The topics of a filter, as they come.
///
/// A class because the broker tells it of them.
final class TopicCollector: BrokerListener {
  private let filter: String
  private let address: BrokerAddress
  private let broker: SharedBroker
  private var topics: [BrokerCards.Topic] = []
  private var known: Set<String> = []
  private var timer: (any HostTimer)?
  /// How many messages came whose topics are not collected, as these are too long or too many.
  private(set) var omitted = 0
  /// Called with the connection, when it was made or could not be.
  var onState: (BrokerConnection.State) -> Void = { _ in }
  /// Called with topics that were not there before, when no more come for a moment.
  var onTopics: ([BrokerCards.Topic]) -> Void = { _ in }

  var isSuspended: Bool { false }

  /// How long others are waited for.
  private static let gathering = Duration.milliseconds(700)
  /// More topics than that are not remembered: somebody floods the broker with names.
  private static let limit = 20_000

  init(_ filter: String, on address: BrokerAddress, environment: [String: String]) {
    (self.filter, self.address) = (filter, address)
    broker = BrokerHub.shared.broker(at: address, environment: environment)
  }

  func start() { broker.join(self, filter: filter) }

  func stop() {
    timer?.cancel()
    broker.leave(self)
  }

  func brokerHas(_ message: BrokerMessage, at date: Date) {
    let levels = BrokerTopic.levels(message.topic)
    // The states of machines are shown by their cards, and what was removed has none.
    guard !message.payload.isEmpty, levels.last?.hasPrefix("$") != true,
      !known.contains(message.topic)
    else { return }
    guard known.count < Self.limit, message.topic.utf8.count <= ScriptOptions.textBytes else {
      omitted += 1
      return
    }
    known.insert(message.topic)
    topics.append(
      BrokerCards.Topic(name: message.topic, title: BrokerScript.title(of: message))
    )
    timer = timer ?? SystemClock().schedule(after: Self.gathering) { [weak self] in self?.pass() }
  }

  func brokerHas(large byteCount: Int, under topic: String) {}

  func brokerHas(subscribed filter: String, refusal: SafeText?) {}

  func brokerDidChange(_ state: BrokerConnection.State, since date: Date) { onState(state) }

  private func pass() {
    timer = nil
    let found = topics
    topics = []
    onTopics(found)
  }
}
