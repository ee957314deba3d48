import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages

@Suite struct TransitionTests {
  /// A live card of three rows that implements transitions.
  private func world(alongside: String? = "{}", animates: Bool = true) throws -> EngineWorld {
    var answers = ["performAction": "{}"]
    answers["viewWillTransitionToSize"] = alongside
    let world = try EngineWorld(
      answers,
      hearing: ["transitionDidComplete"] + (alongside == nil ? ["viewWillTransitionToSize"] : []),
      first: #","view":\#(stack(3))"#
    ) { $0.animates = animates }
    try world.open()
    world.pass(.seconds(5))
    return world
  }

  private func grow(_ world: EngineWorld, to rows: Int) throws {
    try world.widget.notify("setView", #"{"view":\#(stack(rows))}"#)
    world.settle()
  }

  private func completions(_ world: EngineWorld) throws -> [TransitionDidCompleteNotification] {
    try world.widget.notifications(TransitionDidCompleteNotification.self)
  }

  @Test func `the first layout is not a transition`() throws {
    let world = try world()
    #expect(world.rows == 3)
    #expect(!(try world.widget.methods.contains("viewWillTransitionToSize")))
    #expect(!world.center.drawing.isAnimating)
  }

  @Test(arguments: [(4, "four"), (9, "nine"), (1, "one"), (60, "sixty")])
  func `a card goes to its new height without a step back and ends exactly`(
    rows: Int,
    name: String
  ) throws {
    let world = try world()
    try grow(world, to: rows)
    let heights = world.heights()
    #expect(heights.first == 3)
    #expect(heights.last == rows)
    #expect(heights == (rows > 3 ? heights.sorted() : heights.sorted().reversed()))
    #expect(!world.center.drawing.isAnimating)
  }

  @Test func `a resize takes a quarter of a second, slow at both ends`() throws {
    let world = try world()
    try grow(world, to: 43)
    #expect(world.center.drawing.isAnimating)
    world.pass(.milliseconds(125))
    #expect(world.rows == 23)
    world.pass(.milliseconds(100))
    #expect(world.rows >= 40)
    #expect(world.rows < 43)
    world.pass(.milliseconds(25))
    #expect(world.rows == 43)
    #expect(!world.center.drawing.isAnimating)
  }

  @Test func `the widget is told about a transition and its completion`() throws {
    let world = try world()
    try grow(world, to: 9)
    let request = try #require(
      try world.widget.messages(ViewWillTransitionToSizeRequest.self).first
    )
    #expect(request.size == Size(columns: 38, rows: 9))
    #expect(request.duration == 0.25)
    #expect(request.animated)
    world.pass(.milliseconds(240))
    #expect(try completions(world).isEmpty)
    world.pass(.milliseconds(20))
    world.pass(.seconds(10))
    #expect(
      try completions(world) == [.init(transition: request.transition, finished: true)]
    )
  }

  @Test func `the same height starts no transition`() throws {
    let world = try world()
    for _ in 0..<3 {
      try world.widget.notify("setPreferredContentSize", #"{"height":3}"#)
      try world.widget.notify("setView", #"{"view":\#(stack(3, "other"))}"#)
      world.pass(.seconds(2))
    }
    #expect(!(try world.widget.methods.contains("viewWillTransitionToSize")))
    #expect(world.picture == ["other 1", "other 2", "other 3"])
  }

  @Test func `a transition waits up to 100 ms for the view to animate to`() throws {
    let world = try world(alongside: nil)
    try grow(world, to: 9)
    world.pass(.milliseconds(90))
    #expect(world.rows == 3)
    #expect(!world.center.drawing.isAnimating)
    try world.widget.answer(
      "viewWillTransitionToSize",
      #"{"alongside":\#(stack(9, "end"))}"#
    )
    world.settle()
    #expect(world.center.drawing.isAnimating)
    #expect(world.picture.first == "end 1")
    world.pass(.milliseconds(250))
    #expect(world.rows == 9)
  }

  @Test func `an answer after 100 ms delays nothing and is shown when it arrives`() throws {
    let world = try world(alongside: nil)
    try grow(world, to: 9)
    world.pass(.milliseconds(110))
    #expect(world.center.drawing.isAnimating)
    world.pass(.milliseconds(260))
    #expect(world.rows == 9)
    #expect(try completions(world).count == 1)
    #expect(world.picture.first == "row 1")
    try world.widget.answer("viewWillTransitionToSize", #"{"alongside":\#(stack(9, "end"))}"#)
    world.settle()
    #expect(world.picture.first == "end 1")
    #expect(try completions(world).count == 1)
    #expect(!world.center.drawing.isAnimating)
  }

  @Test func `a second press during the animation reverses it from the present height`() throws {
    let world = try world()
    world.press("more")
    try grow(world, to: 43)
    world.pass(.milliseconds(130))
    let midway = world.rows
    #expect((10...40).contains(midway))
    world.press("less")
    try grow(world, to: 3)
    let heights = world.heights()
    #expect(heights.first == midway)
    #expect(heights == heights.sorted().reversed())
    #expect(heights.last == 3)
    #expect(
      try completions(world) == [
        .init(transition: 1, finished: false), .init(transition: 2, finished: true),
      ]
    )
  }

  @Test func `an answer to an interrupted transition has no effect`() throws {
    let world = try world(alongside: nil)
    world.press("more")
    try grow(world, to: 9)
    world.press("less")
    try grow(world, to: 5)
    try world.widget.say(
      #"{"jsonrpc":"2.0","id":\#(try requestID(world, 0)),"result":{"alongside":"overtaken"}}"#
    )
    world.pass(.seconds(1))
    #expect(world.rows == 5)
    #expect(world.picture.first == "row 1")
  }

  private func requestID(_ world: EngineWorld, _ index: Int) throws -> Int {
    let numbers = try world.widget.received.compactMap { line in
      if case .request(.number(let id), "viewWillTransitionToSize") = line.kind { id } else { nil }
    }
    return try #require(numbers.dropFirst(index).first)
  }

  @Test func `without animation the final picture is shown at once`() throws {
    let animated = try world()
    try grow(animated, to: 9)
    animated.pass(.seconds(1))
    let still = try world(animates: false)
    try grow(still, to: 9)
    #expect(!still.center.drawing.isAnimating)
    #expect(still.rows == 9)
    #expect(still.picture == animated.picture)
    let request = try #require(
      try still.widget.messages(ViewWillTransitionToSizeRequest.self).first
    )
    #expect(!request.animated)
    #expect(request.duration == 0)
    #expect(try completions(still) == [.init(transition: 1, finished: true)])
  }

  @Test func `without animation the answer to a transition is shown`() throws {
    let world = try world(alongside: #"{"alongside":\#(stack(9, "end"))}"#, animates: false)
    try grow(world, to: 9)
    #expect(world.picture.first == "end 1")
    #expect(try completions(world).count == 1)
  }

  @Test func `a card that is not on the screen is not animated`() throws {
    let world = try world()
    world.center.screen.setVisible([])
    world.settle()
    try grow(world, to: 9)
    #expect(world.rows == 9)
    #expect(!world.center.drawing.isAnimating)
  }

  @Test func `a height changes once a second unless the user acted`() throws {
    let world = try world()
    try grow(world, to: 9)
    world.pass(.milliseconds(300))
    for rows in [5, 7, 12, 6] {
      try grow(world, to: rows)
      world.pass(.milliseconds(50))
    }
    #expect(world.rows == 9)
    #expect(try world.widget.messages(ViewWillTransitionToSizeRequest.self).count == 1)
    world.pass(.seconds(1))
    #expect(world.rows == 6)
    #expect(try world.widget.messages(ViewWillTransitionToSizeRequest.self).count == 2)
  }

  @Test func `after a press a height changes at once`() throws {
    let world = try world()
    try grow(world, to: 9)
    world.pass(.milliseconds(300))
    world.press("less")
    try grow(world, to: 5)
    world.pass(.milliseconds(300))
    #expect(world.rows == 5)
  }

  @Test func `a widget that answers each change with another one is slowed down`() throws {
    let world = try world(alongside: nil)
    var rows = 9
    try grow(world, to: rows)
    for _ in 0..<50 {
      rows = rows == 9 ? 4 : 9
      try world.widget.answer("viewWillTransitionToSize", #"{"alongside":\#(stack(rows))}"#)
      world.pass(.milliseconds(100))
    }
    let count = try world.widget.messages(ViewWillTransitionToSizeRequest.self).count
    #expect(count <= 7)
  }

  @Test func `a height that changes all the time is frozen until a press`() throws {
    let world = try world()
    for count in 0..<140 {
      try grow(world, to: count % 2 == 0 ? 9 : 4)
      world.pass(.milliseconds(50))
    }
    let told = try world.widget.messages(ViewWillTransitionToSizeRequest.self).count
    let rows = world.rows
    #expect(
      world.center.notices.current?.string.contains("the height changes all the time") == true
    )
    try grow(world, to: 20)
    world.pass(.seconds(5))
    #expect(world.rows == rows)
    #expect(try world.widget.messages(ViewWillTransitionToSizeRequest.self).count == told)
    #expect(try world.card.hiddenRows == 20 - rows)
    world.press("more")
    world.pass(.seconds(1))
    #expect(world.rows == 20)
    #expect(try world.card.hiddenRows == 0)
  }

  @Test func `the next start may change the height again`() throws {
    let world = try world()
    for count in 0..<140 {
      try grow(world, to: count % 2 == 0 ? 9 : 4)
      world.pass(.milliseconds(50))
    }
    try world.widget.crash()
    world.pass(.seconds(3))
    try grow(world, to: 20)
    world.pass(.seconds(2))
    #expect(world.rows == 20)
  }

  @Test func `a new width ends a transition, which has not finished`() throws {
    let world = try world()
    try grow(world, to: 40)
    world.pass(.milliseconds(100))
    #expect(world.center.drawing.isAnimating)
    world.center.screen.setWidth(30)
    world.settle()
    #expect(!world.center.drawing.isAnimating)
    #expect(world.rows == 40)
    world.pass(.seconds(2))
    #expect(try completions(world).map(\.finished) == [false, true])
  }

  @Test func `a crash during a transition ends the animation`() throws {
    let world = try world()
    try grow(world, to: 40)
    world.pass(.milliseconds(100))
    try world.widget.crash()
    #expect(!world.center.drawing.isAnimating)
    #expect(world.rows == 40)
  }

  @Test func `a new width is laid out at once, also twice within a second`() throws {
    let world = try world()
    try world.widget.notify("setView", #"{"view":"one two three four five six seven eight"}"#)
    world.pass(.seconds(5))
    for (width, rows) in [(12, 5), (22, 2), (12, 5), (80, 1)] {
      world.center.screen.setWidth(width)
      world.settle()
      #expect(world.rows == rows, "at \(width)")
      #expect(!world.center.drawing.isAnimating)
    }
    let last = try #require(try world.widget.messages(ViewWillTransitionToSizeRequest.self).last)
    #expect(last.size == Size(columns: 78, rows: 1))
    #expect(!last.animated)
  }

  @Test func `the widget is told about a new width also if the height is the same`() throws {
    let world = try world()
    world.center.screen.setWidth(60)
    world.settle()
    let last = try #require(try world.widget.messages(ViewWillTransitionToSizeRequest.self).last)
    #expect(last.size == Size(columns: 58, rows: 3))
  }
}
