import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// What a broker may have of a page, also of earlier runs.
nonisolated struct TopicRecord: Codable, Equatable {
  /// The page.
  var page: String
  /// The broker, as ``PublishDestination/name``.
  var broker: String
  /// The topic of the state of the machine; nil if nothing was published under it.
  var state: String?
  /// The topics of cards.
  var topics: Set<String> = []
  /// When the last of them has expired, if nothing is published any more.
  var end = Date.distantPast

  private static let ending = "-topics.json"
  private static let byteLimit = 256 * 1024
  private static let countLimit = 1_000

  /// Reads that of a page and a broker; one without topics if there is none.
  ///
  /// - Parameters:
  ///   - key: What tells the page and the broker from others.
  ///   - page: The page.
  ///   - broker: The broker.
  ///   - environment: The user's environment.
  init(key: String, page: String, broker: String, environment: [String: String]) {
    self.init(page: page, broker: broker)
    if let found = Self.read("\(key)\(Self.ending)", environment), found.broker == broker {
      self = found
    }
  }

  private init(page: String, broker: String) {
    (self.page, self.broker) = (page, broker)
  }

  /// Writes it; without it a card that is left out stays until it expires.
  func store(key: String, environment: [String: String]) {
    guard let data = try? JSONEncoder().encode(self) else { return }
    try? DurableFile.write(data, to: "\(Self.folder(environment))/\(key)\(Self.ending)")
  }

  /// Another page, of which a broker has cards from a machine of the same name; nil if there is none.
  ///
  /// - Parameters:
  ///   - key: What tells the page that is to be published, and the broker, from others.
  ///   - state: The topic of the state of the machine.
  ///   - broker: The broker.
  ///   - environment: The user's environment.
  ///   - now: The present time; what has expired is of no account.
  /// - Returns: The name of the page.
  static func otherPage(
    than key: String,
    under state: String,
    at broker: String,
    environment: [String: String],
    now: Date = Date()
  ) -> String? {
    guard let folder = try? OwnFolder.open(folder(environment)) else { return nil }
    let names = folder.names(limit: countLimit).filter {
      $0.hasSuffix(ending) && $0 != "\(key)\(ending)"
    }
    let others = names.sorted().compactMap { read($0, environment) }
    return others.first {
      $0.broker == broker && $0.state == state && !$0.topics.isEmpty && $0.end > now
    }?.page
  }

  private static func read(_ name: String, _ environment: [String: String]) -> TopicRecord? {
    DurableFile.read("\(folder(environment))/\(name)", byteLimit: byteLimit).flatMap {
      try? JSONDecoder().decode(Self.self, from: Data($0))
    }
  }

  private static func folder(_ environment: [String: String]) -> String {
    StateFolders(environment: environment).publishing
  }
}
