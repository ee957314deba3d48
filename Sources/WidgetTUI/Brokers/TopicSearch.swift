import Brokers
import WidgetKitCore
import WidgetPlatform
import WidgetScripts

/// Finds the topics that a broker has under a filter now: those that come until nothing more does for a moment.
final class TopicSearch {
  /// What was found.
  struct Found {
    /// The topics in the order of their names.
    var topics: [BrokerCards.Topic] = []
    /// How many messages came whose topics cannot have a card, as these are too long.
    var omitted = 0
  }

  private let collector: TopicCollector
  private let clock: any HostClock
  private var topics: [BrokerCards.Topic] = []
  private var quiet: (any HostTimer)?
  private var deadline: (any HostTimer)?
  private var completion: (Result<Found, BrokerTrouble>) -> Void = { _ in }

  /// How long the first topics may take after the connection was made, and others after these.
  private static let (firstPatience, nextPatience) = (Duration.seconds(2), Duration.seconds(1))
  /// How long it takes in all: under “#” new ones may come without end.
  private static let patience = Duration.seconds(10)

  init(_ filter: String, on broker: SharedBroker, clock: any HostClock = SystemClock()) {
    self.clock = clock
    collector = TopicCollector(filter, on: broker, clock: clock)
  }

  /// Begins; calls `completion` once, with what was found or why the broker cannot be used.
  func start(completion: @escaping (Result<Found, BrokerTrouble>) -> Void) {
    self.completion = completion
    collector.onTopics = { [weak self] in self?.take($0) }
    collector.onRefusal = { [weak self] in self?.end(.failure($0)) }
    // It keeps itself until its end.
    collector.onState = { [self] in didChange($0) }
    collector.start()
  }

  private func didChange(_ state: BrokerConnection.State) {
    switch state {
    case .connected: didConnect()
    case .away(let trouble, again: _), .failed(let trouble): end(.failure(trouble))
    case .idle, .connecting: break
    }
  }

  private func didConnect() {
    wait(Self.firstPatience)
    deadline = deadline ?? clock.schedule(after: Self.patience) { [weak self] in self?.finish() }
  }

  private func take(_ found: [BrokerCards.Topic]) {
    topics += found
    guard topics.count < BrokerCards.limit else { return finish() }
    wait(Self.nextPatience)
  }

  private func wait(_ time: Duration) {
    quiet?.cancel()
    quiet = clock.schedule(after: time) { [weak self] in self?.finish() }
  }

  private func finish() {
    end(.success(Found(topics: topics.sorted { $0.name < $1.name }, omitted: collector.omitted)))
  }

  private func end(_ result: Result<Found, BrokerTrouble>) {
    for timer in [quiet, deadline] { timer?.cancel() }
    collector.stop()
    collector.onState = { _ in }
    let completion = completion
    self.completion = { _ in }
    completion(result)
  }
}
