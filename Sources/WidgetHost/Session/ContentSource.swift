/// Where content comes from.
nonisolated enum ContentSource: Hashable, Sendable {
  /// It came with the launch or the appearance: the state that the widget was left in.
  case appearance
  /// An update said newData.
  case update
  /// The widget pushed it.
  case push
  /// It answered a press.
  case action
  /// It is what the widget leaves behind.
  case disappearance

  /// Whether it came with the card's coming or going.
  var isAppearance: Bool { self == .appearance || self == .disappearance }
}
