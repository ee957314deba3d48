package import WidgetKitCore

/// A message as a value; a line is made of it only where somebody reads lines.
package protocol ConnectionMessage: Sendable {
  /// The line, with its end.
  var line: [UInt8] { get }
}

/// One run of a widget as a session sees it: a program, a script, or a fake in a test.
///
/// Messages are values; only the connection of a program writes and reads lines.
@MainActor package protocol WidgetConnection: AnyObject {
  /// Queues a message for the widget; never blocks.
  func send(_ message: any ConnectionMessage)
  /// Closes the widget's standard input after the queued messages.
  func closeInput()
  /// Sends a signal to all processes of the widget.
  func signal(_ signal: ProcessSignal)
  /// Stops all processes of the widget until ``ProcessSignal/resume``.
  ///
  /// - Returns: A file of an app group on which the widget holds an exclusive lock, or nil if there is
  ///   none.
  func suspend() -> String?
  /// Stops following the widget, so that another process can do that; nil if it cannot be continued, and
  /// must be ended.
  func release() -> LeavingWidget?
  /// Whether its messages are lines.
  var exchangesLines: Bool { get }
  /// All its processes, or nil if none is running.
  var processRun: ProcessRun? { get }
  /// Reads nothing that it writes, as a page that is busy, or reads again.
  func holdBack(_ isHeld: Bool)
  /// Whether it waits until what it writes is read.
  var isBlocked: Bool { get }
  /// Whether reading is paused because too much has come.
  var isHeldBack: Bool { get }
  /// Whether it waits for something to happen, and everything that it was sent and has sent was read.
  var isIdle: Bool { get }
  /// Whether everything that it was sent was read by it.
  var hasReadInput: Bool { get }
  /// CPU time of all processes that were waited for; known when the run has ended.
  var cpu: Duration { get }
}

extension WidgetConnection {
  package var exchangesLines: Bool { true }
  package var cpu: Duration { .zero }
  package func holdBack(_ isHeld: Bool) {}
  package var isBlocked: Bool { true }
  package var isHeldBack: Bool { false }
  package var isIdle: Bool { true }
  package var hasReadInput: Bool { true }
  package func release() -> LeavingWidget? { nil }
}

/// Starts a widget's program for one of its instances; its output is passed to `report`.
package typealias WidgetLauncher = (
  _ bundle: WidgetBundle, _ id: ExtensionIdentity, _ report: @escaping (WidgetReport) -> Void
) throws(HostError) -> any WidgetConnection

/// What a run of a widget reports, on the main thread.
package enum WidgetReport {
  /// A line on standard output.
  case line(ArraySlice<UInt8>)
  /// A message of what answers in the place of a script.
  case message(any ConnectionMessage)
  /// Lines on standard error.
  case log([SafeText])
  /// The widget has exceeded a limit; the run must be ended.
  case violation(String)
  /// The kernel has ended its processes, as they used more memory than their control group has.
  case outOfMemory
  /// The machine of the widget is away, which is not a failure of the widget; the run must be ended.
  case away(String)
  /// The process has ended and was collected.
  case ended(TerminationStatus)
}
