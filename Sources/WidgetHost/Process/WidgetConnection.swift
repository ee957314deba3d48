public import WidgetKitCore

/// One run of a widget as a session sees it: a real process, or a fake in a test.
protocol WidgetConnection: AnyObject {
  /// Queues a line for the widget; never waits.
  func send(_ line: [UInt8])
  /// Closes the widget's standard input behind what is queued.
  func closeInput()
  /// Sends a signal to everything that the widget started.
  func signal(_ signal: ProcessSignal)
  /// Stops everything that the widget started, until ``ProcessSignal/resume``.
  ///
  /// - Returns: The file of a group on which it holds an exclusive lock; nil where there is none.
  func suspend() -> String?
  /// All of its processes; nil where nothing runs.
  var processRun: ProcessRun? { get }
  /// Whether so much came that nothing is read for a while.
  var isHeldBack: Bool { get }
  /// CPU time of all that was waited for; known when it has ended.
  var cpu: Duration { get }
}

extension WidgetConnection {
  var cpu: Duration { .zero }
  var isHeldBack: Bool { false }
}

/// Starts a widget's program; what it sends comes through `report`.
typealias WidgetLauncher = (
  _ bundle: WidgetBundle, _ report: @escaping (WidgetReport) -> Void
) throws(HostError) -> any WidgetConnection

/// What a run of a widget reports, on the main thread.
public enum WidgetReport {
  /// A line on standard output.
  case line(ArraySlice<UInt8>)
  /// Lines on standard error.
  case log([SafeText])
  /// A limit was passed; the run must be ended.
  case violation(String)
  /// The process has ended and was collected.
  case ended(TerminationStatus)
}
