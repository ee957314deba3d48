import WidgetKitCore
import WidgetPlatform

/// The share of one card in a ``SharedScript``.
@MainActor final class SharedScriptCard: ScriptRunning {
  weak var owner: (any ScriptRunnerOwner)?
  /// The block that it shows; nil if it stands for those that are not known yet.
  let block: ScriptBlock?
  private let script: SharedScript
  /// Whether the card is off the screen, and has nothing to do.
  private(set) var isSuspended = false
  /// Whether it has asked for an update that is not answered.
  var isWaiting = false
  private var hasLeft = false
  var traits = ScriptTraits()

  init(
    of script: SharedScript,
    _ owner: any ScriptRunnerOwner,
    _ block: ScriptBlock?
  ) {
    (self.script, self.owner, self.block) = (script, owner, block)
  }

  var processRun: ProcessRun? { script.leads(self) ? script.processRun : nil }
  var cpu: Duration { script.leads(self) ? script.cpu : .zero }
  var isRunning: Bool { script.isRunning }

  func press(_ action: String) -> ScriptPress { script.press(action) }
  func write(_ bytes: [UInt8]) -> Bool { script.write(bytes) }

  func queue(adding variables: [String: String], isWanted: Bool) {
    isWaiting = true
    script.queue(self, adding: variables, isWanted: isWanted)
  }

  func show() {
    isWaiting = true
    script.deliver(to: self)
  }

  func suspend() {
    isSuspended = true
    script.suspendIfPossible()
  }

  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    script.resumeIfNeeded()
    script.deliver(to: self)
  }

  func kill() { script.kill() }

  func end() {
    guard !hasLeft else { return }
    hasLeft = true
    script.leave(self)
  }
}
