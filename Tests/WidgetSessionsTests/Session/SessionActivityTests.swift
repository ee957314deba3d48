import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SessionActivityTests {
  private let method = ExpiringActivityNotification.method

  private func begin(_ script: SessionScript, _ reason: String = "flush") -> [SessionEffect] {
    script.at(.received(.beginExpiringActivity(reason, id: .number(7))))
  }

  private func reply(_ number: Int, expired: Bool) -> HostMessage {
    .activity(.init(activity: number, expired: expired), id: .number(7))
  }

  private func expiry(_ number: Int) -> HostMessage {
    .expiringActivity(.init(activity: number, expired: true))
  }

  @Test("while a granted activity is open the widget is not suspended")
  func granted() {
    let script = SessionScript.live([method])
    #expect(begin(script).sent == [reply(1, expired: false)])
    #expect(script.at(1, .disappear).last == .arm(.suspension, .seconds(30)))
    #expect(!script.state.isAtRest)
    let ended = script.at(5, .received(.endExpiringActivity(1)))
    #expect(ended == [.arm(.suspension, .milliseconds(250))])
  }

  @Test("on expiry each open activity is told once, and a second later the widget is suspended")
  func expiring() {
    let script = SessionScript.live([method])
    for _ in 0..<3 { _ = begin(script) }
    script.at(.received(.endExpiringActivity(2)))
    script.at(1, .disappear)
    let expired = script.at(31, .deadline(.suspension))
    #expect(expired.sent == [expiry(1), expiry(3)])
    #expect(expired.last == .arm(.suspension, .seconds(1)))
    let still = script.at(32, .deadline(.suspension))
    #expect(still.log == ["suspended with expiring activity “flush”, “flush” still open"])
    #expect(still.last == .suspend)
    // Woken and gone again, it is not told a second time.
    script.at(40, .appear(size: .sample, animated: false))
    script.at(41, .disappear)
    #expect(script.at(71, .deadline(.suspension)).sent.isEmpty)
  }

  @Test("an activity that has ended is not told about expiry")
  func endedInTime() {
    let script = SessionScript.live([method])
    _ = begin(script)
    script.at(1, .disappear)
    script.at(2, .received(.endExpiringActivity(1)))
    #expect(
      script.at(2.25, .deadline(.suspension)) == [.arm(.suspension, .seconds(600)), .suspend]
    )
  }

  @Test("one that ends within its last second lets the widget be suspended at once")
  func endedInLastMoment() {
    let script = SessionScript.live([method])
    _ = begin(script)
    script.at(1, .disappear)
    script.at(31, .deadline(.suspension))
    let ended = script.at(31.5, .received(.endExpiringActivity(1)))
    #expect(ended == [.arm(.suspension, .milliseconds(250))])
  }

  @Test("a widget that does not implement expiringActivity is not sent it")
  func notImplemented() {
    let script = SessionScript.live()
    _ = begin(script)
    script.at(1, .disappear)
    #expect(script.at(31, .deadline(.suspension)) == [.arm(.suspension, .seconds(1))])
  }

  @Test("nothing is granted past the limit", arguments: [7, 8, 9])
  func limit(count: Int) {
    let script = SessionScript.live([method])
    let replies = (0..<count).flatMap { _ in begin(script).sent }
    let expected = (1...count).map { reply($0, expired: $0 > 8) }
    #expect(replies == expected)
    #expect(script.state.openActivities == min(count, 8))
  }

  @Test("if the policy refuses activities, there is a second to clean up")
  func denied() {
    var policy = SessionPolicy()
    policy.deniesActivities = true
    let script = SessionScript(policy)
    script.launch([method])
    let effects = begin(script, "save")
    #expect(effects.sent == [reply(1, expired: true)])
    #expect(effects.log == ["expiring activity “save” not granted: denied by the policy"])
    #expect(script.at(1, .disappear).last == .arm(.suspension, .seconds(1)))
    #expect(script.at(2, .deadline(.suspension)).sent.isEmpty)
  }

  @Test("in the last second before a suspension no activity is granted")
  func tooLate() {
    let script = SessionScript.live([method])
    _ = begin(script)
    script.at(1, .disappear)
    script.at(31, .deadline(.suspension))
    #expect(begin(script).sent == [reply(2, expired: true)])
  }

  @Test("repeated activities do not prolong the time of a widget")
  func chain() {
    let script = SessionScript.live([method])
    _ = begin(script)
    #expect(script.at(1, .disappear).last == .arm(.suspension, .seconds(30)))
    script.at(11, .received(.endExpiringActivity(1)))
    let again = script.at(11.1, .received(.beginExpiringActivity("more", id: .number(7))))
    guard case .process(.arm(.suspension, let rest))? = again.last else {
      Issue.record("nothing bounds the second activity")
      return
    }
    #expect(rest < .seconds(20) && rest > .seconds(19.8))
    #expect(script.at(31, .deadline(.suspension)).sent == [expiry(2)])
    script.at(31.1, .received(.endExpiringActivity(2)))
    let late = script.at(31.2, .received(.beginExpiringActivity("more", id: .number(7))))
    #expect(late.sent == [reply(3, expired: true)])
    #expect(script.at(31.4, .deadline(.suspension)).last == .suspend)
    // With a view on the screen all begins again.
    script.at(40, .appear(size: .sample, animated: false))
    #expect(begin(script).sent == [reply(4, expired: false)])
  }

  @Test func `at a quit an activity is granted, and may continue without the host`() {
    let script = SessionScript.live([method, "viewWillDisappear"])
    #expect(script.at(.quit).sent == [.viewWillDisappear])
    #expect(begin(script).sent == [reply(1, expired: false)])
    #expect(script.state.activitiesToContinue == nil)
    let gone = script.at(0.1, .replied(.viewWillDisappear(ContentUpdate())))
    #expect(gone.sent == [])
    #expect(gone.last == .leaving)
    let expected = OpenActivities(
      numbers: [1],
      areHeard: true,
      limit: .seconds(10),
      lastMoments: .seconds(1)
    )
    #expect(script.state.activitiesToContinue == expected)
    let left = script.at(0.2, .left)
    #expect(left.finishes == 1)
    #expect(left.log == ["the host has quit; expiring activity “flush” may end within 10 s"])
    #expect(!script.state.hasProcess)
  }

  @Test func `an activity that ends in time lets a quit end the widget in the usual way`() {
    let script = SessionScript.live([method])
    _ = begin(script)
    #expect(script.at(1, .quit).last == .leaving)
    #expect(script.at(1.01, .received(.endExpiringActivity(1))).sent == [.shutdown])
    #expect(script.state.activitiesToContinue == nil)
    #expect(begin(script).sent == [reply(2, expired: true)])
  }

  @Test func `a view that does not disappear in time does not end the activities at a quit`() {
    let script = SessionScript.live(["viewWillDisappear"])
    _ = begin(script)
    script.at(1, .quit)
    #expect(script.at(1.9, .deadline(.viewWillDisappear)).last == .leaving)
    #expect(script.state.activitiesToContinue?.areHeard == false)
  }

  @Test func `at a quit a widget that floods the host may finish its activities`() {
    let script = SessionScript.live([method, "viewWillDisappear"])
    _ = begin(script)
    #expect(script.at(1, .quitWithoutNotice) == [.leaving])
  }

  @Test func `activities whose time has run out do not delay a quit`() {
    let script = SessionScript.live([method])
    _ = begin(script)
    script.at(1, .disappear)
    script.at(31, .deadline(.suspension))
    #expect(script.at(31.5, .quit).sent == [.shutdown])
  }

  @Test func `at a quit a suspended widget is resumed and told to exit`() {
    let script = SessionScript.live([method])
    _ = begin(script)
    script.at(1, .pause)
    script.at(3, .freeze)
    #expect(script.state.rest == .suspended)
    let effects = script.at(4, .quit)
    #expect(effects.contains(.signal(.resume)))
    // Its time had run out before the host was suspended.
    #expect(effects.sent == [.shutdown])
  }

  @Test("the reason is logged if the work is killed")
  func killed() {
    let script = SessionScript.live([method])
    _ = begin(script, "flush")
    #expect(
      script.at(.violation("too large")).log.contains(
        "killed with expiring activity “flush” open"
      )
    )
  }
}
