import WidgetKitCore

/// What the widget says, and what it did not say in time.
nonisolated extension SessionState {
  mutating func replied(
    _ reply: HostReply,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    switch reply {
    case .initialize(let reply):
      return initialized(reply)
    case .widgetMarginInsets(let insets):
      return [.marginInsets(insets)] + marginsEnded()
    case .viewWillAppear(let content):
      return applying(content, .appearance) + (appearance == .appearing ? didAppear() : [])
    case .viewWillDisappear(let content):
      guard appearance == .disappearing else { return [] }
      return applying(content, .disappearance) + didDisappear()
    case .widgetPerformUpdate(let reply):
      return updated(reply)
    case .viewWillTransitionToSize(let transition, let reply):
      return [.alongside(transition: transition, reply.alongside)]
    case .performAction(let action, let reply):
      openActions = max(0, openActions - 1)
      let failure = reply.result == .failed ? "the widget reported a failure" : nil
      return (failure.map { [.log("performAction “\(action)”: \($0)")] } ?? [])
        + [.pressEnded(action: action, failure: failure)] + applying(reply.content, .action)
    case .refused(let call, let error):
      return refused(call, error)
    }
  }

  func applying(_ content: ContentUpdate, _ source: ContentSource) -> [SessionEffect] {
    content.isEmpty ? [] : [.apply(content, source)]
  }

  mutating func refused(_ call: HostCall, _ error: WireError) -> [SessionEffect] {
    let log = SessionEffect.log("\(call.method): \(error)")
    switch call {
    case .initialize:
      guard phase == .initializing else { return [log] }
      phase = .ending(failure: "Unable to Load: \(error.message)")
      return [log, .disarm(.initialize), .signal(.kill)]
    case .widgetMarginInsets:
      return [log] + marginsEnded()
    case .viewWillAppear:
      return [log] + (appearance == .appearing ? didAppear() : [])
    case .viewWillDisappear:
      return [log] + (appearance == .disappearing ? didDisappear() : [])
    case .widgetPerformUpdate:
      return [log] + updateEnded(UpdateOutcome(result: .failed, error: error.message))
    case .viewWillTransitionToSize(let transition):
      return [log, .alongside(transition: transition, nil)]
    case .performAction(let action):
      openActions = max(0, openActions - 1)
      return [log, .pressEnded(action: action, failure: error.message)]
    }
  }

  mutating func marginsEnded() -> [SessionEffect] {
    guard waitsForMargins else { return [] }
    waitsForMargins = false
    return [.disarm(.widgetMarginInsets)] + begin()
  }

  mutating func received(_ message: WidgetMessage) -> [SessionEffect] {
    switch message {
    case .setView where phase == .initializing:
      return [.log("setView before initialize was answered: dropped")]
    case .setView(let view):
      return [.apply(ContentUpdate(view: view), .push)]
    case .setPreferredContentSize(let size):
      let stated: Stated<PreferredContentSize> = size.height == nil ? .null : .value(size)
      return [.apply(ContentUpdate(preferredContentSize: stated), .push)]
    case .setLargestAvailableDisplayMode(let mode):
      return [.largestDisplayMode(mode)]
    case .log(let line):
      return [.log(line.level.map { "\($0): \(line.message)" } ?? line.message.string)]
    case .openURL(let url, let id):
      openURLs += 1
      return [.open(url: url, id: id)]
    case .setHasContent(let request, let id):
      return [.hasContent(request, id: id)]
    case .beginExpiringActivity(let reason, let id):
      return beginActivity(reason, id: id)
    case .endExpiringActivity(let activity):
      return endActivity(activity)
    }
  }

  mutating func ranOut(
    _ deadline: SessionDeadline,
    at now: ContinuousClock.Instant
  ) -> [SessionEffect] {
    switch deadline {
    case .initialize:
      guard phase == .initializing else { return [] }
      phase = .ending(
        failure: "Unable to Load: no answer in \(policy.initialize.components.seconds) s"
      )
      return [.log(Self.noAnswer(to: InitializeRequest.method, policy.initialize)), .signal(.kill)]
    case .widgetMarginInsets:
      return [.log("slow: no answer to widgetMarginInsets")] + marginsEnded()
    case .viewWillAppear:
      guard appearance == .appearing else { return [] }
      return [.log("slow: the view was not up after \(policy.viewWillAppear)")] + didAppear()
    case .viewWillDisappear:
      guard appearance == .disappearing else { return [] }
      return [.log("slow: no answer to viewWillDisappear")] + didDisappear()
    case .widgetPerformUpdate:
      guard update != nil else { return [] }
      let limit = policy.widgetPerformUpdate
      let log = SessionEffect.log(Self.noAnswer(to: WidgetPerformUpdateRequest.method, limit))
      let words = "No answer in \(limit.components.seconds) s"
      return [log] + updateEnded(UpdateOutcome(result: .failed, error: words))
    case .suspension:
      return restDeadlinePassed()
    case .lastMoments:
      hasOutlivedActivities = true
      guard isQuitting, phase == .running, appearance == .off else { return [] }
      return [.log("ended with \(activityWords) open", isKept: true)] + shutdown()
    case .shutdown:
      return [.signal(.terminate), .arm(.terminate, policy.terminate)]
    case .terminate:
      return [.signal(.kill)]
    case .restart:
      guard phase == .pausing else { return [] }
      phase = .idle
      guard wantedSize != nil || nextUpdate != nil else { return [] }
      return start(wantedSize != nil ? .appear : .update)
    }
  }

  /// What the log says of an answer that did not come, and its most frequent reason.
  static func noAnswer(to method: String, _ limit: Duration) -> String {
    "no answer to \(method) in \(limit.components.seconds) s; standard output may be buffered: "
      + "flush it after each line"
  }
}
