import WidgetKitCore

/// What every session of a center shares.
struct SessionServices {
  var clock: any HostClock
  var limits: HostLimits
  var policy: SessionPolicy
  var launcher: WidgetLauncher
  var trace: TraceWriter?
  /// What measures what all of them hold.
  var resources: ResourceWatch
  /// The log of a widget.
  var log: (CardID) -> WidgetLog
  /// Where its runs are kept.
  var runsPath: (CardID) -> String
}
