import WidgetExtensions
import WidgetKitCore
package import WidgetPlatform

/// The life of an extension without a card: one process, which is started for its request or the first question, and
/// ended with the request.
///
/// Nothing is tried again: whoever has asked is told that there is no answer.
package struct RequestState: ExtensionState {
  package private(set) var process: ExtensionLife?
  private let policy: SessionPolicy
  private let resources: ResourceLimits
  /// What is asked when `initialize` is answered.
  private var waiting: [HostMessage] = []
  /// What was asked and is not answered.
  private var open: [HostCall] = []
  private var hasEnded = false
  /// Whether it was started for content, and is not suspended before the request is over.
  private var hasContent = false
  /// Whether it was told that the request is complete, and may work on for a while.
  private var isComplete = false
  private var effects: [SessionEffect] = []

  package init(policy: SessionPolicy, resources: ResourceLimits = ResourceLimits()) {
    (self.policy, self.resources) = (policy, resources)
  }

  package var isAtWork: Bool { process?.isAtWork(!open.isEmpty) ?? false }

  /// What may continue after the host: activities, and what is left of a completed request.
  package var activitiesToContinue: OpenActivities? {
    guard isComplete, let process, process.stage == .running else {
      return process?.activitiesToContinue
    }
    return OpenActivities(
      numbers: [0] + process.activities.granted,
      areHeard: process.channel.sends(ExpiringActivityNotification.method),
      limit: policy.afterQuit,
      lastMoments: policy.lastMoments,
      followRequest: true
    )
  }

  package mutating func handle(_ event: SessionEvent, at now: ContinuousClock.Instant)
    -> [SessionEffect]
  {
    decide(event, at: now)
    let isInUse = hasContent || !waiting.isEmpty || !open.isEmpty
    let view = (state: ViewAppearance.State.off, isWanted: false)
    defer { effects = [] }
    return effects + (process?.settle(isInUse: isInUse, isBusy: false, view: view, at: now) ?? [])
  }

  private mutating func decide(_ event: SessionEvent, at now: ContinuousClock.Instant) {
    switch event {
    case .begin: begin()
    case .ask(let message): ask(message)
    case .tell(let message):
      if case .content(.requestDidComplete(expired: false)) = message { isComplete = true }
      process?.channel.tell(message)
    case .left: end(nil)
    case .received(.content(let request, let id)):
      process?.channel.report(.content(request, id: id))
    case .received(.setView(let view)): process?.channel.apply(ContentUpdate(view: view), .push)
    case .received(.setPreferredContentSize(let size)):
      process?.channel.apply(ContentUpdate(preferredContentSize: size.stated), .push)
    case .strayReply where hasContent:
      process?.violation("it answered what was not asked, or twice")
    case .replied(.initialize(let reply)):
      guard process?.initialized(reply) == true else { return }
      process?.channel.tellChanges()
      if hasContent { process?.channel.report(.answered(.initialize(reply))) }
      let messages = waiting
      waiting = []
      for message in messages { ask(message) }
    case .replied(.refused(.initialize, let error)): process?.initializeFailed(error)
    case .replied(let reply): answered(reply)
    case .deadline(.answer):
      let words = "no answer in \(policy.answer.components.seconds) s"
      process?.violation(words)
    case .quit, .quitWithoutNotice:
      let isRunning = process?.stage == .running
      process?.quit()
      if isRunning { process?.leave() }
    case .launchWithheld(let words), .launchFailed(let words): end(words)
    case .ended(let status):
      guard case .ending(let failure)? = process?.stage else { return end("\(status)") }
      end(failure)
    default: process?.handle(event, at: now)
    }
  }

  private mutating func begin() {
    guard process == nil, !hasEnded else { return }
    hasContent = true
    process = ExtensionLife(policy: policy, resources: resources)
    effects.append(.launch(.request))
  }

  private mutating func ask(_ message: HostMessage) {
    guard case .request(_, let call) = message.form, !hasEnded else { return }
    switch process?.stage {
    case .running:
      guard process?.channel.ask(message, within: .answer) == true else {
        process?.channel.report(.answered(.refused(call, .methodNotFound(call.method))))
        return
      }
      open.append(call)
    case .initializing: waiting.append(message)
    case .ending:
      process?.channel.report(.answered(.refused(call, Self.noAnswer("it is being ended"))))
    case nil:
      process = ExtensionLife(policy: policy, resources: resources)
      waiting.append(message)
      effects.append(.launch(.event))
    }
  }

  private mutating func answered(_ reply: HostReply) {
    guard let index = open.firstIndex(of: reply.call) else { return }
    open.remove(at: index)
    if open.isEmpty { process?.channel.disarm(.answer) }
    process?.channel.report(.answered(reply))
  }

  /// The process has ended; `failure` says why, if it was not told to.
  private mutating func end(_ failure: String?) {
    process = nil
    hasEnded = true
    effects += SessionDeadline.allCases.map { .disarm($0) }
    if let failure { effects.append(.log(failure, isKept: true)) }
    if let failure, hasContent { effects.append(.card(.requestFailed(Self.reason(failure)))) }
    let calls = waiting.compactMap { message -> HostCall? in
      guard case .request(_, let call) = message.form else { return nil }
      return call
    }
    for call in open + calls {
      let error = Self.noAnswer(failure ?? "it was ended")
      effects.append(.card(.answered(.refused(call, error))))
    }
    (open, waiting) = ([], [])
    effects.append(.card(.finished))
  }

  /// The words for who has asked, without those that the heading of a card begins with.
  private static func reason(_ failure: String) -> String {
    let heading = "Unable to Load: "
    return failure.hasPrefix(heading) ? String(failure.dropFirst(heading.count)) : failure
  }

  private static func noAnswer(_ reason: String) -> WireError {
    WireError(code: .internalError, message: "no answer: \(reason)")
  }
}
