import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SessionSuspensionTests {
  /// A session whose view has disappeared and whose widget is suspended.
  private func suspended(_ implements: [String] = []) -> SessionScript {
    let script = SessionScript.live(implements)
    script.at(.deadline(.viewWillAppear))
    script.at(1, .disappear)
    script.at(2, .deadline(.suspension))
    return script
  }

  @Test("a widget whose view has disappeared is suspended a moment later")
  func disappearing() {
    let script = SessionScript.live(["viewDidDisappear"])
    let effects = script.at(1, .disappear)
    #expect(effects.sent == [.viewDidDisappear])
    #expect(effects.last == .arm(.suspension, .milliseconds(250)))
    #expect(
      script.at(2, .deadline(.suspension)) == [.arm(.suspension, .seconds(600)), .suspend]
    )
    #expect(script.state.isAtRest)
  }

  @Test("a widget that was started for an update is suspended after it")
  func backgroundUpdate() {
    let script = SessionScript()
    script.at(.update(.schedule))
    script.at(.launched(.sample))
    let begun = script.initialize(["widgetPerformUpdate"])
    #expect(!begun.contains { if case .process(.arm(.suspension, _)) = $0 { true } else { false } })
    let ended = script.at(1, .replied(.widgetPerformUpdate(.init(.noData))))
    #expect(ended.last == .arm(.suspension, .milliseconds(250)))
    #expect(script.at(2, .deadline(.suspension)).last == .suspend)
  }

  @Test("a card that appears and disappears twenty times a second leaves its widget suspended")
  func flicker() {
    let script = SessionScript.live(["viewWillAppear", "viewWillDisappear"])
    script.at(.replied(.viewWillAppear(ContentUpdate())))
    for round in 0..<100 {
      script.at(Double(round) / 20, .disappear)
      if round % 3 == 0 { script.at(.replied(.viewWillDisappear(ContentUpdate()))) }
      script.at(Double(round) / 20, .appear(size: .sample, animated: false))
      if round % 2 == 0 { script.at(.replied(.viewWillAppear(ContentUpdate()))) }
    }
    script.at(6, .disappear)
    script.at(6, .deadline(.viewWillAppear))
    script.at(6, .deadline(.viewWillDisappear))
    #expect(script.at(7, .deadline(.suspension)).last == .suspend)
  }

  @Test(
    "SIGCONT precedes the messages to a suspended widget",
    arguments: [
      SessionEvent.appear(size: .sample, animated: false),
      .update(.schedule),
      .press(PerformActionRequest(action: "go")),
      .displayMode(.expanded, maximumSize: .sample),
      .quit,
    ]
  )
  func waking(event: SessionEvent) throws {
    let script = suspended([
      "viewWillAppear", "widgetPerformUpdate", "performAction", "widgetActiveDisplayModeDidChange",
    ])
    #expect(script.state.isAtRest)
    let effects = script.at(3, event)
    let wake = try #require(effects.firstIndex(of: .signal(.resume)))
    let send = try #require(
      effects.firstIndex { if case .process(.send) = $0 { true } else { false } }
    )
    #expect(wake < send)
    #expect(effects.contains(.disarm(.suspension)))
    #expect(!script.state.isAtRest)
    #expect(effects.sent.count == 1)
  }

  @Test func `a suspended widget is told of other colours when it is resumed, once`() {
    let script = suspended(["appearanceDidChange", "viewWillAppear"])
    #expect(script.at(3, .appearance(Appearance(colors: 256, dark: false))).isEmpty)
    #expect(script.at(3, .appearance(Appearance(colors: 16, dark: false))).isEmpty)
    #expect(script.state.isAtRest)
    let sent = script.at(4, .appear(size: .sample, animated: false)).sent
    let message = AppearanceDidChangeNotification(appearance: Appearance(colors: 16, dark: false))
    #expect(sent.first == .appearanceDidChange(message) && sent.count == 2)
  }

  @Test("a card that appears resumes its widget, also without appearance methods")
  func wakingWithoutWords() {
    let script = suspended()
    let effects = script.at(3, .appear(size: .sample, animated: false))
    #expect(effects.starts(with: [.disarm(.suspension), .signal(.resume)]))
    #expect(effects.contains(.becameLive))
  }

  @Test("a suspended widget gets no messages about sizes")
  func noTransition() {
    let script = suspended(["viewWillTransitionToSize"])
    let request = ViewWillTransitionToSizeRequest(
      size: .sample,
      transition: 1,
      duration: 0,
      curve: .linear,
      animated: false
    )
    #expect(script.at(3, .transition(request)).isEmpty)
    #expect(script.state.isAtRest)
  }

  @Test("a press delays the suspension until its answer, at most for the grace period")
  func openPress() {
    let script = SessionScript.live(["performAction"])
    script.at(.press(PerformActionRequest(action: "go")))
    #expect(script.at(1, .disappear).last == .arm(.suspension, .seconds(30)))
    let answer = script.at(2, .replied(.performAction("more", .init())))
    #expect(answer.last == .arm(.suspension, .milliseconds(250)))

    let silent = SessionScript.live(["performAction"])
    silent.at(.press(PerformActionRequest(action: "go")))
    silent.at(1, .disappear)
    #expect(silent.at(31, .deadline(.suspension)) == [.arm(.suspension, .seconds(1))])
    #expect(silent.at(32, .deadline(.suspension)).last == .suspend)
  }

  @Test("an open request delays the suspension until it is answered")
  func openURL() {
    let script = SessionScript.live()
    script.at(.received(.openURL("https://example.com", id: .number(1))))
    #expect(script.at(1, .disappear).last == .arm(.suspension, .seconds(30)))
    #expect(script.at(2, .opened).last == .arm(.suspension, .milliseconds(250)))
  }

  @Test("a widget that is suspended for ten minutes is terminated without a failure")
  func idle() {
    let script = suspended()
    let effects = script.at(602, .deadline(.suspension))
    #expect(effects.sent == [.shutdown])
    #expect(effects.contains(.signal(.resume)))
    #expect(effects.log == ["ended while suspended: not needed for 10 min"])
    let ended = script.at(602, .ended(.exited(0)))
    #expect(ended.healths == [.health(.snapshot, message: nil)])
    #expect(script.state.failureCount == 0)
    #expect(script.state.phase == .idle)
  }

  @Test("a request to a widget that was ended for memory starts it again")
  func askedWhileEnding() {
    let appearing = suspended()
    appearing.at(602, .deadline(.suspension))
    #expect(appearing.at(602, .appear(size: .sample, animated: false)).isEmpty)
    #expect(appearing.at(602, .ended(.exited(0))).last == .launch(.appear))

    let updating = suspended()
    updating.at(602, .deadline(.suspension))
    #expect(updating.at(602, .update(.schedule)).isEmpty)
    #expect(updating.at(602, .ended(.exited(0))).last == .launch(.update))
  }

  @Test("a widget that holds an exclusive lock on a group's file is killed, not suspended")
  func heldLock() {
    let script = suspended()
    let effects = script.at(2, .heldLock("/groups/a/store"))
    #expect(
      effects == [
        .log("held an exclusive lock while being suspended: /groups/a/store", isKept: true),
        .signal(.kill),
      ]
    )
    let words = "Unable to Load: held an exclusive lock while being suspended"
    #expect(script.at(2, .ended(.signaled(9))).healths == [.health(.failed, message: words)])
  }

  @Test("every view disappears before the host is suspended, and appears after it")
  func pause() {
    let script = SessionScript.live(["viewWillDisappear", "viewWillAppear"])
    script.at(.replied(.viewWillAppear(ContentUpdate())))
    #expect(script.at(1, .pause).sent == [.viewWillDisappear])
    script.at(1, .replied(.viewWillDisappear(ContentUpdate())))
    #expect(script.at(1.25, .deadline(.suspension)).last == .suspend)
    #expect(script.at(1.3, .update(.schedule)).isEmpty)
    #expect(script.at(1.3, .freeze).isEmpty)
    #expect(script.at(100, .unpause(showing: nil)).isEmpty)
    let effects = script.at(100, .appear(size: .sample, animated: false))
    #expect(effects.first == .disarm(.suspension))
    #expect(effects.contains(.signal(.resume)))
  }

  @Test("an update in progress when the host is suspended gets a new deadline")
  func freeze() {
    let script = SessionScript.live(["widgetPerformUpdate"])
    script.at(.update(.schedule))
    script.at(1, .pause)
    let frozen = script.at(3, .freeze)
    #expect(frozen.contains(.disarm(.widgetPerformUpdate)))
    #expect(frozen.last == .suspend)
    let effects = script.at(1_000, .unpause(showing: nil))
    #expect(
      effects == [
        .disarm(.suspension), .signal(.resume), .arm(.widgetPerformUpdate, .seconds(30)),
      ]
    )
    #expect(script.state.update == .schedule)
  }
}
