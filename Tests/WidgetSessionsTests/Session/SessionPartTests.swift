import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

/// The parts of a session by themselves, with a process that implements everything that they ask for.
@Suite struct UpdateQueueTests {
  @Test("the first request is sent, and the latest one during it waits")
  func combined() {
    var process = ProcessChannel.running(["widgetPerformUpdate"])
    var queue = UpdateQueue()
    queue.begin(.appear, &process)
    queue.begin(.schedule, &process)
    queue.begin(.user, &process)
    #expect(process.takeEffects().sent == [.widgetPerformUpdate(.appear)])
    #expect(queue.takeNext() == nil)
    queue.replied(.init(.noData), &process)
    #expect(queue.takeNext() == .user)
    #expect(queue.isEmpty)
  }

  @Test("an update that the process has not ended waits for the next process")
  func interrupted() {
    var process = ProcessChannel.running(["widgetPerformUpdate"])
    var queue = UpdateQueue()
    queue.begin(.user, &process)
    queue.processDidEnd()
    #expect(queue.current == nil)
    #expect(queue.takeNext() == .user)
    queue.begin(.user, &process)
    queue.begin(.schedule, &process)
    queue.processDidEnd()
    #expect(queue.takeNext() == .schedule)
  }

  @Test("without an update in progress, answers and deadlines do nothing")
  func late() {
    var process = ProcessChannel.running(["widgetPerformUpdate"])
    var queue = UpdateQueue()
    queue.replied(.init(.newData, content: .words("late")), &process)
    #expect(process.takeEffects() == [.log("late answer to widgetPerformUpdate: ignored")])
    queue.timedOut(&process)
    queue.refused(.parseError("no"), &process)
    #expect(process.takeEffects().isEmpty)
  }
}

@Suite struct ViewAppearanceTests {
  private let view = SessionDemand.View(size: .sample, isAnimated: false)

  @Test("a view without methods is on the screen or off at once")
  func withoutMethods() {
    var process = ProcessChannel.running([])
    var appearance = ViewAppearance()
    appearance.willAppear(view, &process)
    #expect(appearance.state == .on)
    #expect(process.takeEffects().contains(.becameLive))
    appearance.willDisappear(&process)
    #expect(appearance.state == .off)
    #expect(process.takeEffects().contains(.disappeared))
  }

  @Test("an answer or a deadline that belongs to another state does nothing")
  func late() {
    var process = ProcessChannel.running(["viewWillAppear", "viewWillDisappear"])
    var appearance = ViewAppearance()
    appearance.didAppear(&process)
    #expect(process.takeEffects().isEmpty)
    appearance.willAppear(view, &process)
    appearance.disappearTimedOut(&process)
    #expect(appearance.state == .appearing)
    appearance.appearTimedOut(&process)
    #expect(process.takeEffects().contains(.becameLive))
    appearance.appearTimedOut(&process)
    #expect(process.takeEffects().isEmpty)
  }

  @Test("presses wait for the margins")
  func margins() {
    var process = ProcessChannel.running(["widgetMarginInsets"])
    var appearance = ViewAppearance()
    let isAsked = appearance.requestMargins(&process)
    #expect(isAsked && !appearance.acceptsPresses)
    let isEnd = appearance.marginsEnded(&process)
    #expect(isEnd && appearance.acceptsPresses)
    let isSecondEnd = appearance.marginsEnded(&process)
    #expect(!isSecondEnd)
  }
}

@Suite struct ProcessChannelTests {
  @Test("everything that is not answered gets its whole time again when the host continues")
  func rearmed() {
    var process = ProcessChannel.running(["viewWillAppear", "widgetPerformUpdate"])
    _ = process.ask(.widgetPerformUpdate(.user), within: .widgetPerformUpdate)
    _ = process.ask(
      .viewWillAppear(.init(size: .sample, animated: false)),
      within: .viewWillAppear
    )
    process.disarm(.viewWillAppear)
    process.freeze()
    _ = process.takeEffects()
    process.resume()
    #expect(
      process.takeEffects() == [
        .disarm(.suspension), .signal(.resume), .arm(.widgetPerformUpdate, .seconds(30)),
      ]
    )
  }

  @Test("a suspended process runs before it is sent anything, and keeps its messages in order")
  func resumed() {
    var process = ProcessChannel.running(["appearanceDidChange", "viewDidAppear"])
    process.freeze()
    process.appearanceDidChange(Appearance(colors: 16, dark: false))
    #expect(process.takeEffects().sent.isEmpty)
    process.tell(.viewDidAppear)
    let effects = process.takeEffects()
    #expect(effects.prefix(2) == [.disarm(.suspension), .signal(.resume)])
    let change = AppearanceDidChangeNotification(appearance: Appearance(colors: 16, dark: false))
    #expect(effects.sent == [.appearanceDidChange(change), .viewDidAppear])
  }
}

extension ProcessChannel {
  /// A channel to a process that implements these methods.
  fileprivate static func running(_ methods: [String]) -> ProcessChannel {
    var process = ProcessChannel(policy: SessionPolicy())
    process.begin(implementing: methods)
    _ = process.takeEffects()
    return process
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
    #expect(suspension.ranOut() == .suspend(isCutOff: false))
    #expect(suspension.suspend(policy) == [.arm(.suspension, .seconds(600)), .suspend])
    #expect(follow(&suspension, isInUse: true, at: 3).isEmpty)
    #expect(suspension.ranOut() == .end)
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
