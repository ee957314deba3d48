import WidgetKitCore

/// Work that a widget asked not to be cut off in.
nonisolated extension SessionState {
  /// An activity that was granted and has not ended.
  struct Activity: Hashable {
    /// The developer's word for it.
    var reason: String
    /// Whether the widget was told that its time has run out.
    var isExpired = false
  }

  mutating func beginActivity(_ reason: String, id: MessageID) -> [SessionEffect] {
    if let fault = HostServiceSender.fault(ofActivityReason: reason) {
      return [.send(.error(fault, id: id))]
    }
    activityCount += 1
    guard let refusal = refusalOfActivity else {
      activities[activityCount] = Activity(reason: reason)
      return [.send(.activity(.init(activity: activityCount, expired: false), id: id))]
    }
    wasDenied = true
    return [
      .log("expiring activity “\(reason)” not granted: \(refusal)"),
      .send(.activity(.init(activity: activityCount, expired: true), id: id)),
    ]
  }

  /// Why no activity can begin now; nil where one can.
  private var refusalOfActivity: String? {
    if isQuitting { return "the host is quitting" }
    if policy.deniesActivities { return "denied by the policy" }
    if hasExpired || isPaused { return "the widget is about to be suspended" }
    guard activities.count < policy.openActivities else {
      return "\(activities.count) are open, the limit"
    }
    return nil
  }

  mutating func endActivity(_ number: Int) -> [SessionEffect] {
    guard activities.removeValue(forKey: number) != nil else {
      return [.log("endExpiringActivity: no activity \(number) is open")]
    }
    // A quit waits for activities only as long as there are any.
    guard isQuitting, phase == .running, appearance == .off, activities.isEmpty else { return [] }
    return [.disarm(.lastMoments)] + shutdown()
  }

  /// Tells the widget of each open activity, once, that time has run out.
  mutating func expireActivities() -> [SessionEffect] {
    var effects: [SessionEffect] = []
    for number in activities.keys.sorted() where activities[number]?.isExpired == false {
      activities[number]?.isExpired = true
      guard sends(ExpiringActivityNotification.method) else { continue }
      effects.append(.send(.expiringActivity(.init(activity: number, expired: true))))
    }
    return effects
  }

  /// The open activities in a few words, for the log.
  var activityWords: String {
    let reasons = activities.sorted { $0.key < $1.key }.map { "“\($0.value.reason)”" }
    return "expiring activity " + reasons.joined(separator: ", ")
  }

  /// Names in the log what a kill cuts off.
  func namingWhatIsCutOff(_ effects: [SessionEffect]) -> [SessionEffect] {
    guard !activities.isEmpty, effects.contains(.signal(.kill)) else { return effects }
    return [.log("killed with \(activityWords) open", isKept: true)] + effects
  }
}
