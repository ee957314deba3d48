/// What the configuration file says about cards, by widget or by instance: the instance's value is used
/// if both are there.
struct CardTerms {
  private let spans: [String: Int]
  private let allowedWhenLocked: [String: Bool]

  init(_ configuration: CenterConfiguration) {
    spans = configuration.spans
    allowedWhenLocked = configuration.allowedWhenLocked
  }

  /// The number of columns of a card; nil if none is set.
  func span(of id: CardID) -> Int? { value(id, in: spans) }

  /// Whether a card is shown as it is while the page is locked.
  func isAllowedWhenLocked(_ id: CardID) -> Bool { value(id, in: allowedWhenLocked) ?? false }

  private func value<Value>(_ id: CardID, in values: [String: Value]) -> Value? {
    values[id.description] ?? values[id.bundleIdentifier]
  }
}
