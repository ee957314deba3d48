import WidgetKitCore
import WidgetSessions

/// What a card knows of its session: a copy that is made whenever the state of the session changes.
package nonisolated struct SessionFacts {
  var phase = SessionState.Phase.idle
  var appearance = ViewAppearance.State.off
  /// Whether the view cannot appear yet, because the margins are not known.
  var waitsForMargins = false
  /// The update in progress.
  var update: UpdateReason?
  /// The update that follows it, or waits for a process.
  var nextUpdate: UpdateReason?
  /// Whether an update is in progress, or waits for a process that exists.
  var awaitsUpdate = false
  var isQuitting = false
  /// Whether the host is quitting, and nothing but expiring activities is to be waited for.
  var isLeaving = false
  var hasProcess = false
  /// Whether no process runs: it is suspended, or there is none.
  package var isAtRest = true
  var canBeEdited = false
  var receivesTransitions = false
  /// The optional methods that the process has listed.
  var implements: Set<String> = []

  init() {}

  init(_ state: SessionState) {
    phase = state.phase
    appearance = state.appearance
    waitsForMargins = state.waitsForMargins
    (update, nextUpdate, awaitsUpdate) = (state.update, state.nextUpdate, state.awaitsUpdate)
    isQuitting = state.isQuitting
    isLeaving = state.activitiesToContinue != nil
    (hasProcess, isAtRest) = (state.hasProcess, state.isAtRest)
    (canBeEdited, receivesTransitions) = (state.canBeEdited, state.receivesTransitions)
    implements = state.implements
  }
}
