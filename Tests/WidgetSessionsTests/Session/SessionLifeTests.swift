import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SessionLifeTests {
  @Test func `a visible card starts the program and sends initialize`() {
    let script = SessionScript()
    #expect(script.at(.appear(size: .sample, animated: false)) == [.launch(.appear)])
    #expect(script.state.phase == .initializing)
    #expect(
      script.at(.launched(.sample)) == [
        .send(.initialize(.sample)), .arm(.initialize, .seconds(5)),
      ]
    )
  }

  @Test func `an update of a card that is not visible starts the program`() {
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

  @Test func `without an answer to initialize the launch has failed`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    let killing = script.at(5, .deadline(.initialize))
    #expect(killing.contains(.signal(.kill)))
    #expect(killing.log.first?.hasPrefix("no answer to initialize in 5 s; standard output") == true)
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

  @Test func `an error as an answer to initialize is a failed launch with its text`() {
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

  @Test("a widget of a newer protocol is reported and not restarted")
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
    #expect(!effects.contains { if case .process(.arm) = $0 { true } else { false } })
    #expect(script.state.phase == .stopped)
    #expect(script.at(.appear(size: .sample, animated: false)).isEmpty)
    #expect(script.at(.retry).contains(.launch(.appear)))
  }

  @Test(arguments: [
    (0, "Unable to Load: protocolVersion is 0; expected 1"),
    (-1, "Unable to Load: protocolVersion is -1; expected 1"),
    (.min, "Unable to Load: protocolVersion is -9223372036854775808; expected 1"),
    (.max, "Needs a later protocol version; expected 1"),
    (3, "Needs protocol version 3"),
  ])
  func `a version of the protocol that is none of the host's stops the widget`(
    version: Int,
    words: String
  ) {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    script.at(.replied(.initialize(.init(protocolVersion: version, implements: []))))
    let effects = script.at(.ended(.signaled(9)))
    #expect(effects.healths == [.health(.stopped, message: words)])
    #expect(script.state.phase == .stopped)
  }

  @Test func `a program that cannot be started counts as a failure`() {
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
  func `the heading shows how a process ended`(status: TerminationStatus, words: String) {
    let script = SessionScript.live()
    #expect(script.at(.ended(status)).contains(.health(.failed, message: words)))
  }

  @Test func `crashes are followed by growing pauses, and the fifth stops the widget`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    var pauses: [Duration] = []
    for round in 0..<5 {
      let now = Double(round) * 10
      script.at(now, .launched(.sample))
      script.initialize(at: now)
      let effects = script.at(now, .ended(.signaled(11)))
      #expect(effects.finishes == 1)
      for case .process(.arm(.restart, let pause)) in effects { pauses.append(pause) }
      if round < 4 {
        #expect(script.at(now + 5, .deadline(.restart)) == [.launch(.appear)])
      } else {
        #expect(
          effects.contains(
            .health(
              .stopped,
              message: "Stopped after 5 failures: Unable to Load: crashed (SIGSEGV)"
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

  @Test func `a machine that is away is tried again for as long as it takes`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    var pauses: [Duration] = []
    /// It is away, in the process that was started at `now`.
    func away(_ now: Double) {
      let words = "unreachable since 14:25: Connection refused"
      script.at(now, .away(words))
      let effects = script.at(now, .ended(.unknown))
      #expect(effects.contains(.health(.failed, message: words)))
      #expect(effects.finishes == 1)
      for case .process(.arm(.restart, let pause)) in effects { pauses.append(pause) }
      #expect(script.at(now + 1, .deadline(.restart)) == [.launch(.appear)])
    }
    for round in 0..<9 {
      script.at(Double(round), .launched(.sample))
      away(Double(round))
    }
    #expect(pauses == [.zero] + [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    // When it was there again, it is tried at once.
    pauses = []
    script.at(10, .launched(.sample))
    script.initialize(at: 10)
    away(11)
    script.at(12, .launched(.sample))
    away(12)
    #expect(pauses == [.zero, .seconds(1)])
    #expect(script.state.failureCount == 0)
  }

  @Test func `the heading shows the pause`() {
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

  @Test func `a key starts a stopped widget again, without its failures`() {
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
    #expect(script.state.failureCount == 0)
  }

  @Test func `a key ends a pause`() {
    let script = SessionScript.live()
    script.at(.ended(.exited(1)))
    #expect(script.at(.retry).last == .launch(.appear))
    #expect(script.at(.deadline(.restart)).isEmpty)
  }

  @Test func `a card that left the screen is not started again`() {
    let script = SessionScript.live()
    script.at(.disappear)
    let effects = script.at(.ended(.exited(1)))
    #expect(!effects.contains { if case .process(.arm) = $0 { true } else { false } })
    #expect(effects.finishes == 1)
    #expect(script.state.phase == .idle)
  }

  @Test func `an update interrupted by a crash is made after the restart`() {
    let script = SessionScript.live(["widgetPerformUpdate"])
    script.at(.update(.user))
    script.at(.ended(.signaled(11)))
    #expect(script.at(.deadline(.restart)) == [.launch(.appear)])
    script.at(.launched(.sample))
    #expect(script.initialize(["widgetPerformUpdate"]).sent == [.widgetPerformUpdate(.user)])
  }

  @Test func `failures no longer count after ten minutes without one`() {
    let script = SessionScript.live()
    for time in [0.0, 1, 2] {
      script.at(time, .ended(.exited(1)))
      script.at(time, .deadline(.restart))
      script.at(time, .launched(.sample))
      script.initialize(at: time)
    }
    let effects = script.at(603, .ended(.exited(1)))
    #expect(effects.contains(.arm(.restart, .zero)))
    #expect(script.state.failureCount == 1)
  }
}
