import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SessionHostStateTests {
  private static let host = [
    "hostDidBecomeActive", "hostWillResignActive", "hostDidEnterBackground",
    "hostWillEnterForeground",
  ]
  private static let views = [
    "viewWillAppear", "viewDidAppear", "viewWillDisappear", "viewDidDisappear",
  ]
  private let view = SessionDemand.View(size: .sample, isAnimated: false)
  private let appear = HostMessage.viewWillAppear(.init(size: .sample, animated: false))

  /// A session whose view is on the screen.
  private func live(_ methods: [String] = host + views) -> SessionScript {
    let script = SessionScript.live(methods)
    script.at(.replied(.viewWillAppear(ContentUpdate())))
    return script
  }

  @Test func `a page that loses and gets the focus tells so, and views stay`() {
    let script = live()
    #expect(script.at(1, .host(.inactive, showing: nil)) == [.send(.hostWillResignActive)])
    #expect(script.at(2, .host(.active, showing: nil)) == [.send(.hostDidBecomeActive)])
    #expect(script.state.appearance == .on)
  }

  @Test func `only a widget that implements them is told`() {
    let script = live(Self.views)
    #expect(script.at(1, .host(.inactive, showing: nil)).isEmpty)
    #expect(script.at(2, .host(.background, showing: nil)).sent == [.viewWillDisappear])
    let some = live(["hostDidEnterBackground"])
    #expect(some.at(1, .host(.background, showing: nil)).sent == [.hostDidEnterBackground])
  }

  @Test func `a page that is hidden and shown again tells so in the order of the protocol`() {
    let script = live()
    #expect(
      script.at(1, .host(.background, showing: nil)).sent
        == [.hostWillResignActive, .viewWillDisappear]
    )
    #expect(
      script.at(1, .replied(.viewWillDisappear(ContentUpdate()))).sent
        == [.viewDidDisappear, .hostDidEnterBackground]
    )
    #expect(script.at(1.25, .deadline(.suspension)).last == .suspend)
    let back = script.at(2, .host(.active, showing: view))
    #expect(back.prefix(2) == [.disarm(.suspension), .signal(.resume)])
    #expect(back.sent == [.hostWillEnterForeground, appear])
    #expect(
      script.at(2, .replied(.viewWillAppear(ContentUpdate()))).sent
        == [.viewDidAppear, .hostDidBecomeActive]
    )
  }

  @Test func `a suspension of the host tells the same, before the widget is suspended`() {
    let script = live()
    #expect(script.at(1, .pause).sent == [.hostWillResignActive, .viewWillDisappear])
    let end = script.at(1, .replied(.viewWillDisappear(ContentUpdate())))
    #expect(end.sent == [.viewDidDisappear, .hostDidEnterBackground])
    #expect(end.last == .arm(.suspension, .milliseconds(250)))
    script.at(1.25, .deadline(.suspension))
    #expect(
      script.at(100, .unpause(showing: view)).sent == [.hostWillEnterForeground, appear]
    )
    #expect(
      script.at(100, .replied(.viewWillAppear(ContentUpdate()))).sent
        == [.viewDidAppear, .hostDidBecomeActive]
    )
  }

  @Test func `a page that returns without the focus does not tell that it is active`() {
    let script = live()
    script.at(1, .host(.background, showing: nil))
    script.at(1, .replied(.viewWillDisappear(ContentUpdate())))
    script.at(2, .host(.inactive, showing: view))
    #expect(script.at(2, .replied(.viewWillAppear(ContentUpdate()))).sent == [.viewDidAppear])
    #expect(script.at(3, .host(.active, showing: nil)).sent == [.hostDidBecomeActive])
  }

  @Test func `a page that returns before the view has disappeared tells each step once`() {
    let script = live()
    script.at(1, .host(.background, showing: nil))
    #expect(script.at(1.1, .host(.active, showing: view)).sent.isEmpty)
    #expect(
      script.at(1.2, .replied(.viewWillDisappear(ContentUpdate()))).sent
        == [.viewDidDisappear, appear]
    )
    #expect(
      script.at(1.3, .replied(.viewWillAppear(ContentUpdate()))).sent
        == [.viewDidAppear, .hostDidBecomeActive]
    )
  }

  @Test func `a suspended widget is not woken, and told what has changed when it runs again`() {
    let script = live(Self.host + Self.views + ["widgetPerformUpdate"])
    script.at(1, .disappear)
    script.at(1, .replied(.viewWillDisappear(ContentUpdate())))
    script.at(1.25, .deadline(.suspension))
    #expect(script.at(2, .host(.inactive, showing: nil)).isEmpty)
    #expect(script.at(3, .host(.background, showing: nil)).isEmpty)
    #expect(
      script.at(4, .update(.schedule)).sent
        == [.hostWillResignActive, .widgetPerformUpdate(.schedule), .hostDidEnterBackground]
    )
  }

  @Test func `a widget that starts while the page has no focus is told so after initialize`() {
    let script = SessionScript()
    script.at(.host(.inactive, showing: nil))
    #expect(script.launch(Self.host).sent == [.hostWillResignActive])
  }

  @Test func `a quit tells only that the view disappears`() {
    let script = live()
    #expect(script.at(1, .quit).sent == [.viewWillDisappear])
    #expect(
      script.at(1, .replied(.viewWillDisappear(ContentUpdate()))).sent
        == [.viewDidDisappear, .shutdown]
    )
  }
}
