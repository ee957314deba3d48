import WidgetExtensions

/// Whether the user edits the widget of one process, which is told when that begins and when it ends.
///
/// It ends with the view: before that disappears, and before the process is told to exit. A process that
/// has gone is told nothing.
struct WidgetEditing {
  private(set) var isUnderWay = false

  /// Begins, unless it has begun.
  mutating func begin(_ process: inout ProcessChannel) {
    guard !isUnderWay else { return }
    isUnderWay = true
    process.report(.edited(true))
    process.tell(.widgetDidBeginEditing)
  }

  /// Ends, if it has begun.
  mutating func end(_ process: inout ProcessChannel) {
    guard isUnderWay else { return }
    isUnderWay = false
    process.report(.edited(false))
    process.tell(.widgetDidEndEditing)
  }
}
