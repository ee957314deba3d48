import Testing
import WidgetKitCore

@testable import WidgetHost

@Suite struct SessionLifeTests {
  @Test func `a card on the screen starts the program and greets it`() {
    let script = SessionScript()
    #expect(script.at(.appear(size: .sample, animated: false)) == [.launch(.appear)])
    #expect(script.state.phase == .initializing)
    #expect(
      script.at(.launched(.sample)) == [
        .send(.initialize(.sample)), .arm(.initialize, .seconds(5)),
      ]
    )
  }

  @Test func `an update of a card that is not on the screen starts the program for it`() {
    let script = SessionScript()
    #expect(script.at(.update(.schedule)) == [.launch(.update)])
    script.at(.launched(.sample))
    let effects = script.initialize(["widgetPerformUpdate", "viewWillAppear"])
    #expect(effects.sent == [.widgetPerformUpdate(.schedule)])
    #expect(script.state.appearance == .off)
  }

  @Test func `only one process is started however often the card appears`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    #expect(script.at(.appear(size: .sample, animated: false)).isEmpty)
    #expect(script.at(.update(.user)).isEmpty)
  }

  @Test func `A19: without an answer to initialize the launch has failed`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    #expect(script.at(5, .deadline(.initialize)) == [.signal(.kill)])
    let effects = script.at(5, .ended(.signaled(9)))
    #expect(
      effects.contains(.health(.failed, message: "Unable to Load: no answer in 5 s"))
    )
    #expect(effects.contains(.arm(.restart, .zero)))
    #expect(script.state.phase == .pausing)
  }

  @Test func `a deadline that comes after the answer does nothing`() {
    let script = SessionScript.live()
    #expect(script.at(5, .deadline(.initialize)).isEmpty)
    #expect(script.at(5, .deadline(.restart)).isEmpty)
    #expect(script.at(5, .deadline(.viewWillAppear)).isEmpty)
    #expect(script.at(5, .deadline(.viewWillDisappear)).isEmpty)
    #expect(script.at(5, .deadline(.widgetPerformUpdate)).isEmpty)
  }

  @Test func `a refusal of initialize is a failed launch with its words`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    let refusal = HostReply.refused(.initialize, .invalidRequest("not today"))
    #expect(
      script.at(.replied(refusal)) == [
        .log("initialize: not today (-32600)"), .disarm(.initialize), .signal(.kill),
      ]
    )
    #expect(
      script.at(.ended(.exited(0))).contains(
        .health(.failed, message: "Unable to Load: not today")
      )
    )
  }

  @Test("A18: a widget of a newer protocol says so and is not started again")
  func newerProtocol() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    let reply = InitializeRequest.Reply(protocolVersion: 2, implements: [])
    #expect(
      script.at(.replied(.initialize(reply))) == [.disarm(.initialize), .signal(.kill)]
    )
    let effects = script.at(.ended(.signaled(9)))
    #expect(effects.healths == [.health(.stopped, message: "Needs protocol version 2")])
    #expect(!effects.contains { if case .arm = $0 { true } else { false } })
    #expect(script.state.phase == .stopped)
    #expect(script.at(.appear(size: .sample, animated: false)).isEmpty)
    #expect(script.at(.retry).contains(.launch(.appear)))
  }

  @Test func `a program that cannot be started fails like one that ends`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    let effects = script.at(.launchFailed("no such file"))
    #expect(effects.contains(.health(.failed, message: "Unable to Load: no such file")))
    #expect(effects.contains(.arm(.restart, .zero)))
  }

  @Test(arguments: [
    (TerminationStatus.exited(3), "Unable to Load: exited with code 3"),
    (.exited(0), "Unable to Load: exited with code 0"),
    (.signaled(11), "Unable to Load: crashed (SIGSEGV)"),
  ])
  func `the heading says how a process ended`(status: TerminationStatus, words: String) {
    let script = SessionScript.live()
    #expect(script.at(.ended(status)).contains(.health(.failed, message: words)))
  }

  @Test func `I18: a crash is followed by growing pauses and after the fifth by rest`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    var pauses: [Duration] = []
    for round in 0..<5 {
      let now = Double(round) * 10
      script.at(now, .launched(.sample))
      script.initialize(at: now)
      let effects = script.at(now, .ended(.signaled(11)))
      #expect(effects.finishes == 1)
      for case .arm(.restart, let pause) in effects { pauses.append(pause) }
      if round < 4 {
        #expect(script.at(now + 5, .deadline(.restart)) == [.launch(.appear)])
      } else {
        #expect(
          effects.contains(
            .health(
              .stopped,
              message: "Stopped after 5 failures: Unable to Load: crashed (SIGSEGV)"
                + " · t tries again"
            )
          )
        )
      }
    }
    #expect(pauses == [.zero, .seconds(1), .seconds(2), .seconds(4)])
    #expect(script.state.phase == .stopped)
    #expect(script.at(60, .appear(size: .sample, animated: false)).isEmpty)
    #expect(script.at(60, .update(.user)).isEmpty)
    #expect(script.at(60, .deadline(.restart)).isEmpty)
  }

  @Test func `I18: the heading says how long the pause is`() {
    let script = SessionScript.live()
    script.at(.ended(.exited(1)))
    script.at(.deadline(.restart))
    script.at(.launched(.sample))
    script.initialize()
    #expect(
      script.at(1, .ended(.exited(1))).contains(
        .health(.failed, message: "Unable to Load: exited with code 1, starts again in 1 s")
      )
    )
  }

  @Test func `I18: one key starts a stopped widget again, with its failures forgotten`() {
    var policy = SessionPolicy()
    policy.restarts.failureLimit = 1
    let script = SessionScript(policy)
    script.launch()
    script.at(.ended(.exited(1)))
    #expect(script.state.phase == .stopped)
    #expect(
      script.at(9, .retry) == [
        .disarm(.restart), .health(.starting, message: nil), .launch(.appear),
      ]
    )
    #expect(script.state.failures.isEmpty)
  }

  @Test func `one key cuts a pause short`() {
    let script = SessionScript.live()
    script.at(.ended(.exited(1)))
    #expect(script.at(.retry).last == .launch(.appear))
    #expect(script.at(.deadline(.restart)).isEmpty)
  }

  @Test func `a card that left the screen is not started again`() {
    let script = SessionScript.live()
    script.at(.disappear)
    let effects = script.at(.ended(.exited(1)))
    #expect(!effects.contains { if case .arm = $0 { true } else { false } })
    #expect(effects.finishes == 1)
    #expect(script.state.phase == .idle)
  }

  @Test func `an update that was cut off by a crash is made after the restart`() {
    let script = SessionScript.live(["widgetPerformUpdate"])
    script.at(.update(.user))
    script.at(.ended(.signaled(11)))
    #expect(script.at(.deadline(.restart)) == [.launch(.appear)])
    script.at(.launched(.sample))
    #expect(script.initialize(["widgetPerformUpdate"]).sent == [.widgetPerformUpdate(.user)])
  }

  @Test func `I18: failures are forgiven after ten good minutes`() {
    let script = SessionScript.live()
    for time in [0.0, 1, 2] {
      script.at(time, .ended(.exited(1)))
      script.at(time, .deadline(.restart))
      script.at(time, .launched(.sample))
      script.initialize(at: time)
    }
    let effects = script.at(603, .ended(.exited(1)))
    #expect(effects.contains(.arm(.restart, .zero)))
    #expect(script.state.failures.count == 1)
  }
}

@Suite struct SessionQuitTests {
  @Test func `a session without a process is over at once`() {
    let script = SessionScript()
    #expect(script.at(.quit).finishes == 1)
    #expect(script.at(.appear(size: .sample, animated: false)).isEmpty)
  }

  @Test func `a session in a pause or stopped is over at once`() {
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

  @Test func `a widget that has not answered yet is told to go`() {
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

  @Test func `B11: a widget on the screen disappears first`() {
    let script = SessionScript.live(["viewWillDisappear", "viewDidDisappear"])
    #expect(
      script.at(.quit) == [
        .disarm(.viewWillAppear), .send(.viewWillDisappear),
        .arm(.viewWillDisappear, .milliseconds(900)),
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

  @Test func `a widget that does not hear of disappearing still leaves its last picture`() {
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

  @Test func `a widget that does not go is asked by SIGTERM and then killed`() {
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

  @Test func `B11: a widget that does not answer when disappearing does not hold the quit up`() {
    let script = SessionScript.live(["viewWillDisappear"])
    script.at(.quit)
    let effects = script.at(1, .deadline(.viewWillDisappear))
    #expect(effects.log == ["slow: no answer to viewWillDisappear"])
    #expect(effects.sent == [.shutdown])
  }

  @Test func `a widget whose flood is held back has no answer to wait for`() {
    let script = SessionScript.live(["viewWillDisappear"])
    #expect(
      script.at(.quitUnheard) == [
        .send(.shutdown), .closeInput, .signal(.terminate), .arm(.terminate, .milliseconds(300)),
      ]
    )
    #expect(script.at(.deadline(.terminate)) == [.signal(.kill)])
  }

  @Test func `a crash while quitting is the end and no failure to recover from`() {
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

  @Test func `shorter deadlines than those of a quit stay`() {
    var policy = SessionPolicy()
    policy.shutdown = .milliseconds(5)
    let script = SessionScript(policy)
    script.launch()
    #expect(script.at(.quit).contains(.arm(.shutdown, .milliseconds(5))))
  }
}
