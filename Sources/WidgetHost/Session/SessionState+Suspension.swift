import WidgetKitCore

/// How a widget without anything to do is stopped, and when it goes on.
///
/// ``Rest`` follows from the rest of the state after every event, so that no event has to think of
/// it. One deadline serves all of its steps: which of them has run out stands in the state.
nonisolated extension SessionState {
  /// How far a running widget is from standing still.
  enum Rest: Hashable {
    /// It is in use, or there is no process.
    case awake
    /// Nothing holds it any more; what it sends in its last moments still counts.
    case settling
    /// Its view is gone, and something that it began is not finished.
    case lingering
    /// Its time has run out, and it was told.
    case expiring
    /// It stands still.
    case suspended
  }

  /// Whether the page needs the widget at this moment.
  private var isInUse: Bool {
    appearance != .off || wantedSize != nil || waitsForMargins || update != nil
  }

  /// Whether something of the widget's own is not finished.
  private var isBusy: Bool {
    !activities.isEmpty || openActions > 0 || openURLs > 0 || !openTransitions.isEmpty
  }

  /// Puts SIGCONT before whatever a suspended widget is to hear or to show.
  mutating func resumingFirst(_ effects: [SessionEffect]) -> [SessionEffect] {
    let isNeeded = !isPaused && (phase == .initializing || phase == .running && isInUse)
    guard rest == .suspended, isNeeded || effects.contains(where: \.needsRunningWidget) else {
      return effects
    }
    rest = .awake
    graceEnd = nil
    hasExpired = false
    return [.disarm(.suspension), .signal(.resume)] + rearmed() + effects
  }

  /// What follows from an event for the widget's rest.
  mutating func restfulness(at now: ContinuousClock.Instant) -> [SessionEffect] {
    guard phase == .running, !isQuitting, rest != .suspended else { return [] }
    let wanted: Rest
    switch (isInUse, isBusy) {
    case (true, _): wanted = .awake
    case (false, true): wanted = rest == .expiring ? .expiring : .lingering
    case (false, false): wanted = .settling
    }
    guard wanted != rest else { return [] }
    rest = wanted
    switch wanted {
    case .settling:
      let time = wasDenied ? policy.lastMoments : policy.settling
      wasDenied = false
      return [.arm(.suspension, time)]
    case .lingering:
      // One grace for each time that the view is away, however often the widget begins anew in it.
      let end = graceEnd ?? now + policy.activityGrace
      graceEnd = end
      return [.arm(.suspension, isPaused ? .zero : max(.zero, now.duration(to: end)))]
    case .awake:
      graceEnd = nil
      hasExpired = false
      return [.disarm(.suspension)]
    case .expiring, .suspended: return [.disarm(.suspension)]
    }
  }

  /// What happens when the time of a step has run out.
  mutating func restDeadlinePassed() -> [SessionEffect] {
    guard !isQuitting else { return [] }
    switch rest {
    case .awake: return []
    case .settling: return suspend()
    case .lingering:
      rest = .expiring
      hasExpired = true
      return expireActivities() + [.arm(.suspension, policy.lastMoments)]
    case .expiring:
      let words = activities.isEmpty ? "requests" : activityWords
      return [.log("suspended with \(words) still open")] + suspend()
    case .suspended:
      return release("not needed for \(policy.idle.components.seconds / 60) min")
    }
  }

  private mutating func suspend() -> [SessionEffect] {
    rest = .suspended
    // Last, because what is found at that moment may end the widget instead.
    return [.arm(.suspension, policy.idle), .suspend]
  }

  /// Ends a widget that stands still: no failure, its picture stays.
  mutating func release(_ reason: String) -> [SessionEffect] {
    guard phase == .running, rest == .suspended else { return [] }
    return [.log("ended while suspended: \(reason)", isKept: true)] + shutdown()
  }

  /// A process of the group held a lock that others would have waited for in vain.
  mutating func heldLock(_ path: String) -> [SessionEffect] {
    guard hasProcess, rest == .suspended else { return [] }
    let words = "held an exclusive lock while being suspended"
    phase = .ending(failure: "Unable to Load: \(words)")
    return [.log("\(words): \(path)", isKept: true), .signal(.kill)]
  }

  // MARK: - The whole page

  /// The host is about to stand still itself: the view goes first, as when the card leaves.
  mutating func pause() -> [SessionEffect] {
    isPaused = true
    let effects = disappear() + expireActivities()
    guard rest == .lingering else { return effects }
    rest = .expiring
    return effects + [.arm(.suspension, policy.lastMoments)]
  }

  /// The host stands still now, whatever the widget is doing.
  mutating func freeze() -> [SessionEffect] {
    guard hasProcess, rest != .suspended else { return [] }
    if case .ending = phase { return [] }
    rest = .suspended
    return Self.answerDeadlines.map { .disarm($0) } + [.arm(.suspension, policy.idle), .suspend]
  }

  /// The host goes on; what it waited for gets its whole time once more.
  mutating func unpause() -> [SessionEffect] {
    isPaused = false
    guard update == nil, let next = nextUpdate else { return [] }
    nextUpdate = nil
    return request(next)
  }

  private func rearmed() -> [SessionEffect] {
    guard phase == .initializing || phase == .running else { return [] }
    var effects: [SessionEffect] = []
    if phase == .initializing { effects.append(.arm(.initialize, policy.initialize)) }
    if waitsForMargins { effects.append(.arm(.widgetMarginInsets, policy.widgetMarginInsets)) }
    if appearance == .appearing { effects.append(.arm(.viewWillAppear, policy.viewWillAppear)) }
    if appearance == .disappearing {
      effects.append(.arm(.viewWillDisappear, policy.viewWillDisappear))
    }
    if update != nil { effects.append(.arm(.widgetPerformUpdate, policy.widgetPerformUpdate)) }
    return effects
  }

  private static var answerDeadlines: [SessionDeadline] {
    [.initialize, .widgetMarginInsets, .viewWillAppear, .viewWillDisappear, .widgetPerformUpdate]
  }

  /// Whether nothing of the widget runs: it is suspended, or there is none.
  var isAtRest: Bool { !hasProcess || rest == .suspended }

  /// Whether a transition would be heard: what stands still learns its size when it appears.
  var hearsTransitions: Bool {
    rest != .suspended && sends(ViewWillTransitionToSizeRequest.method)
  }
}

nonisolated extension SessionEffect {
  /// Whether a widget must run to receive it; SIGKILL also ends a stopped process.
  fileprivate var needsRunningWidget: Bool {
    switch self {
    case .process(.send), .process(.closeInput), .process(.signal(.terminate)): true
    case .process, .card: false
    }
  }
}
