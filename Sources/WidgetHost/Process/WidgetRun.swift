public import WidgetKitCore

/// One run of a widget for a test: its real process, started as the dashboard starts it.
///
/// A class because it owns a process; letting go of it kills what still runs.
@MainActor public final class WidgetRun {
  // The actor is named although it is the target's default: in a release build of a module that
  // imports this one the default is not seen, and the deinit refused (Swift 6.3.1).
  private var process: WidgetProcess?

  /// Starts the program of a bundle in an environment made of `environment`.
  public init(
    bundle: WidgetBundle,
    environment: [String: String],
    limits: HostLimits = HostLimits(),
    report: @escaping (WidgetReport) -> Void
  ) throws(HostError) {
    process = try WidgetProcess.start(
      bundle,
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

  /// Closes the widget's standard input behind what is queued.
  public func closeInput() {
    process?.closeInput()
  }

  /// Ends everything that the widget started.
  public func kill() {
    process?.signal(.kill)
  }
}
