import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// Makes cards of the topics that the user has subscribed to as they appear, while a page is open.
///
/// A class because it owns the connections.
final class SubscriptionFollower {
  private let options: CommonOptions
  private var collectors: [BrokerSubscription: TopicCollector] = [:]
  private lazy var follower = FolderFollower(
    [OwnPath.split(folders.subscriptions).folder],
    clock: SystemClock(),
    onChange: { [weak self] _ in self?.read() },
    // What is subscribed to later is followed from the next start on.
    onTrouble: { _ in }
  )

  init(_ options: CommonOptions) { self.options = options }

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
      let collector = TopicCollector(
        subscription.filter,
        on: address,
        environment: options.environment
      )
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
