import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// A widget that continues after the host, with what it has asked for.
package struct LeavingSession {
  var widget: LeavingWidget
  /// What it has of shared data.
  var shared: SharedDataHandover
  /// Its other requests that were not answered.
  var unanswered: [MessageID]
}
