package import ExtensionContent
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
  private let environment: [String: String]
  /// Prepares the replay of one process.
  private let makeRun:
    ([Trace.Entry], HarnessOptions, HarnessFolders) throws(HarnessFailure) -> HostRun

  /// Prepares a replay.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - bundle: The widget, which must be in the trace.
  ///   - environment: The user's environment.
  /// - Throws: ``HarnessFailure`` if it is not in the trace.
  public convenience init(
    _ trace: Trace,
    _ bundle: WidgetBundle,
    environment: [String: String]
  ) throws(HarnessFailure) {
    try self.init(trace, bundle.bundleIdentifier, environment) {
      entries,
      options,
      folders throws(HarnessFailure) in
      try HostRun(entries, bundle, options, folders)
    }
  }

  /// Prepares the replay of requests.
  ///
  /// - Parameters:
  ///   - trace: The trace.
  ///   - target: The share extension or action, which must be in the trace.
  ///   - table: The types that are known.
  ///   - contents: The attachments of the request, which are needed where they were loaded as files.
  ///   - environment: The user's environment.
  /// - Throws: ``HarnessFailure`` if it is not in the trace, or is a script, which exchanges no messages.
  package convenience init(
    _ trace: Trace,
    _ target: ContentExtension,
    _ table: TypeTable,
    contents: [[UInt8]],
    environment: [String: String]
  ) throws(HarnessFailure) {
    guard target.script == nil else {
      throw HarnessFailure("\(target.bundle.path) is a script, which exchanges no messages")
    }
    try self.init(trace, target.identifier, environment) {
      entries,
      options,
      folders throws(HarnessFailure) in
      try HostRun(entries, target, table, contents: contents, options, folders)
    }
  }

  private init(
    _ trace: Trace,
    _ identifier: String,
    _ environment: [String: String],
    makeRun:
      @escaping ([Trace.Entry], HarnessOptions, HarnessFolders) throws(HarnessFailure) -> HostRun
  ) throws(HarnessFailure) {
    let widget = trace.widgets.first { $0 == identifier || $0.hasPrefix("\(identifier):") }
    guard let widget else {
      throw HarnessFailure(
        "the trace has no \(identifier); there is \(trace.widgets.joined(separator: ", "))"
      )
    }
    self.trace = trace
    self.widget = widget
    self.environment = environment
    self.makeRun = makeRun
  }

  /// Plays the trace.
  ///
  /// - Throws: ``HarnessFailure`` if the widget cannot be started.
  public func run() async throws(HarnessFailure) {
    let entries = trace.entries(of: widget).filter { $0.widget != nil }
    let numbers = Set(entries.map(\.run)).subtracting([0]).sorted()
    let folders = try HarnessFolders(environment)
    for number in numbers {
      let recorded = entries.filter { $0.run == number }
      var options = HarnessOptions(environment: environment)
      if trace.isDiskFull { options.faults.insert(.fullDisk) }
      options.now = trace.date.addingTimeInterval(min(recorded.first?.time ?? 0, 1e9))
      let run = try makeRun(recorded, options, folders)
      try await run.play()
      comparedCount += run.comparedCount
      differences += run.differences.map { numbers.count > 1 ? "process \(number): \($0)" : $0 }
    }
  }
}
