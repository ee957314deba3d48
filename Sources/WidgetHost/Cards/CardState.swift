/// What a card shows: the live view, the last one, or why there is none.
public nonisolated enum CardState: String, Hashable, Sendable, Codable {
  /// The widget runs and the view is its own.
  case live
  /// The view is the last one that was kept.
  case snapshot
  /// There is no view yet; the widget is being started.
  case starting
  /// Something is wrong; the last view stays and the heading says what.
  case failed
  /// The widget is not started again until somebody asks.
  case stopped
  /// The widget says that it has nothing to show.
  case hidden
}
