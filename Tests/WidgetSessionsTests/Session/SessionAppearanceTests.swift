import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetSessions

@Suite struct SessionAppearanceTests {
  @Test func `the messages of an appearance have the order of the protocol`() {
    let script = SessionScript()
    let all = ["widgetMarginInsets", "viewWillAppear", "viewDidAppear"]
    #expect(
      script.launch(all, content: .words("hello")) == [
        .disarm(.initialize), .apply(.words("hello"), .appearance),
        .send(.widgetMarginInsets(WidgetMarginInsetsRequest(proposed: .proposed))),
        .arm(.widgetMarginInsets, .seconds(1)),
      ]
    )
    let insets = EdgeInsets(left: 2, right: 2)
    let appear = ViewWillAppearRequest(size: .sample, animated: false)
    #expect(
      script.at(.replied(.widgetMarginInsets(insets))) == [
        .marginInsets(insets), .disarm(.widgetMarginInsets), .send(.viewWillAppear(appear)),
        .arm(.viewWillAppear, .seconds(1)),
      ]
    )
    #expect(
      script.at(.replied(.viewWillAppear(.words("cached")))) == [
        .apply(.words("cached"), .appearance), .disarm(.viewWillAppear), .send(.viewDidAppear),
        .becameLive,
      ]
    )
    #expect(script.state.appearance == .on)
  }

  @Test func `a widget without optional methods is live at once`() {
    let script = SessionScript()
    #expect(
      script.launch() == [.disarm(.initialize), .disarm(.viewWillAppear), .becameLive]
    )
  }

  @Test func `a missing answer to margins delays the card by a second at most`() {
    let script = SessionScript.live(["widgetMarginInsets"])
    #expect(script.state.appearance == .off)
    let effects = script.at(1, .deadline(.widgetMarginInsets))
    #expect(effects.log == ["slow: no answer to widgetMarginInsets"])
    #expect(effects.contains(.becameLive))
  }

  @Test func `late margins are used, and nothing is sent twice`() {
    let script = SessionScript.live(["widgetMarginInsets"])
    script.at(1, .deadline(.widgetMarginInsets))
    #expect(script.at(2, .replied(.widgetMarginInsets(.proposed))) == [.marginInsets(.proposed)])
  }

  @Test func `an error as an answer to margins is no obstacle`() {
    let script = SessionScript.live(["widgetMarginInsets"])
    let refusal = HostReply.refused(.widgetMarginInsets, .methodNotFound("widgetMarginInsets"))
    #expect(script.at(.replied(refusal)).contains(.becameLive))
  }

  @Test func `after a second the host continues and records that the widget is slow`() {
    let script = SessionScript.live(["viewWillAppear"])
    let effects = script.at(1, .deadline(.viewWillAppear))
    #expect(effects.log.count == 1)
    #expect(effects.log.first?.hasPrefix("slow: the view was not up") == true)
    #expect(effects.contains(.becameLive))
    #expect(
      script.at(2, .replied(.viewWillAppear(.words("late")))) == [
        .apply(.words("late"), .appearance)
      ]
    )
  }

  @Test func `an error as an answer to viewWillAppear counts as an answer`() {
    let script = SessionScript.live(["viewWillAppear"])
    let effects = script.at(.replied(.refused(.viewWillAppear, .parseError("no"))))
    #expect(effects.log == ["viewWillAppear: no (-32700)"])
    #expect(effects.contains(.becameLive))
  }

  @Test func `the messages of a disappearance have the order of the protocol`() {
    let script = SessionScript.live(["viewWillDisappear", "viewDidDisappear"])
    #expect(
      script.at(.disappear) == [
        .send(.viewWillDisappear), .arm(.viewWillDisappear, .seconds(2)),
      ]
    )
    #expect(
      script.at(.replied(.viewWillDisappear(ContentUpdate()))) == [
        .disarm(.viewWillDisappear), .send(.viewDidDisappear), .disappeared,
        .arm(.suspension, .milliseconds(250)),
      ]
    )
    #expect(script.state.phase == .running)
    #expect(script.state.appearance == .off)
  }

  @Test func `a widget that does not answer viewWillDisappear has disappeared`() {
    let script = SessionScript.live(["viewWillDisappear"])
    script.at(.disappear)
    let effects = script.at(2, .deadline(.viewWillDisappear))
    #expect(effects.contains(.disappeared))
    #expect(script.at(3, .replied(.viewWillDisappear(.words("late")))).isEmpty)
  }

  @Test func `a card that leaves while it appears disappears after it has appeared`() {
    let script = SessionScript.live(["viewWillAppear", "viewWillDisappear"])
    #expect(script.at(.disappear).isEmpty)
    let effects = script.at(.replied(.viewWillAppear(ContentUpdate())))
    #expect(effects.sent == [.viewWillDisappear])
  }

  @Test func `a card that returns while it disappears appears after it has disappeared`() {
    let script = SessionScript.live(["viewWillAppear", "viewWillDisappear"])
    script.at(.replied(.viewWillAppear(ContentUpdate())))
    script.at(.disappear)
    #expect(script.at(.appear(size: .sample, animated: true)).isEmpty)
    let effects = script.at(.replied(.viewWillDisappear(ContentUpdate())))
    let appear = ViewWillAppearRequest(size: .sample, animated: true)
    #expect(effects.sent == [.viewWillAppear(appear)])
  }

  @Test func `a card that left before the widget was started does not appear`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    #expect(script.at(.disappear).isEmpty)
    let effects = script.initialize(["viewWillAppear"])
    #expect(effects == [.disarm(.initialize), .arm(.suspension, .milliseconds(250))])
  }

  @Test func `the maximum size is stated before the first layout`() {
    let script = SessionScript()
    script.at(.appear(size: .sample, animated: false))
    script.at(.launched(.sample))
    let reply = InitializeRequest.Reply(
      implements: [],
      content: .words("a"),
      largestAvailableDisplayMode: .expanded
    )
    let effects = script.at(.replied(.initialize(reply)))
    #expect(
      effects.prefix(3) == [
        .disarm(.initialize), .largestDisplayMode(.expanded), .apply(.words("a"), .appearance),
      ]
    )
  }

  @Test func `only a widget that implements it is told of other colours`() {
    let light = Appearance(colors: 256, dark: false)
    #expect(SessionScript.live().at(.appearance(light)).isEmpty)
    let script = SessionScript.live(["appearanceDidChange"])
    #expect(
      script.at(.appearance(light)) == [.send(.appearanceDidChange(.init(appearance: light)))]
    )
  }

  @Test func `only a widget that implements it is told its display mode`() {
    let size = Size(columns: 36, rows: 100)
    let deaf = SessionScript.live()
    #expect(deaf.at(.displayMode(.expanded, maximumSize: size)).isEmpty)
    let script = SessionScript.live(["widgetActiveDisplayModeDidChange"])
    let message = ActiveDisplayModeDidChangeNotification(
      activeDisplayMode: .expanded,
      maximumSize: size
    )
    #expect(
      script.at(.displayMode(.expanded, maximumSize: size)) == [
        .send(.activeDisplayModeDidChange(message))
      ]
    )
  }
}
