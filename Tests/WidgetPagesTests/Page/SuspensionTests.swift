import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct SuspensionTests {
  private let answers = ["viewWillAppear": "{}", "viewWillDisappear": "{}"]

  @Test("a card that was scrolled away for five seconds has its widget suspended")
  func scrolledAway() throws {
    let world = try EngineWorld(answers, hearing: ["viewDidDisappear"], first: #","view":"a""#)
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(4.9))
    #expect(!widget.isSuspended)
    world.pass(.seconds(0.5))
    #expect(widget.isSuspended)
    #expect(widget.methods.suffix(2) == ["viewWillDisappear", "viewDidDisappear"])
    #expect(world.picture == ["a"])
    world.center.screen.setVisible([EngineWorld.id])
    world.settle()
    #expect(!widget.isSuspended)
    #expect(world.runs.count == 1)
    #expect(try world.card.state == .live)
    #expect(widget.signals == [.resume])
  }

  @Test("a page whose cards are all off the screen has one timer, ten minutes away")
  func noWakeUps() throws {
    let world = try EngineWorld(answers, first: #","view":"a""#)
    try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(70), step: .milliseconds(50))
    let next = try #require(world.clock.timeToNextTimer)
    #expect(next > .seconds(500))
  }

  @Test("a widget suspended for ten minutes is terminated, and starts when needed")
  func idle() throws {
    let world = try EngineWorld(answers, first: #","view":"a""#)
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(620), step: .milliseconds(250))
    #expect(widget.methods.last == "shutdown")
    #expect(try world.card.state == .snapshot)
    world.center.screen.setVisible([EngineWorld.id])
    world.settle()
    #expect(world.runs.count == 2)
    #expect(try world.card.state == .live)
    #expect(try world.card.message == nil)
  }

  @Test func `an activity behind an update with another height has its whole time`() throws {
    let world = try EngineWorld(
      answers.merging(["widgetPerformUpdate": #"{"result":"noData"}"#]) { $1 },
      hearing: ["viewWillTransitionToSize", "transitionDidComplete", "expiringActivity"],
      first: #","view":\#(stack(3))"#
    )
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(5.1))
    widget.answers["widgetPerformUpdate"] = #"{"result":"newData","view":\#(stack(9))}"#
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    widget.say(
      #"{"jsonrpc":"2.0","id":7,"method":"beginExpiringActivity","params":{"reason":"save"}}"#
    )
    world.pass(.seconds(29), step: .milliseconds(50))
    #expect(widget.methods.contains("viewWillTransitionToSize"))
    #expect(!widget.methods.contains("expiringActivity"))
    #expect(!widget.isSuspended)
    world.pass(.seconds(2))
    #expect(widget.methods.contains("expiringActivity"))
  }

  @Test("a new width does not resume a widget that is not visible")
  func width() throws {
    let world = try EngineWorld(
      answers.merging(["viewWillTransitionToSize": "{}"]) { $1 },
      first: #","view":\#(stack(3))"#
    )
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(6))
    let heard = widget.methods.count
    world.center.screen.setWidth(60)
    world.pass(.seconds(1))
    #expect(widget.isSuspended)
    #expect(widget.methods.count == heard)
    world.center.screen.setVisible([EngineWorld.id])
    world.settle()
    let appearances = try widget.messages(ViewWillAppearRequest.self)
    #expect(try appearances.last?.size == world.card.bodySize)
  }

  @Test("suspending waits for every view to disappear, two seconds at most")
  func pause() throws {
    let world = try EngineWorld(answers, first: #","view":"a""#)
    let widget = try world.open()
    var isStill = false
    world.center.suspend { isStill = true }
    #expect(!isStill)
    world.pass(.seconds(0.3))
    #expect(isStill)
    #expect(widget.methods.last == "viewWillDisappear")
    #expect(widget.isSuspended)
    world.center.resume()
    world.settle()
    #expect(!widget.isSuspended)
    #expect(widget.methods.last == "viewWillAppear")

    widget.answers["viewWillDisappear"] = nil
    isStill = false
    world.center.suspend { isStill = true }
    world.pass(.seconds(1.9))
    #expect(!isStill)
    world.pass(.seconds(0.2))
    #expect(isStill)
    #expect(widget.isSuspended)
  }

  @Test("a changed bundle starts again after five failures")
  func mended() throws {
    let world = try EngineWorld(first: #","view":"a""#)
    try world.open()
    for _ in 0..<5 {
      try world.widget.crash()
      world.pass(.seconds(10), step: .milliseconds(100))
    }
    #expect(try world.card.state == .stopped)
    let count = world.runs.count
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(world.runs.count == count)
    let program = "\(world.folder.path)/widgets/A.widget/run"
    try Data("#!/bin/sh\n# mended\n".utf8).write(to: URL(filePath: program))
    world.center.updates.refresh(EngineWorld.id)
    world.settle()
    #expect(world.runs.count == count + 1)
    #expect(try world.card.state == .live)
  }
}
