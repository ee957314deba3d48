/// Where content comes from.
package enum ContentSource: Hashable, Sendable {
  /// It came with the launch or the appearance: the state in which the widget was left.
  case appearance
  /// It came with an update that brought new data.
  case update
  /// The widget sent it without being asked.
  case push
  /// It came with the answer to a press.
  case action
  /// It came with the answer to `viewWillDisappear`: the last view of the process.
  case disappearance

  /// Whether it came with an appearance or a disappearance.
  package var isAppearance: Bool { self == .appearance || self == .disappearance }
}
