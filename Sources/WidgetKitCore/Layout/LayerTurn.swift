internal import FoundationEssentials

/// Which child of a `zstack` with an interval is shown.
struct LayerTurn: Hashable, Sendable {
  /// The index of the child.
  var child: Int
  /// When the next one is shown; nil if it stays.
  var end: SecondsOfChange?
}

extension LayeredContent {
  /// Returns the child that is shown now; nil if all are shown at once.
  ///
  /// The turns are counted from 1970, so that all such stacks with one interval change together, which
  /// wakes the program once.
  func turn(in environment: LayoutEnvironment) -> LayerTurn? {
    guard let interval, interval > 0, !children.isEmpty else { return nil }
    let period = Double(interval)
    let turns = (environment.now.timeIntervalSince1970 / period).rounded(.down)
    guard environment.takesTurns, children.count > 1, turns.isFinite else {
      return LayerTurn(child: 0)
    }
    let count = Double(children.count)
    let rest = turns.truncatingRemainder(dividingBy: count)
    return LayerTurn(child: Int(rest < 0 ? rest + count : rest), end: (turns + 1) * period)
  }
}
