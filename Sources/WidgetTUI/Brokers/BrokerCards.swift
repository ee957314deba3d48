import Brokers
import PageRecords
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetScripts

/// Makes cards of the topics of brokers: a script for each, which is never run, and its place on a page.
nonisolated struct BrokerCards: Sendable {
  /// A topic that is to have a card.
  struct Topic: Hashable, Sendable {
    var name: String
    /// The heading; nil to make one of the topic.
    var title: String?
  }

  /// What became of topics.
  struct Outcome: Sendable {
    /// The identifiers of the new cards.
    var added: [String] = []
    /// How many had a card already, or had one that the user has removed.
    var known = 0
    /// Those that cannot have one, with the reason.
    var refused: [(topic: String, reason: String)] = []
    /// How many have none because there are too many.
    var omitted = 0
  }

  /// The most cards of a page that come from a broker.
  static let limit = 1_000

  let environment: [String: String]
  let paths: SearchPaths
  let limits: BundleLimits
  let declared: [DeclaredPage]

  /// Adds topics to a page; those that have a card stay as they are.
  ///
  /// This function waits for the disk.
  ///
  /// - Parameters:
  ///   - topics: The topics.
  ///   - address: The broker; nil for that of config.json.
  ///   - page: The page; nil for the first one.
  ///   - options: What the line of each script says besides.
  ///   - isNamed: Whether the user has named each: one that has a card is changed, and comes back if it was removed.
  /// - Returns: What became of them.
  /// - Throws: ``HostError`` if it cannot be written, or the page is one of config.json; then there are no new scripts.
  func add(
    _ topics: [Topic],
    on address: BrokerAddress?,
    to page: PageName?,
    options: [(name: String, value: String)] = [],
    isNamed: Bool = false
  ) throws(HostError) -> Outcome {
    guard let folder = WrittenScript.folder(environment) else {
      throw HostError(code: .missing, description: "there is no home folder (HOME)")
    }
    var outcome = Outcome()
    let before = book()
    let prefix = "script.mqtt-"
    let present = before.catalog.widgets.count {
      $0.bundleIdentifier.hasPrefix(prefix)
    }
    let room = min(Self.limit - present, limits.widgets - before.catalog.widgets.count)
    var wanted: [WrittenScript] = []
    var added: [WrittenScript] = []
    var names: Set<String> = []
    for topic in topics {
      if let fault = BrokerScript.fault(topic.name) {
        outcome.refused.append((topic.name, fault))
        continue
      }
      let script = BrokerScript.script(
        topic.name,
        on: address,
        title: topic.title,
        options: options
      )
      let isKnown =
        !names.insert(script.name).inserted || BrokerScript.isWritten(script, in: folder)
      if isKnown { outcome.known += 1 }
      guard !isKnown || isNamed else { continue }
      guard isKnown || added.count < room else {
        outcome.omitted += 1
        continue
      }
      wanted.append(script)
      if !isKnown { added.append(script) }
    }
    guard !wanted.isEmpty else { return outcome }
    let changes = wanted.map { PageChange.add(ExtensionIdentity($0.identifier), page: page) }
    if let page = before.declarations(for: changes).first {
      throw HostError(
        code: .fixed,
        description:
          "the page “\(page.name)” is declared at \(page.place), which is never rewritten"
      )
    }
    do throws(HostError) {
      // A broker has the topic still if it is lost.
      for script in wanted { try script.write(to: folder, waitsForDisk: isNamed) }
      // Now they are found.
      try book().change(changes)
    } catch {
      // The script of a topic without a card says that the user has removed the card.
      for script in added { script.remove(from: folder) }
      throw error
    }
    outcome.added = added.map(\.identifier)
    return outcome
  }

  private func book() -> PageBook {
    PageBook(paths, environment: environment, limits: limits, declared: declared)
  }
}
