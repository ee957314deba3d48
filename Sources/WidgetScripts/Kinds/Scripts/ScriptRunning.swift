import WidgetKitCore
import WidgetPlatform

/// What runs a script for a ``ScriptConnection``: a ``ScriptRunner`` of its own, or its share in a ``SharedScript``.
@MainActor protocol ScriptRunning: AnyObject {
  /// All processes of the run in progress; nil if there is none, or they count for another card.
  var processRun: ProcessRun? { get }
  /// CPU time of the runs that have ended.
  var cpu: Duration { get }
  /// Whether a run is in progress.
  var isRunning: Bool { get }
  /// What surrounds the next run.
  var traits: ScriptTraits { get set }

  /// What a press with this action does.
  func press(_ action: String) -> ScriptPress
  /// Runs the script when it is its turn, unless it runs.
  ///
  /// - Parameters:
  ///   - variables: What the next run has besides.
  ///   - isWanted: Whether the user wants it now.
  func queue(adding variables: [String: String], isWanted: Bool)
  /// Shows what a script that goes on has printed so far.
  func show()
  /// Writes to the standard input of a script that goes on; false if nobody reads.
  func write(_ bytes: [UInt8]) -> Bool
  /// The card does not need it, until ``resume()``.
  func suspend()
  /// The card needs it again.
  func resume()
  /// Ends the run at once.
  func kill()
  /// The card does not need it any more; ``ScriptRunnerOwner/scriptHasEnded()`` follows.
  func end()
}

/// What a run of a script asks of the page through the connection of a card.
enum ScriptWish {
  /// To show or hide the cards of a block.
  case hasContent(Bool, identifier: String)
  /// To search for scripts again, as there are other blocks.
  case search
  /// To ask for an update, as what has failed does not any more.
  case update
}
