/// A signal to all processes of a widget.
package enum ProcessSignal: Hashable, Sendable {
  case terminate
  case kill
  /// Continue after ``WidgetConnection/suspend()``.
  case resume
}
