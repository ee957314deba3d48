/// A signal to everything that a widget started.
nonisolated enum ProcessSignal: Hashable, Sendable {
  case terminate
  case kill
  /// Continue after ``WidgetConnection/suspend()``.
  case resume
}
