import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SessionUpdateTests {
  private let method = "widgetPerformUpdate"

  private func reply(
    _ result: UpdateResult,
    _ content: ContentUpdate = ContentUpdate(),
    error: SafeText? = nil,
    refreshAfter: Double? = nil
  ) -> SessionEvent {
    .replied(
      .widgetPerformUpdate(
        .init(result, content: content, error: error, refreshAfter: refreshAfter)
      )
    )
  }

  @Test func `an update is requested, and its answer is awaited`() {
    let script = SessionScript.live([method])
    #expect(
      script.at(.update(.user)) == [
        .send(.widgetPerformUpdate(.user)), .arm(.widgetPerformUpdate, .seconds(30)),
      ]
    )
  }

  @Test func `a widget that does not implement updates is never asked`() {
    let script = SessionScript.live()
    #expect(script.at(.update(.user)).isEmpty)
    #expect(script.state.update == nil)
  }

  @Test func `new data is shown`() {
    let script = SessionScript.live([method])
    script.at(.update(.user))
    #expect(
      script.at(reply(.newData, .words("new"), refreshAfter: 60)) == [
        .apply(.words("new"), .update), .disarm(.widgetPerformUpdate),
        .health(.live, message: nil),
        .updateEnded(CompletedUpdate(result: .newData, refreshAfter: .seconds(60), reason: .user)),
      ]
    )
  }

  @Test func `a process that does not answer is replaced when the user retries`() {
    let script = SessionScript.live([method])
    script.at(.update(.schedule))
    script.at(30, .deadline(.widgetPerformUpdate))
    // The host itself asks again, without an end of the process.
    #expect(script.at(60, .update(.schedule)).contains(.send(.widgetPerformUpdate(.schedule))))
    script.at(90, .deadline(.widgetPerformUpdate))
    let effects = script.at(91, .retry)
    #expect(effects.contains(.signal(.terminate)))
    #expect(effects.contains(.arm(.terminate, SessionPolicy().terminate)))
    #expect(script.at(93, .deadline(.terminate)) == [.signal(.kill)])
    let ended = script.at(93, .ended(.signaled(9)))
    #expect(ended.contains(.launch(.appear)), "\(ended)")
    script.at(93, .launched(.sample))
    #expect(script.initialize([method], at: 93).contains(.send(.widgetPerformUpdate(.user))))
  }

  @Test func `a process that has said something since is asked again, and not replaced`() {
    for message in [
      WidgetMessage.setView(.words("alive")), .setLargestAvailableDisplayMode(.expanded),
    ] {
      let script = SessionScript.live([method])
      script.at(.update(.schedule))
      script.at(30, .deadline(.widgetPerformUpdate))
      script.at(31, .received(message))
      #expect(script.at(32, .retry).contains(.send(.widgetPerformUpdate(.user))))
    }
  }

  @Test func `noData changes nothing, whatever else the answer contains`() {
    let script = SessionScript.live([method])
    script.at(.update(.user))
    let effects = script.at(reply(.noData, .words("ignored")))
    #expect(
      effects == [
        .disarm(.widgetPerformUpdate), .health(.live, message: nil),
        .updateEnded(CompletedUpdate(result: .noData, reason: .user)),
      ]
    )
  }

  @Test func `a failed update keeps the content and shows the reason`() {
    let script = SessionScript.live([method])
    script.at(.update(.user))
    let effects = script.at(reply(.failed, .words("ignored"), error: "no network"))
    #expect(
      effects == [
        .disarm(.widgetPerformUpdate), .health(.failed, message: "no network"),
        .updateEnded(CompletedUpdate(result: .failed, error: "no network", reason: .user)),
        // “today log” says why.
        .log("update failed: no network"),
      ]
    )
    script.at(.update(.user))
    #expect(
      script.at(reply(.failed)).contains(.health(.failed, message: "The update failed"))
    )
  }

  @Test func `an error as an answer is a failed update`() {
    let script = SessionScript.live([method])
    script.at(.update(.user))
    let refusal = HostReply.refused(
      .widgetPerformUpdate(.user),
      WireError(code: .invalidParams, message: "result.view.type: expected a text, found 17")
    )
    let effects = script.at(.replied(refusal))
    #expect(
      effects.log == [
        "widgetPerformUpdate: result.view.type: expected a text, found 17 (-32602)"
      ]
    )
    #expect(
      effects.contains(
        .health(.failed, message: "result.view.type: expected a text, found 17")
      )
    )
  }

  @Test func `at most one update is in progress, and further requests are combined`() {
    let script = SessionScript.live([method])
    script.at(.update(.appear))
    #expect(script.at(.update(.schedule)).isEmpty)
    #expect(script.at(.update(.user)).isEmpty)
    #expect(script.at(reply(.noData)).sent == [.widgetPerformUpdate(.user)])
    #expect(script.at(reply(.noData)).sent.isEmpty)
  }

  @Test func `without an answer in 30 seconds the update has failed`() {
    let script = SessionScript.live([method])
    script.at(.update(.user))
    let effects = script.at(30, .deadline(.widgetPerformUpdate))
    #expect(effects.contains(.health(.failed, message: "No answer in 30 s")))
    #expect(
      effects.contains(
        .updateEnded(CompletedUpdate(result: .failed, error: "No answer in 30 s", reason: .user))
      )
    )
  }

  @Test func `an answer that comes after its deadline is dropped`() {
    let script = SessionScript.live([method])
    script.at(.update(.user))
    script.at(30, .deadline(.widgetPerformUpdate))
    let effects = script.at(31, reply(.newData, .words("late")))
    #expect(!effects.contains { if case .card(.apply) = $0 { true } else { false } })
    #expect(!effects.contains { if case .card(.updateEnded) = $0 { true } else { false } })
    #expect(effects.healths.isEmpty)
  }

  @Test func `other messages do not wait for an update`() {
    let script = SessionScript.live([method, "performAction", "viewWillDisappear"])
    script.at(.update(.user))
    let press = PerformActionRequest(action: "go")
    #expect(script.at(1, .press(press)).sent == [.performAction(press)])
    let pressed = PerformActionRequest.Reply(content: .words("pressed"))
    #expect(
      script.at(1, .replied(.performAction("go", pressed))) == [
        .pressEnded(action: "go", failure: nil), .apply(.words("pressed"), .action),
      ]
    )
    #expect(script.at(2, .disappear).sent == [.viewWillDisappear])
    #expect(script.at(2, .replied(.viewWillDisappear(ContentUpdate()))).contains(.disappeared))
    #expect(script.state.update == .user)
    #expect(script.at(3, reply(.newData, .words("new"))).contains(.apply(.words("new"), .update)))
  }

  @Test func `an answer without a request is logged and dropped`() {
    let script = SessionScript.live()
    #expect(script.at(.strayReply) == [.log("unexpected answer: ignored")])
  }

  @Test func `an interval in the far future does not overflow`() {
    let script = SessionScript.live([method])
    script.at(.update(.user))
    let effects = script.at(reply(.noData, refreshAfter: 1e300))
    #expect(
      effects.contains(
        .updateEnded(
          CompletedUpdate(result: .noData, refreshAfter: .seconds(1_000_000_000), reason: .user)
        )
      )
    )
  }

  @Test func `updates wait until the margins are known`() {
    let script = SessionScript.live([method, "widgetMarginInsets"])
    #expect(script.at(.update(.user)).isEmpty)
    let effects = script.at(.replied(.widgetMarginInsets(.proposed)))
    #expect(effects.sent == [.widgetPerformUpdate(.user)])
  }
}

@Suite struct SessionPressTests {
  private let press = PerformActionRequest(action: "more")

  @Test func `a press on the live view is delivered`() {
    let script = SessionScript.live(["performAction"])
    #expect(script.at(.press(press)) == [.send(.performAction(press))])
  }

  @Test func `a press on a snapshot waits for the live view`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    #expect(script.at(.press(press)).isEmpty)
    script.at(.launched(.sample))
    #expect(script.at(.press(PerformActionRequest(action: "less"))).isEmpty)
    #expect(script.initialize(["performAction", "viewWillAppear"]).sent.count == 1)
    let effects = script.at(.replied(.viewWillAppear(ContentUpdate())))
    #expect(
      effects == [
        .disarm(.viewWillAppear), .becameLive, .send(.performAction(press)),
        .send(.performAction(PerformActionRequest(action: "less"))),
      ]
    )
  }

  @Test func `a press before the margins are known waits too`() {
    let script = SessionScript.live(["performAction", "widgetMarginInsets"])
    #expect(script.at(.press(press)).isEmpty)
    let effects = script.at(.replied(.widgetMarginInsets(.proposed)))
    #expect(effects.sent == [.performAction(press)])
    #expect(effects.last == .send(.performAction(press)))
  }

  @Test func `a press in a pause is delivered after the restart`() {
    let script = SessionScript.live(["performAction"])
    script.at(.ended(.signaled(11)))
    #expect(script.at(.press(press)).isEmpty)
    script.at(.deadline(.restart))
    script.at(.launched(.sample))
    #expect(script.initialize(["performAction"]).sent == [.performAction(press)])
  }

  @Test func `waiting presses are dropped with a message when the widget fails`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.press(press))
    #expect(script.at(.launchFailed("no such file")).contains(.pressDropped))
    #expect(!script.state.holdsPresses)
  }

  @Test func `a press on a stopped or ending widget is dropped with a message`() {
    var policy = SessionPolicy()
    policy.restarts.failureLimit = 1
    let script = SessionScript(policy)
    script.launch(["performAction"])
    script.at(.violation("too large"))
    #expect(script.at(.press(press)) == [.pressDropped])
    script.at(.ended(.signaled(9)))
    #expect(script.state.phase == .stopped)
    #expect(script.at(.press(press)) == [.pressDropped])
  }

  @Test func `the number of waiting presses is limited`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    for _ in 0..<8 { #expect(script.at(.press(press)).isEmpty) }
    #expect(script.at(.press(press)) == [.pressDropped])
  }

  @Test func `the number of unanswered presses is limited, and each answer frees a slot`() {
    let script = SessionScript.live(["performAction"])
    for _ in 0..<8 { #expect(script.at(.press(press)).count == 1) }
    #expect(script.at(.press(press)) == [.pressDropped])
    script.at(.replied(.performAction("more", .init())))
    #expect(script.at(.press(press)) == [.send(.performAction(press))])
    script.at(.replied(.refused(.performAction("more"), .parseError("no"))))
    #expect(script.at(.press(press)) == [.send(.performAction(press))])
  }

  @Test func `a press that the widget does not implement is logged`() {
    let script = SessionScript.live()
    #expect(
      script.at(.press(press)) == [
        .log("a press on “more”, but performAction is not implemented")
      ]
    )
  }

  @Test func `the result of a press is shown`() {
    let script = SessionScript.live(["performAction"])
    script.at(.press(press))
    #expect(
      script.at(.replied(.performAction("more", .init(content: .words("more"))))) == [
        .pressEnded(action: "more", failure: nil), .apply(.words("more"), .action),
      ]
    )
    #expect(
      script.at(.replied(.refused(.performAction("more"), .parseError("no")))) == [
        .log("performAction: no (-32700)"), .pressEnded(action: "more", failure: "no"),
      ]
    )
  }
}
