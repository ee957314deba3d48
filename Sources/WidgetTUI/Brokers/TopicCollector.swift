import Brokers
import FoundationEssentials
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// The topics of a filter, as they come.
final class TopicCollector: BrokerListener {
  private let filter: String
  private let broker: SharedBroker
  private let clock: any HostClock
  private var topics: [BrokerCards.Topic] = []
  private var known: Set<TopicKey> = []
  private var timer: (any HostTimer)?
  /// How many messages came whose topics are not collected, as these are too long for a card, or too many.
  private(set) var omitted = 0
  /// Called with the connection, when it was made or could not be.
  var onState: (BrokerConnection.State) -> Void = { _ in }
  /// Called when the broker refuses the subscription.
  var onRefusal: (BrokerTrouble) -> Void = { _ in }
  /// Called with topics that were not there before, when no more come for a moment.
  var onTopics: ([BrokerCards.Topic]) -> Void = { _ in }

  var isSuspended: Bool { false }

  /// How long others are waited for.
  private static let gathering = Duration.milliseconds(700)
  /// More topics than that are not remembered: somebody floods the broker with names.
  private static let limit = 20_000

  init(_ filter: String, on broker: SharedBroker, clock: any HostClock = SystemClock()) {
    (self.filter, self.broker, self.clock) = (filter, broker, clock)
  }

  func start() { broker.join(self, filter: filter) }

  func stop() {
    timer?.cancel()
    broker.leave(self)
  }

  func brokerHas(_ message: BrokerMessage, at date: Date) {
    let levels = TopicRules.levels(message.topic)
    // The states of machines are shown by their cards, and what was removed has none.
    let name = TopicKey(message.topic)
    guard !message.payload.isEmpty, levels.last?.utf8.first != UInt8(ascii: "$"),
      !known.contains(name)
    else { return }
    guard known.count < Self.limit, message.topic.utf8.count <= ScriptOptions.textBytes else {
      omitted += 1
      return
    }
    known.insert(name)
    topics.append(
      BrokerCards.Topic(name: message.topic, title: BrokerScript.title(of: message))
    )
    timer = timer ?? clock.schedule(after: Self.gathering) { [weak self] in self?.pass() }
  }

  func brokerHas(large byteCount: Int, under topic: String) {}

  func brokerHas(subscribed filter: String, refusal: SafeText?) {
    guard let refusal else { return }
    onRefusal(BrokerTrouble(.refused, "the broker refuses the subscription: \(refusal)"))
  }

  func brokerDidChange(_ state: BrokerConnection.State, since date: Date) { onState(state) }

  private func pass() {
    timer = nil
    let found = topics
    topics = []
    onTopics(found)
  }
}
