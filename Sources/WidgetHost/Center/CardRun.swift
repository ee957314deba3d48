import WidgetKitCore

/// What a card knows of the process that runs; another process begins with another value.
struct CardRun {
  /// Whether it has shown a view of its own.
  var hasOwnView = false
  /// Whether it has said which forms it offers.
  var hasStatedForms = false
  /// Until when a page that is printed waits for its first view; nil while nobody asked.
  var firstViewDeadline: ContinuousClock.Instant?
  /// What ends that time.
  var firstViewTimer: (any HostTimer)?

  /// How long a process that answers nothing with a view has to push its first one.
  static let firstViewPatience: Duration = .seconds(1)
}
