import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SessionTransitionTests {
  private let both = ["viewWillTransitionToSize", "transitionDidComplete"]

  private func request(_ id: Int) -> ViewWillTransitionToSizeRequest {
    ViewWillTransitionToSizeRequest(
      size: .sample,
      transition: id,
      duration: 0.25,
      curve: .easeInOut,
      animated: true
    )
  }

  @Test func `the completion of a transition is sent exactly once`() {
    let script = SessionScript.live(both)
    #expect(script.at(.transition(request(1))) == [.send(.viewWillTransitionToSize(request(1)))])
    let completion = TransitionDidCompleteNotification(transition: 1, finished: true)
    #expect(
      script.at(.transitionEnded(transition: 1, finished: true)) == [
        .send(.transitionDidComplete(completion))
      ]
    )
    #expect(script.at(.transitionEnded(transition: 1, finished: true)).isEmpty)
    #expect(script.at(.transitionEnded(transition: 1, finished: false)).isEmpty)
  }

  @Test func `a transition that was not sent has no completion`() {
    let script = SessionScript.live(["transitionDidComplete"])
    #expect(script.at(.transition(request(1))).isEmpty)
    #expect(script.at(.transitionEnded(transition: 1, finished: true)).isEmpty)
  }

  @Test func `a transition is not completed in the next process`() {
    let script = SessionScript.live(both)
    script.at(.transition(request(1)))
    script.at(.ended(.signaled(11)))
    script.at(.deadline(.restart))
    script.at(.launched(.sample))
    script.initialize(both)
    #expect(script.at(.transitionEnded(transition: 1, finished: true)).isEmpty)
  }

  @Test func `the answer to a transition belongs to that transition`() {
    let script = SessionScript.live(both)
    script.at(.transition(request(1)))
    let view = ViewNode.words("end")
    #expect(
      script.at(.replied(.viewWillTransitionToSize(transition: 1, .init(alongside: view)))) == [
        .alongside(transition: 1, view)
      ]
    )
    let refusal = HostReply.refused(
      .viewWillTransitionToSize(transition: 2),
      .parseError("no")
    )
    #expect(
      script.at(.replied(refusal)) == [
        .log("viewWillTransitionToSize: no (-32700)"), .alongside(transition: 2, nil),
      ]
    )
  }
}

@Suite struct SessionMessageTests {
  @Test func `a pushed view and height are shown`() {
    let script = SessionScript.live()
    #expect(
      script.at(.received(.setView(.words("tick")))) == [.apply(.words("tick"), .push)]
    )
    let height = PreferredContentSize(height: 6)
    #expect(
      script.at(.received(.setPreferredContentSize(height))) == [
        .apply(ContentUpdate(preferredContentSize: .value(height)), .push)
      ]
    )
    #expect(
      script.at(.received(.setPreferredContentSize(.init(height: nil)))) == [
        .apply(ContentUpdate(preferredContentSize: .null), .push)
      ]
    )
  }

  @Test func `a request to open a URL is passed to the page`() {
    let script = SessionScript.live()
    #expect(
      script.at(.received(.openURL("a:b", id: .string("x")))) == [
        .open(url: "a:b", id: .string("x"))
      ]
    )
  }

  @Test func `log lines carry their level`() {
    let script = SessionScript.live()
    let plain = LogNotification(message: "plain")
    let levelled = LogNotification(level: "error", message: "bad")
    #expect(script.at(.received(.log(plain))) == [.log("plain")])
    #expect(script.at(.received(.log(levelled))) == [.log("error: bad")])
  }

  @Test func `activities are granted, numbered, and ended once`() {
    let script = SessionScript.live()
    #expect(
      script.at(.received(.beginExpiringActivity("save", id: .number(1)))) == [
        .send(.activity(.init(activity: 1, expired: false), id: .number(1)))
      ]
    )
    #expect(script.at(.received(.endExpiringActivity(1))).isEmpty)
    #expect(
      script.at(.received(.endExpiringActivity(1))) == [
        .log("endExpiringActivity: no activity 1 is open")
      ]
    )
  }

  @Test func `an activity without a reason is refused`() {
    let script = SessionScript.live()
    let effects = script.at(.received(.beginExpiringActivity("", id: .number(1))))
    guard case .error(let error, id: .number(1))? = effects.sent.first else {
      Issue.record("no error was sent")
      return
    }
    #expect(error.code == .invalidParams)
    #expect(error.message.contains("params.reason"))
  }

  @Test func `no activity is granted to a widget that is being ended`() {
    let script = SessionScript.live()
    #expect(script.at(.quit).sent.last == .shutdown)
    #expect(
      script.at(.received(.beginExpiringActivity("save", id: .number(1)))) == [
        .log("expiring activity “save” not granted: the widget is being ended"),
        .send(.activity(.init(activity: 1, expired: true), id: .number(1))),
      ]
    )
  }

  @Test func `ten bad messages per minute are logged and the eleventh ends the widget`() {
    let script = SessionScript.live()
    for number in 0..<10 {
      let effects = script.at(Double(number), .badMessage(.parseError("at byte 0: no")))
      #expect(effects == [.log("invalid message: at byte 0: no (-32700)")])
    }
    let effects = script.at(10, .badMessage(.parseError("no")))
    #expect(effects.contains(.signal(.kill)))
    let ended = script.at(10, .ended(.signaled(9)))
    #expect(
      ended.contains(
        .health(
          .failed,
          message: "Unable to Load: too many invalid messages (more than 10 a minute)"
        )
      )
    )
  }

  @Test func `bad messages of more than a minute ago are forgotten`() {
    let script = SessionScript.live()
    for number in 0..<40 {
      let effects = script.at(Double(number) * 6.1, .badMessage(.parseError("no")))
      #expect(effects.count == 1, "\(number)")
    }
  }

  @Test func `exceeding a limit ends the widget with the name of the limit`() {
    let script = SessionScript.live()
    let words = "too large: a line of 300000 bytes; the limit is 262144"
    #expect(
      script.at(.violation(words)) == [.log("ended: \(words)", isKept: true), .signal(.kill)]
    )
    #expect(script.at(.violation(words)) == [.signal(.kill)])
    #expect(
      script.at(.ended(.signaled(9))).contains(
        .health(.failed, message: "Unable to Load: \(words)")
      )
    )
    #expect(script.at(.violation(words)).isEmpty)
  }
}

@Suite struct EarlyMessageTests {
  @Test func `a view before the answer to initialize is dropped and logged`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    let effects = script.at(.received(.setView(.words("early"))))
    #expect(effects == [.log("setView before initialize was answered: dropped")])
    script.initialize()
    let later = script.at(.received(.setView(.words("in time"))))
    #expect(later == [.apply(.words("in time"), .push)])
  }

  @Test func `a log message is accepted at any time`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    let line = LogNotification(level: nil, message: "starting")
    #expect(script.at(.received(.log(line))) == [.log("starting")])
  }
}
