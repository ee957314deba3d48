import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// When one process is suspended and resumed, and the activities that delay it.
///
/// ``follow(isInUse:isBusy:isPaused:_:at:)`` is called after every event with what the widget is doing, so
/// that no event has to start or stop the sequence. One deadline serves all of its steps.
package struct Suspension {
  /// The steps from use to suspension.
  package enum Rest: Hashable {
    /// The widget is in use.
    case awake
    /// It has nothing to do; messages that it is still sending are taken in.
    case idle
    /// Its view has disappeared, and something that it began is not finished.
    case finishing
    /// The time for that has run out, and the widget was told.
    case expiring
    /// Its processes are stopped.
    case suspended
  }

  private(set) var rest = Rest.awake
  private(set) var activities: ExpiringActivities
  /// Whether the time has run out for what the widget began before its view disappeared.
  private var hasExpired = false
  /// When that time runs out; nil while the widget is in use.
  private var graceEnd: ContinuousClock.Instant?
  /// Whether an activity was refused, so that the widget gets time to clean up.
  private var needsTimeToCleanUp = false

  init(activities: ExpiringActivities) {
    self.activities = activities
  }

  // MARK: - Steps

  /// Takes a step forwards or backwards to what the widget is doing now.
  ///
  /// `isInUse`: the page needs it; `isBusy`: something other than an activity is not finished;
  /// `isPaused`: the host is about to be suspended, so that there is no more time.
  mutating func follow(
    isInUse: Bool,
    isBusy: Bool,
    isPaused: Bool,
    _ policy: SessionPolicy,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    guard rest != .suspended else { return [] }
    if isInUse {
      guard rest != .awake else { return [] }
      wake()
      return [.disarm(.suspension)]
    }
    if isBusy || !activities.isEmpty {
      guard rest != .finishing, rest != .expiring else { return [] }
      rest = .finishing
      // One period for each disappearance, however often the widget begins something in it.
      let end = graceEnd ?? now + policy.activityGrace
      graceEnd = end
      return [.arm(.suspension, isPaused ? .zero : max(.zero, now.duration(to: end)))]
    }
    guard rest != .idle else { return [] }
    rest = .idle
    defer { needsTimeToCleanUp = false }
    return [.arm(.suspension, needsTimeToCleanUp ? policy.lastMoments : policy.settling)]
  }

  /// What follows when the time of the present step has run out.
  enum Step: Hashable {
    case none
    /// The time of its activities is to run out.
    case expire
    /// It is to be suspended; `isCutOff` if something that it began is not finished.
    case suspend(isCutOff: Bool)
    /// It was suspended for so long that it is to be ended.
    case end
  }

  /// Takes the next step, because the time of the present one has run out.
  mutating func ranOut() -> Step {
    switch rest {
    case .awake: return .none
    case .idle: return .suspend(isCutOff: false)
    case .finishing:
      hasExpired = true
      return .expire
    case .expiring: return .suspend(isCutOff: true)
    case .suspended: return .end
    }
  }

  /// The time of its activities has run out: returns what it is told of them, and grants a last moment.
  mutating func expire() -> [HostMessage] {
    if rest == .finishing { rest = .expiring }
    return activities.expire()
  }

  /// Suspends the process; the deadline is now that of its termination.
  mutating func suspend(_ policy: SessionPolicy) -> [SessionEffect] {
    rest = .suspended
    // The suspension is last, because a lock found by it ends the widget.
    return [.arm(.suspension, policy.idle), .suspend]
  }

  /// Resumes the process.
  mutating func resume() -> [SessionEffect] {
    wake()
    return [.disarm(.suspension), .signal(.resume)]
  }

  private mutating func wake() {
    rest = .awake
    graceEnd = nil
    hasExpired = false
  }

  // MARK: - Activities

  /// Begins an activity, or refuses it; `reason` is the developer's word for it.
  mutating func beginActivity(
    _ reason: String,
    isGranted: Bool
  ) -> BeginExpiringActivityRequest.Reply {
    guard !isGranted else { return activities.begin(reason) }
    needsTimeToCleanUp = true
    return activities.refuse()
  }

  /// Why no activity can begin now; nil if one can.
  func refusal(isPaused: Bool, _ policy: SessionPolicy) -> String? {
    if policy.deniesActivities { return "denied by the policy" }
    if hasExpired || isPaused { return "the widget is about to be suspended" }
    guard activities.count < policy.openActivities else {
      return "\(activities.count) are open, the limit"
    }
    return nil
  }

  /// Ends an activity; false if it is not open.
  mutating func endActivity(_ number: Int) -> Bool { activities.end(number) }
}
