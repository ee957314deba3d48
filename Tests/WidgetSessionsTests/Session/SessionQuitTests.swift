import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SessionQuitTests {
  @Test func `a session without a process ends at once`() {
    let script = SessionScript()
    #expect(script.at(.quit).finishes == 1)
    #expect(script.at(.appear(size: .sample, animated: false)).isEmpty)
  }

  @Test func `a session in a pause or stopped ends at once`() {
    let pausing = SessionScript.live()
    pausing.at(.ended(.exited(1)))
    #expect(pausing.at(.quit) == [.disarm(.restart), .finished])
    #expect(pausing.at(.deadline(.restart)).isEmpty)
    var policy = SessionPolicy()
    policy.restarts.failureLimit = 1
    let stopped = SessionScript(policy)
    stopped.launch()
    stopped.at(.ended(.exited(1)))
    #expect(stopped.at(.quit) == [.disarm(.restart), .finished])
  }

  @Test func `a widget that has not answered yet gets shutdown`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    let told: [SessionEffect] = [
      .send(.shutdown), .closeInput, .arm(.shutdown, .milliseconds(600)),
    ]
    #expect(script.at(.quit) == told)
    #expect(script.initialize(["viewWillAppear"]).isEmpty)
    #expect(script.at(.ended(.exited(0))).finishes == 1)
    #expect(script.state.phase == .idle)
  }

  @Test func `a visible widget disappears first`() {
    let script = SessionScript.live(["viewWillDisappear", "viewDidDisappear"])
    #expect(
      script.at(.quit) == [
        .send(.viewWillDisappear), .arm(.viewWillDisappear, .milliseconds(900)),
      ]
    )
    let effects = script.at(.replied(.viewWillDisappear(.words("last"))))
    #expect(
      effects == [
        .apply(.words("last"), .disappearance), .disarm(.viewWillDisappear),
        .send(.viewDidDisappear), .disappeared, .send(.shutdown), .closeInput,
        .arm(.shutdown, .milliseconds(600)),
      ]
    )
    #expect(script.at(.ended(.exited(0))).finishes == 1)
  }

  @Test func `a widget without viewWillDisappear still stores its last content`() {
    let script = SessionScript.live()
    let effects = script.at(.quit)
    #expect(effects.contains(.disappeared))
    #expect(effects.sent == [.shutdown])
  }

  @Test func `a widget that is just appearing disappears too`() {
    let script = SessionScript.live(["viewWillAppear", "viewWillDisappear"])
    #expect(script.state.appearance == .appearing)
    #expect(script.at(.quit).sent == [.viewWillDisappear])
  }

  @Test func `a widget that does not exit gets SIGTERM and is then killed`() {
    let script = SessionScript.live()
    script.at(.quit)
    #expect(
      script.at(1, .deadline(.shutdown)) == [
        .signal(.terminate), .arm(.terminate, .milliseconds(300)),
      ]
    )
    #expect(script.at(2, .deadline(.terminate)) == [.signal(.kill)])
    #expect(script.at(2, .ended(.signaled(9))).finishes == 1)
  }

  @Test func `a widget that does not answer viewWillDisappear does not delay the quit`() {
    let script = SessionScript.live(["viewWillDisappear"])
    script.at(.quit)
    let effects = script.at(1, .deadline(.viewWillDisappear))
    #expect(effects.log == ["slow: no answer to viewWillDisappear"])
    #expect(effects.sent == [.shutdown])
  }

  @Test func `a quit does not wait for a widget whose flood is paused`() {
    let script = SessionScript.live(["viewWillDisappear"])
    #expect(
      script.at(.quitWithoutNotice) == [
        .send(.shutdown), .closeInput, .signal(.terminate), .arm(.terminate, .milliseconds(300)),
      ]
    )
    #expect(script.at(.deadline(.terminate)) == [.signal(.kill)])
  }

  @Test func `a crash while quitting ends the session, and is not a failure`() {
    let script = SessionScript.live(["viewWillDisappear"])
    script.at(.quit)
    let effects = script.at(.ended(.signaled(11)))
    #expect(effects.finishes == 1)
    #expect(effects.healths.isEmpty)
    #expect(script.state.phase == .idle)
  }

  @Test func `a widget that is being killed is only waited for`() {
    let script = SessionScript.live()
    script.at(.violation("too large"))
    #expect(script.at(.quit) == [.arm(.terminate, .milliseconds(300))])
    #expect(script.at(.ended(.signaled(9))).finishes == 1)
  }

  @Test func `deadlines shorter than those of a quit stay`() {
    var policy = SessionPolicy()
    policy.shutdown = .milliseconds(5)
    let script = SessionScript(policy)
    script.launch()
    #expect(script.at(.quit).contains(.arm(.shutdown, .milliseconds(5))))
  }
}
