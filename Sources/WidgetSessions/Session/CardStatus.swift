/// What a card shows: the live view, the last one, or the reason why there is none.
public enum CardStatus: String, Hashable, Sendable, Codable {
  /// The widget runs, and the view is its own.
  case live
  /// The view is the saved snapshot.
  case snapshot
  /// There is no view yet; the widget is being started.
  case starting
  /// There is a problem; the last view stays and the heading names the problem.
  case failed
  /// The widget is not started again until the user requests it.
  case stopped
  /// The widget has nothing to show.
  case hidden
}
