import WidgetKitCore

/// The state of a card's running process; a new process starts with a new value.
struct CardRun {
  /// Whether the process has shown a view of its own.
  var hasOwnView = false
  /// Whether the process has set the forms that it offers.
  var hasStatedForms = false
  /// Until when a printed page waits for the first view; nil if the wait has not been requested.
  var firstViewDeadline: ContinuousClock.Instant?
  /// The timer that ends the wait for the first view.
  var firstViewTimer: (any HostTimer)?

  /// How long a process whose answers contain no view has to push its first one.
  static let firstViewPatience: Duration = .seconds(1)
}
