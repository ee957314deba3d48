package import FoundationEssentials
package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// What all sessions of a page share.
package struct SessionServices {
  var clock: any HostClock
  /// The time that the widgets are told, because it is not that of the system; nil if it is.
  var hostDate: () -> Date? = { nil }
  package var limits: HostLimits
  package var policy: SessionPolicy
  package var launcher: WidgetLauncher
  package var trace: TraceWriter?
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

  /// Creates it with its values.
  package init(
    clock: any HostClock,
    hostDate: @escaping () -> Date? = { nil },
    limits: HostLimits,
    policy: SessionPolicy,
    launcher: @escaping WidgetLauncher,
    trace: TraceWriter? = nil,
    resources: ResourceWatch,
    admitted: @escaping (WidgetBundle, ExtensionIdentity) -> WidgetBundle = { bundle, _ in bundle },
    secrets: @escaping (WidgetBundle) -> SecretAccess,
    sharedData: SharedDataWatch,
    log: @escaping (ExtensionIdentity) -> WidgetLog,
    runsPath: @escaping (ExtensionIdentity) -> String
  ) {
    self.clock = clock
    self.hostDate = hostDate
    self.limits = limits
    self.policy = policy
    self.launcher = launcher
    self.trace = trace
    self.resources = resources
    self.admitted = admitted
    self.secrets = secrets
    self.sharedData = sharedData
    self.log = log
    self.runsPath = runsPath
  }
}
