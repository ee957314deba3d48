import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// What the configuration file says about cards, by widget or by instance: the instance's value is used
/// if both are there.
struct CardTerms {
  private let spans: [String: Int]
  private let allowedWhenLocked: [String: Bool]
  private let hosts: [String: RemoteDestination]
  private let machine: RemoteDestination?
  private let names: HostNames

  init(_ configuration: CenterConfiguration) {
    spans = configuration.spans
    allowedWhenLocked = configuration.allowedWhenLocked
    hosts = configuration.hosts
    machine = configuration.machine
    names = configuration.hostNames
  }

  /// The number of columns of a card; nil if none is set.
  func span(of id: CardID) -> Int? { value(id, in: spans) }

  /// Whether a card is shown as it is while the page is locked.
  func isAllowedWhenLocked(_ id: CardID) -> Bool { value(id, in: allowedWhenLocked) ?? false }

  /// The machine on which the widget of a card runs; nil for this one, and for scripts, whose options name theirs.
  ///
  /// What config.json says is in force, else `added`: the machine for which the card was added.
  func host(of id: CardID, added: RemoteDestination? = nil) -> RemoteDestination? {
    machine ?? value(id, in: hosts) ?? added
  }

  /// The machines on which the widget of a card runs; empty for this one.
  func machines(of id: CardID, added: RemoteDestination?) -> [RemoteDestination] {
    host(of: id, added: added).map { names.machines(of: $0).map(names.address) } ?? []
  }

  private func value<Value>(_ id: CardID, in values: [String: Value]) -> Value? {
    values[id.description] ?? values[id.bundleIdentifier]
  }
}

/// What the configuration file says about cards at present.
///
/// A class because the page and what starts widgets share it.
final class CurrentTerms {
  var now: CardTerms
  /// The machine for which a card was added; nil for none.
  var added: (CardID) -> RemoteDestination? = { _ in nil }

  init(_ configuration: CenterConfiguration) {
    now = CardTerms(configuration)
  }

  /// The machine on which the widget of a card runs; nil for this one.
  func host(of id: CardID) -> RemoteDestination? { now.host(of: id, added: added(id)) }
}
