import Testing
import WidgetKitCore

@testable import WidgetHost

/// The parts of a session by themselves.
@Suite struct UpdateQueueTests {
  private let policy = SessionPolicy()

  @Test("the first request is sent, and the latest one during it waits")
  func combined() {
    var queue = UpdateQueue()
    #expect(
      queue.begin(.appear, policy) == [
        .send(.widgetPerformUpdate(.appear)), .arm(.widgetPerformUpdate, .seconds(30)),
      ]
    )
    #expect(queue.begin(.schedule, policy).isEmpty)
    #expect(queue.begin(.user, policy).isEmpty)
    #expect(queue.takeNext() == nil)
    _ = queue.replied(.init(.noData))
    #expect(queue.takeNext() == .user)
    #expect(queue.isEmpty)
  }

  @Test("an update that the process has not ended waits for the next process")
  func interrupted() {
    var queue = UpdateQueue()
    _ = queue.begin(.user, policy)
    queue.processDidEnd()
    #expect(queue.current == nil)
    #expect(queue.takeNext() == .user)
    _ = queue.begin(.user, policy)
    _ = queue.begin(.schedule, policy)
    queue.processDidEnd()
    #expect(queue.takeNext() == .schedule)
  }

  @Test("without an update in progress, answers and deadlines do nothing")
  func late() {
    var queue = UpdateQueue()
    #expect(
      queue.replied(.init(.newData, content: .words("late"))) == [
        .log("late answer to widgetPerformUpdate: ignored")
      ]
    )
    #expect(queue.timedOut(policy).isEmpty)
    #expect(queue.refused(.parseError("no")).isEmpty)
    #expect(queue.rearmed(policy).isEmpty)
  }
}

@Suite struct ViewAppearanceTests {
  private let policy = SessionPolicy()
  private let view = SessionDemand.View(size: .sample, isAnimated: false)

  @Test("a view without methods is on the screen or off at once")
  func withoutMethods() {
    var appearance = ViewAppearance()
    #expect(appearance.willAppear(view, [], policy) == [.disarm(.viewWillAppear), .becameLive])
    #expect(appearance.state == .on)
    #expect(appearance.willDisappear([], policy) == [.disarm(.viewWillDisappear), .disappeared])
    #expect(appearance.state == .off)
  }

  @Test("an answer or a deadline that belongs to another state does nothing")
  func late() {
    let methods: Set = ["viewWillAppear", "viewWillDisappear"]
    var appearance = ViewAppearance()
    #expect(appearance.didAppear(methods).isEmpty)
    _ = appearance.willAppear(view, methods, policy)
    #expect(appearance.disappearTimedOut(methods).isEmpty)
    #expect(appearance.state == .appearing)
    #expect(appearance.appearTimedOut(methods, policy).contains(.becameLive))
    #expect(appearance.appearTimedOut(methods, policy).isEmpty)
  }

  @Test("everything that is not answered gets its deadline again")
  func rearmed() {
    var appearance = ViewAppearance()
    #expect(appearance.rearmed(policy).isEmpty)
    _ = appearance.requestMargins(policy)
    #expect(appearance.rearmed(policy) == [.arm(.widgetMarginInsets, .seconds(1))])
    #expect(!appearance.acceptsPresses)
    #expect(appearance.marginsEnded() != nil)
    #expect(appearance.marginsEnded() == nil)
    _ = appearance.willAppear(view, ["viewWillAppear"], policy)
    #expect(appearance.rearmed(policy) == [.arm(.viewWillAppear, .seconds(1))])
  }
}

@Suite struct SuspensionStepTests {
  private let policy = SessionPolicy()
  private let start = ContinuousClock.now

  private func follow(
    _ suspension: inout Suspension,
    isInUse: Bool = false,
    isBusy: Bool = false,
    at seconds: Double
  ) -> [SessionEffect] {
    suspension.follow(
      isInUse: isInUse,
      isBusy: isBusy,
      isPaused: false,
      policy,
      at: start + .seconds(seconds)
    )
  }

  @Test("the same situation sets no deadline twice")
  func unchanged() {
    var suspension = Suspension(activities: ExpiringActivities())
    #expect(follow(&suspension, isInUse: true, at: 0).isEmpty)
    #expect(follow(&suspension, at: 1) == [.arm(.suspension, .milliseconds(250))])
    #expect(follow(&suspension, at: 2).isEmpty)
    #expect(suspension.ranOut([], policy) == [.arm(.suspension, .seconds(600)), .suspend])
    #expect(follow(&suspension, isInUse: true, at: 3).isEmpty)
    #expect(suspension.ranOut([], policy) == nil)
    #expect(suspension.resume() == [.disarm(.suspension), .signal(.resume)])
    #expect(suspension.rest == .awake)
  }

  @Test("the time for unfinished work ends at one moment, until the widget is in use")
  func grace() {
    var suspension = Suspension(activities: ExpiringActivities())
    #expect(follow(&suspension, isBusy: true, at: 0) == [.arm(.suspension, .seconds(30))])
    _ = follow(&suspension, at: 10)
    #expect(follow(&suspension, isBusy: true, at: 20) == [.arm(.suspension, .seconds(10))])
    #expect(follow(&suspension, isInUse: true, at: 25) == [.disarm(.suspension)])
    #expect(follow(&suspension, isBusy: true, at: 40) == [.arm(.suspension, .seconds(30))])
  }
}

@Suite struct RestartHistoryTests {
  @Test("a failure long after the last one is the first")
  func forgiveness() {
    let start = ContinuousClock.now
    var history = RestartHistory(policy: RestartPolicy())
    history.note(at: start)
    history.note(at: start + .seconds(1))
    #expect(history.decision == .restart(after: .seconds(1)))
    history.note(at: start + .seconds(602))
    #expect(history.count == 1)
    #expect(history.decision == .restart(after: .zero))
  }
}

@Suite struct ResourceUseTests {
  private var limits: ResourceLimits {
    var limits = ResourceLimits()
    limits.processes = 2
    limits.containerBytes = 1 << 20
    return limits
  }

  @Test("memory that the kernel has refused is named with the limit")
  func outOfMemory() {
    var use = ResourceUse(limits: ResourceLimits())
    #expect(
      use.verdict(on: .outOfMemory)
        == .exhausted(
          reason: "memory",
          log: "memory: the kernel ended it at the limit of 128 MiB"
        )
    )
  }

  @Test("a use at a limit is allowed, above it is not")
  func limit() {
    var use = ResourceUse(limits: limits)
    #expect(use.verdict(on: .processes(2)) == .withinLimits)
    #expect(
      use.verdict(on: .processes(3))
        == .exhausted(reason: "too many processes", log: "processes: 3, the limit is 2")
    )
    #expect(use.verdict(on: .storage(1 << 20)) == .withinLimits)
    #expect(
      use.verdict(on: .storage((1 << 20) + 1))
        == .exhausted(
          reason: "storage full",
          log: "storage: its container uses 1.1 MiB, the limit is 1 MiB"
        )
    )
  }
}

/// What belongs to a process ends with it.
@Suite struct SessionRunTests {
  @Test("a process begins without anything of the process before it")
  func nothingRemains() {
    let script = SessionScript.live(["performAction", "viewWillTransitionToSize"])
    script.at(.press(PerformActionRequest(action: "go")))
    script.at(.received(.openURL("a:b", id: .number(1))))
    script.at(.received(.beginExpiringActivity("save", id: .number(2))))
    for _ in 0..<10 { script.at(.badMessage(.parseError("no"))) }
    script.at(.ended(.signaled(11)))
    script.at(.deadline(.restart))
    script.at(.launched(.sample))
    script.initialize()
    #expect(script.state.openActivities == 0)
    #expect(script.state.implements.isEmpty)
    #expect(!script.state.isAtWork)
    #expect(script.at(.badMessage(.parseError("no"))).count == 1)
    #expect(script.at(1, .disappear).last == .arm(.suspension, .milliseconds(250)))
  }

  @Test("activities are numbered over all processes")
  func activityNumbers() {
    let script = SessionScript.live()
    script.at(.received(.beginExpiringActivity("save", id: .number(1))))
    script.at(.ended(.signaled(11)))
    script.at(.deadline(.restart))
    script.at(.launched(.sample))
    script.initialize()
    #expect(
      script.at(.received(.beginExpiringActivity("save", id: .number(1)))).sent == [
        .activity(.init(activity: 2, expired: false), id: .number(1))
      ]
    )
  }

  @Test("a newer protocol stops only the process that needs it")
  func newerProtocolThenCrash() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    script.at(.replied(.initialize(.init(protocolVersion: 2, implements: []))))
    script.at(.disappear)
    script.at(.ended(.signaled(9)))
    #expect(script.state.phase == .idle)
    script.launch()
    script.at(.ended(.signaled(11)))
    #expect(script.state.phase == .pausing)
  }
}
