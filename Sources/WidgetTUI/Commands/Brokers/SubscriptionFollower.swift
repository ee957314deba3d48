import Brokers
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Makes cards of the topics that the user has subscribed to as they appear, while a page is open.
final class SubscriptionFollower {
  private let options: CommonOptions
  private let clock: any HostClock
  private let broker: (BrokerAddress) -> SharedBroker
  private var collectors: [BrokerSubscription: TopicCollector] = [:]
  private lazy var follower = FolderFollower(
    [OwnPath.split(folders.subscriptions).folder],
    clock: SystemClock(),
    onChange: { [weak self] _ in self?.read() },
    // It is tried again by itself.
    onTrouble: { _ in }
  )

  /// Creates one that does nothing yet.
  ///
  /// - Parameters:
  ///   - options: The options of the command.
  ///   - clock: The clock for the moments in which topics are gathered.
  ///   - broker: The connection to a broker; nil for those of the program.
  init(
    _ options: CommonOptions,
    clock: any HostClock = SystemClock(),
    broker: ((BrokerAddress) -> SharedBroker)? = nil
  ) {
    (self.options, self.clock) = (options, clock)
    self.broker =
      broker ?? { BrokerHub.shared.broker(at: $0, environment: options.environment) }
  }

  private var folders: StateFolders { StateFolders(environment: options.environment) }

  /// Begins to follow; nothing happens without subscriptions.
  func start() {
    guard options.widgetFolders.isEmpty else { return }
    follower.start()
    read()
  }

  /// Follows what is subscribed to now, and nothing else.
  private func read() {
    let all = BrokerSubscriptions.read(folders)
    for (subscription, collector) in collectors where !all.contains(subscription) {
      collector.stop()
      collectors[subscription] = nil
    }
    for subscription in all where collectors[subscription] == nil {
      guard let address = try? BrokerAddress(subscription.broker) else { continue }
      let collector = TopicCollector(subscription.filter, on: broker(address), clock: clock)
      let page = subscription.page.flatMap { PageName(rawValue: $0) }
      collector.onTopics = { [weak self] in self?.add($0, on: address, to: page) }
      collectors[subscription] = collector
      collector.start()
    }
  }

  private func add(_ topics: [BrokerCards.Topic], on address: BrokerAddress, to page: PageName?) {
    let settings = UserConfiguration(
      environment: options.environment,
      commands: KeyMap.standard.names
    ).settings
    let cards = BrokerCards(options, settings)
    Worker.background.async {
      // Without space, or on a page of config.json, there are no new cards.
      _ = try? cards.add(topics, on: address, to: page)
    }
  }
}
