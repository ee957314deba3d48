import WidgetExtensions
import WidgetKitCore

/// The budget of a session's views, and which of the unknown types of elements are in its log.
///
/// A class because each process of a session has a reader of its own, and all of them share it.
@MainActor final class UnknownTypes {
  /// What decodes the views of the session; it collects the unknown types.
  let budget: ViewBudget
  private let log: WidgetLog
  private var logged: Set<String> = []

  init(limits: ViewLimits, log: WidgetLog) {
    budget = ViewBudget(limits)
    self.log = log
  }

  /// Writes each type to the log, once.
  func writeNew() {
    for type in budget.unknownTypes where logged.insert(type).inserted {
      log.write(SafeText("unknown node type “\(type)”; its alt or its children are shown"))
    }
  }
}
