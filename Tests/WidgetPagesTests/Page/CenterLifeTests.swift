import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

@Suite struct CenterLifeTests {
  @Test func `a widget that crashes keeps its content and restarts`() throws {
    let world = try EngineWorld(first: #","view":"still here""#)
    try world.open()
    try world.widget.crash()
    #expect(try world.card.state == .failed)
    #expect(try world.card.message == "Unable to Load: crashed (SIGSEGV)")
    #expect(world.picture == ["still here"])
    world.settle()
    #expect(world.runs.count == 2)
    #expect(try world.card.state == .live)
  }

  @Test func `after five crashes it is stopped until a key is pressed`() throws {
    let world = try EngineWorld(first: #","view":"still here""#)
    try world.open()
    for _ in 0..<5 {
      try world.widget.crash()
      world.pass(.seconds(10), step: .seconds(1))
    }
    #expect(world.runs.count == 5)
    #expect(try world.card.state == .stopped)
    #expect(world.picture == ["still here"])
    world.pass(.seconds(600), step: .seconds(10))
    #expect(world.runs.count == 5)
    world.center.input.retry(EngineWorld.id)
    world.settle()
    #expect(world.runs.count == 6)
    #expect(try world.card.state == .live)
  }

  @Test func `a widget that never answers is killed after five seconds`() throws {
    let world = try EngineWorld()
    world.answers = [:]
    let widget = try world.open()
    world.pass(.seconds(4.9))
    #expect(widget.signals.isEmpty)
    world.pass(.seconds(0.2))
    #expect(widget.signals == [.kill])
    #expect(world.runs.count == 2)
  }

  @Test func `the body has the size that viewWillAppear states`() throws {
    let world = try EngineWorld(
      [
        "viewWillAppear": "{}",
        "widgetMarginInsets": #"{"top":0,"left":4,"bottom":0,"right":3}"#,
      ],
      first: #","view":\#(stack(3))"#
    )
    let widget = try world.open()
    let request = try #require(try widget.messages(ViewWillAppearRequest.self).first)
    #expect(request.size == Size(columns: 33, rows: 3))
    #expect(try world.card.bodySize == request.size)
    #expect(!request.animated)
  }

  @Test func `after a restart viewWillAppear states the present size`() throws {
    let world = try EngineWorld(["viewWillAppear": "{}"], first: #","view":\#(stack(3))"#)
    try world.open()
    try world.widget.notify("setView", #"{"view":\#(stack(8))}"#)
    world.pass(.seconds(1))
    world.answers["initialize"] =
      #"{"protocolVersion":1,"implements":["viewWillAppear"]}"#
    try world.widget.crash()
    world.settle()
    let request = try #require(try world.widget.messages(ViewWillAppearRequest.self).first)
    #expect(request.size.rows == 8)
  }

  @Test func `a card that leaves the screen disappears after five seconds`() throws {
    let world = try EngineWorld(["viewWillDisappear": "{}"], first: #","view":"a""#)
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(4.9))
    #expect(!widget.methods.contains("viewWillDisappear"))
    world.pass(.seconds(0.2))
    #expect(widget.methods.contains("viewWillDisappear"))
  }

  @Test func `a card that returns in time does not disappear`() throws {
    let world = try EngineWorld(
      ["viewWillDisappear": "{}", "viewWillAppear": "{}"],
      first: #","view":"a""#
    )
    let widget = try world.open()
    world.center.screen.setVisible([])
    world.pass(.seconds(4))
    world.center.screen.setVisible([EngineWorld.id])
    world.pass(.seconds(10))
    #expect(!widget.methods.contains("viewWillDisappear"))
    #expect(widget.methods.filter { $0 == "viewWillAppear" }.count == 1)
  }

  @Test func `shutdown completes when all widgets have ended`() throws {
    let world = try EngineWorld(["viewWillDisappear": "{}"], first: #","view":"a""#)
    let widget = try world.open()
    var isDone = false
    world.center.shutdown { isDone = true }
    #expect(!isDone)
    world.settle()
    #expect(isDone)
    #expect(widget.methods.suffix(2) == ["viewWillDisappear", "shutdown"])
    #expect(widget.isInputClosed)
    #expect(widget.signals.isEmpty)
  }

  @Test func `shutdown takes two seconds at most`() throws {
    let world = try EngineWorld()
    world.answers = ["initialize": #"{"protocolVersion":1,"implements":["viewWillDisappear"]}"#]
    let widget = try world.open()
    var isDone = false
    world.center.shutdown { isDone = true }
    let start = world.clock.now
    while !isDone, start.duration(to: world.clock.now) < .seconds(5) {
      world.clock.advance(by: .milliseconds(10))
      if widget.signals.contains(.kill) { _ = widget.goOn() }
    }
    #expect(isDone)
    #expect(start.duration(to: world.clock.now) <= .seconds(2))
    #expect(widget.signals.last == .kill)
  }

  @Test func `the last content is shown at the next start, before any widget runs`() throws {
    let first = try EngineWorld(first: #","view":"start""#)
    try first.open()
    try first.widget.notify("setView", #"{"view":"pushed last"}"#)
    first.settle()
    var isDone = false
    first.center.shutdown { isDone = true }
    first.settle()
    #expect(isDone)
    let second = try EngineWorld(first: #","view":"start""#, folder: first.folder)
    second.center.screen.setWidth(40)
    #expect(second.runs.isEmpty)
    #expect(try second.card.state == .snapshot)
    #expect(second.picture == ["pushed last"])
  }

  @Test func `a snapshot from another width is laid out at the present width`() throws {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":"wide"}"#]
    )
    try first.open()
    _ = try first.snapshotFiles()
    let second = try EngineWorld(folder: first.folder)
    for width in [41, 3, 40] {
      second.center.screen.setWidth(width)
      let words = second.picture.joined()
      #expect(width == 3 ? !words.isEmpty : words == "wide")
    }
  }

  @Test func `show more and show less respect the compact height`() throws {
    let world = try EngineWorld(
      hearing: ["widgetActiveDisplayModeDidChange"],
      first: #","view":\#(stack(9)),"largestAvailableDisplayMode":"expanded""#
    )
    try world.open()
    #expect(try world.card.offersExpanded)
    #expect(world.rows == 4)
    world.center.input.toggleDisplayMode(EngineWorld.id)
    world.pass(.seconds(1))
    #expect(world.rows == 9)
    let message = try #require(
      try world.widget.notifications(ActiveDisplayModeDidChangeNotification.self).last
    )
    #expect(message.activeDisplayMode == .expanded)
    #expect(message.maximumSize == Size(columns: 38, rows: 100))
    world.center.input.toggleDisplayMode(EngineWorld.id)
    world.pass(.seconds(1))
    #expect(world.rows == 4)
  }

  @Test(arguments: [("{\"height\":10000}", 100), ("{\"height\":0}", 0), ("null", 3)])
  func `a requested height is granted within limits`(wish: String, rows: Int) throws {
    let world = try EngineWorld(
      first: #","view":\#(stack(3)),"preferredContentSize":\#(wish)"#
    )
    try world.open()
    #expect(world.rows == rows)
  }
}
