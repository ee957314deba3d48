import WidgetKitCore
package import WidgetPlatform

/// What decides about the processes of an extension: a value that takes events and returns what is to be done.
///
/// ``SessionState`` is that of a card of the Today view, ``RequestState`` that of a request without a view.
package protocol ExtensionState {
  /// The present process; nil if there is none.
  var process: ExtensionLife? { get }
  /// Whether the extension works on something that it was asked for.
  var isAtWork: Bool { get }
  /// Whether an update is in progress, or waits for a process that exists.
  var awaitsUpdate: Bool { get }
  /// Whether processes have failed so often that none is started.
  var isStopped: Bool { get }
  /// What may continue after the host, if that is all that a quitting host has to wait for.
  var activitiesToContinue: OpenActivities? { get }

  /// Takes an event and returns what is to be done, in order.
  mutating func handle(_ event: SessionEvent, at now: ContinuousClock.Instant) -> [SessionEffect]
}

extension ExtensionState {
  package var awaitsUpdate: Bool { false }
  package var isStopped: Bool { false }

  /// Whether a process exists.
  package var hasProcess: Bool { process != nil }
  /// The optional methods that the process has listed.
  package var implements: Set<String> { process?.channel.implements ?? [] }
  /// How far the process is on the way to its suspension.
  package var rest: Suspension.Rest { process?.channel.suspension.rest ?? .awake }
  /// Whether no process runs: it is suspended, or there is none.
  package var isAtRest: Bool { process == nil || rest == .suspended }
  /// How many expiring activities are open.
  var openActivities: Int { process?.activities.count ?? 0 }
  package var activitiesToContinue: OpenActivities? { process?.activitiesToContinue }
}
