public import WidgetKitCore

/// One run of a widget for a test: a real process, started in the same way as by the dashboard.
///
/// This is a class because it owns a process; releasing it kills the remaining processes.
@MainActor public final class WidgetRun {
  // The actor is named although it is the target's default: in a release build of a module that imports
  // this one, the default is not applied and the deinit is rejected (Swift 6.3.1).
  private var process: (any WidgetConnection)?

  /// Starts the program of a bundle with an environment derived from `environment`.
  public init(
    bundle: WidgetBundle,
    environment: [String: String],
    limits: HostLimits = HostLimits(),
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) {
    process = try WidgetKinds.kind(of: bundle).start(
      bundle,
      ExtensionIdentity(bundle.bundleIdentifier),
      userEnvironment: environment,
      limits: limits,
      report: report
    )
  }

  isolated deinit {
    process?.signal(.kill)
  }

  /// Queues a line for the widget.
  public func send(_ line: [UInt8]) {
    process?.send(line)
  }

  /// Closes the widget's standard input after the queued lines.
  public func closeInput() {
    process?.closeInput()
  }

  /// Ends all processes of the widget.
  public func kill() {
    process?.signal(.kill)
  }
}
