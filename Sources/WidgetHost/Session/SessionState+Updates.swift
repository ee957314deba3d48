import WidgetKitCore

/// How new data is asked for: one update at a time, what comes meanwhile becomes one more.
nonisolated extension SessionState {
  /// Whether an update was asked for and its answer is waited for, or the start before it.
  var awaitsUpdate: Bool {
    switch phase {
    case .initializing, .running, .ending: update != nil || nextUpdate != nil
    case .idle, .pausing, .stopped: false
    }
  }

  mutating func request(_ reason: UpdateReason) -> [SessionEffect] {
    guard !isPaused else {
      nextUpdate = nextUpdate ?? reason
      return []
    }
    switch phase {
    case .idle:
      nextUpdate = reason
      return start(.update)
    case .initializing, .pausing:
      nextUpdate = nextUpdate ?? reason
      return []
    case .running where waitsForMargins:
      nextUpdate = nextUpdate ?? reason
      return []
    case .running:
      guard implements.contains(WidgetPerformUpdateRequest.method) else { return [] }
      guard update == nil else {
        nextUpdate = reason
        return []
      }
      update = reason
      return [
        .send(.widgetPerformUpdate(reason)),
        .arm(.widgetPerformUpdate, policy.widgetPerformUpdate),
      ]
    case .ending where !isQuitting:
      nextUpdate = nextUpdate ?? reason
      return []
    case .ending, .stopped:
      return []
    }
  }

  mutating func updated(_ reply: WidgetPerformUpdateRequest.Reply) -> [SessionEffect] {
    guard update != nil else { return [.log("late answer to widgetPerformUpdate: ignored")] }
    let outcome = UpdateOutcome(
      result: reply.result,
      error: reply.error?.string,
      refreshAfter: reply.refreshAfter.map { .seconds(min($0, 1e9)) },
      timeline: reply.result == .newData ? reply.timeline : nil
    )
    var effects: [SessionEffect] = []
    if reply.result == .newData, !reply.content.isEmpty {
      effects.append(.apply(reply.content, .update))
    }
    return effects + updateEnded(outcome)
  }

  mutating func updateEnded(_ outcome: UpdateOutcome) -> [SessionEffect] {
    guard let reason = update else { return [] }
    update = nil
    var outcome = outcome
    outcome.reason = reason
    // An error without words is as good as none.
    if outcome.error?.allSatisfy(\.isWhitespace) == true { outcome.error = nil }
    var effects: [SessionEffect] = [.disarm(.widgetPerformUpdate)]
    switch outcome.result {
    case .newData, .noData: effects.append(.health(.live, message: nil))
    case .failed:
      effects.append(.health(.failed, message: outcome.error ?? "The update failed"))
    }
    effects.append(.updateEnded(outcome))
    if let next = nextUpdate, !isPaused {
      nextUpdate = nil
      effects += request(next)
    }
    return effects
  }
}
