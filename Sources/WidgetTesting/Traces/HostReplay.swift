import FoundationEssentials
public import WidgetKitCore

/// Plays the recorded host of a trace against a widget, and compares what the widget says.
///
/// The widget runs as on the page: in its sandbox, with folders of its own, which replace the recorded
/// ones in `initialize`. It is sent what was recorded in the same order, and each answer is waited for. Each process
/// that was recorded is played, and finds what the one before it has stored.
public final class HostReplay {
  /// What is different, in words.
  public private(set) var differences: [String] = []
  /// How many answers and messages were compared.
  public private(set) var comparedCount = 0

  private let trace: Trace
  private let widget: String
  private let bundle: WidgetBundle
  private let environment: [String: String]

  /// Prepares a replay.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - bundle: The widget, which must be in the trace.
  ///   - environment: The user's environment.
  /// - Throws: ``HarnessFailure`` if it is not in the trace.
  public init(
    _ trace: Trace,
    _ bundle: WidgetBundle,
    environment: [String: String]
  ) throws(HarnessFailure) {
    let identifier = bundle.bundleIdentifier
    let widget = trace.widgets.first { $0 == identifier || $0.hasPrefix("\(identifier):") }
    guard let widget else {
      throw HarnessFailure(
        "the trace has no \(identifier); there is \(trace.widgets.joined(separator: ", "))"
      )
    }
    self.trace = trace
    self.widget = widget
    self.bundle = bundle
    self.environment = environment
  }

  /// Plays the trace.
  ///
  /// - Throws: ``HarnessFailure`` if the widget cannot be started.
  public func run() async throws(HarnessFailure) {
    let entries = trace.entries(of: widget).filter { $0.widget != nil }
    let numbers = Set(entries.map(\.run)).sorted()
    let folders = try HarnessFolders(environment)
    for number in numbers {
      let recorded = entries.filter { $0.run == number }
      var options = HarnessOptions(environment: environment)
      options.now = trace.date.addingTimeInterval(min(recorded.first?.time ?? 0, 1e9))
      let run = try HostRun(recorded, bundle, options, folders)
      try await run.play()
      comparedCount += run.comparedCount
      differences += run.differences.map { numbers.count > 1 ? "process \(number): \($0)" : $0 }
    }
  }
}
