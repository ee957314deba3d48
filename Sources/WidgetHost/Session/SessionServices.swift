import FoundationEssentials
import WidgetKitCore

/// What all sessions of a page share.
struct SessionServices {
  var clock: any HostClock
  /// The time that the widgets are told, because it is not that of the system; nil if it is.
  var toldDate: () -> Date? = { nil }
  var limits: HostLimits
  var policy: SessionPolicy
  var launcher: WidgetLauncher
  var trace: TraceWriter?
  /// Measures the memory, processes and files of all widgets.
  var resources: ResourceWatch
  /// A widget as it is started, with what it was permitted to share.
  var admitted: (WidgetBundle, ExtensionIdentity) -> WidgetBundle = { bundle, _ in bundle }
  /// The secrets that a widget may see.
  var secrets: (WidgetBundle) -> SecretAccess
  /// Watches the data that widgets share.
  var sharedData: SharedDataWatch
  /// Makes the log of a widget.
  var log: (ExtensionIdentity) -> WidgetLog
  /// The path of the records of a widget's runs.
  var runsPath: (ExtensionIdentity) -> String
}
