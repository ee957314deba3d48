public import WidgetKitCore

/// One run of a widget for a test: a real process, started in the same way as by the dashboard.
///
/// This is a class because it owns a process; releasing it kills the remaining processes.
@MainActor public final class WidgetRun {
  // The actor is named although it is the target's default: in a release build of a module that imports
  // this one, the default is not applied and the deinit is rejected (Swift 6.3.1).
  private var process: (any WidgetConnection)?

  /// Starts the program of a bundle with an environment derived from `environment`, with all that its
  /// entitlements request.
  public init(
    bundle: WidgetBundle,
    environment: [String: String],
    sandbox: Sandbox,
    limits: HostLimits = HostLimits(),
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) {
    let id = ExtensionIdentity(bundle.bundleIdentifier)
    let confinement = WidgetConfinement(
      sandbox,
      paths: SearchPaths(
        named: [bundle.path],
        environment: environment,
        executable: HostProcess.executablePath()
      ),
      environment: environment,
      processLimit: limits.resources.processes,
      asks: false
    )
    process = try WidgetKinds.kind(of: bundle).start(
      bundle,
      id,
      userEnvironment: environment,
      limits: limits,
      confine: { launch throws(HostError) in
        try confinement.confine(launch, bundle, id)
      },
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
