import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages

/// The display modes that a widget offers and the user selects, and what the widget is told.
@Suite struct DisplayModeTests {
  private func world(_ folder: BundleFolder? = nil, offers: Bool = true) throws -> EngineWorld {
    try EngineWorld(
      ["performAction": "{}", "viewWillTransitionToSize": "{}"],
      hearing: ["widgetActiveDisplayModeDidChange", "transitionDidComplete"],
      first: #","view":\#(stack(10))"#
        + (offers ? #","largestAvailableDisplayMode":"expanded""# : ""),
      folder: folder
    )
  }

  private func told(_ world: EngineWorld) throws -> [ActiveDisplayModeDidChangeNotification] {
    try world.widget.notifications(ActiveDisplayModeDidChangeNotification.self)
  }

  private func offer(_ mode: String, in world: EngineWorld) throws {
    try world.widget.notify("setLargestAvailableDisplayMode", #"{"mode":"\#(mode)"}"#)
  }

  private let compact = ActiveDisplayModeDidChangeNotification(
    activeDisplayMode: .compact,
    maximumSize: Size(columns: 38, rows: 4)
  )

  @Test func `a widget that offers expanded is told that compact has four rows`() throws {
    let world = try world()
    try world.open()
    #expect(world.rows == 4)
    #expect(try told(world) == [compact])
  }

  @Test func `an expanded card collapses with a transition when expanded is no longer offered`()
    throws
  {
    let world = try world()
    try world.open()
    world.pass(.seconds(5))
    world.center.input.toggleDisplayMode(EngineWorld.id)
    world.pass(.milliseconds(500))
    #expect(world.rows == 10)
    let before = try told(world).count
    try offer("compact", in: world)
    let heights = world.heights()
    #expect(heights == heights.sorted().reversed())
    #expect(Set(heights).count > 3)
    #expect(heights.last == 4)
    #expect(try told(world).dropFirst(before) == [compact])
    #expect(try world.card.offersExpanded == false)
    let last = try #require(try world.widget.messages(ViewWillTransitionToSizeRequest.self).last)
    #expect(last.animated)
    #expect(last.size.rows == 4)
    // What it shows then is as high as it wants to be, as on any card that offers no more.
    try world.widget.notify("setView", #"{"view":\#(stack(6))}"#)
    world.pass(.seconds(3))
    #expect(world.rows == 6)
  }

  @Test func `a card that is shown alone is expanded, and then as the user has chosen`() throws {
    let world = try world()
    try world.open()
    world.pass(.seconds(5))
    var alone = CardWidths(40)
    alone.zoom = CardZoom(card: EngineWorld.id, rows: 30)
    world.center.screen.setWidths(alone)
    world.settle()
    #expect(try world.card.displayMode == .expanded && world.card.chosenMode == nil)
    let expanded = try #require(try told(world).last)
    #expect(expanded.activeDisplayMode == .expanded && expanded.maximumSize.rows >= 30)
    world.center.screen.setWidths(CardWidths(40))
    world.settle()
    #expect(try world.card.displayMode == .compact && world.rows == 4)
    #expect(try told(world).last == compact)
    // What is chosen while it is alone stays chosen.
    world.center.screen.setWidths(alone)
    world.settle()
    world.center.input.toggleDisplayMode(EngineWorld.id)
    world.settle()
    #expect(try world.card.displayMode == .compact)
    world.center.input.toggleDisplayMode(EngineWorld.id)
    world.settle()
    world.center.screen.setWidths(CardWidths(40))
    world.settle()
    #expect(try world.card.displayMode == .expanded && world.card.chosenMode == .expanded)
    #expect(world.rows == 10)
  }

  private func widths(_ growth: CardGrowth) -> CardWidths {
    var widths = CardWidths(40)
    widths.growth[EngineWorld.id] = growth
    return widths
  }

  @Test func `a card that the page expands is told so as by its user, which is not a choice`()
    throws
  {
    let world = try world()
    try world.open()
    world.pass(.seconds(5))
    world.center.screen.setWidths(widths(.asked))
    world.pass(.milliseconds(50))
    // It is as low as before until its widget has answered.
    #expect(try world.rows == 4 && world.card.displayMode == .compact)
    #expect(try world.card.expandedRows == nil)
    let expanded = try #require(try told(world).last)
    #expect(expanded.activeDisplayMode == .expanded && expanded.maximumSize.rows > 4)
    try world.widget.notify("setView", #"{"view":\#(stack(12))}"#)
    world.pass(.milliseconds(50))
    #expect(try world.rows == 4 && world.card.expandedRows == 12)
    world.center.screen.setWidths(widths(.grown))
    world.pass(.seconds(1))
    #expect(try world.rows == 12 && world.card.displayMode == .expanded)
    #expect(try world.card.chosenMode == nil)
    world.center.screen.setWidths(CardWidths(40))
    world.pass(.seconds(1))
    #expect(try world.rows == 4 && world.card.displayMode == .compact)
    #expect(try told(world).last == compact && world.card.expandedRows == 12)
  }

  @Test func `a widget whose view is the same in both forms is expanded without an answer`()
    throws
  {
    let world = try world()
    try world.open()
    world.pass(.seconds(5))
    world.center.screen.setWidths(widths(.asked))
    world.pass(.seconds(1))
    #expect(try world.rows == 4 && world.card.expandedRows == 10)
  }

  @Test func `a widget that is asked before it runs answers with its first view`() throws {
    let first = try world()
    try first.open()
    first.pass(.seconds(5))
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try world(first.folder)
    second.center.screen.setWidths(widths(.asked))
    second.center.screen.setVisible([EngineWorld.id])
    second.center.start()
    second.settle()
    second.pass(.seconds(1))
    #expect(try second.rows == 4 && second.card.expandedRows == 10)
  }

  @Test func `what the user has chosen, also the compact form, is kept over a restart`() throws {
    let first = try world()
    try first.open()
    first.pass(.seconds(5))
    first.center.screen.setWidths(widths(.asked))
    first.pass(.seconds(1))
    first.center.screen.setWidths(widths(.grown))
    first.pass(.seconds(1))
    #expect(try first.rows == 10 && first.card.chosenMode == nil)
    first.center.input.toggleDisplayMode(EngineWorld.id)
    first.pass(.seconds(2))
    #expect(try first.rows == 4 && first.card.chosenMode == .compact)
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try world(first.folder)
    try second.open()
    second.center.screen.setWidths(widths(.grown))
    second.pass(.seconds(2))
    #expect(try second.rows == 4 && second.card.displayMode == .compact)
    #expect(try second.card.chosenMode == .compact)
  }

  @Test func `after the expanded form the key leaves it to the page, also over a restart`() throws {
    let first = try world()
    try first.open()
    first.pass(.seconds(5))
    func press(_ world: EngineWorld) {
      world.center.input.toggleDisplayMode(EngineWorld.id)
      world.pass(.seconds(1))
    }
    first.center.screen.setWidths(widths(.asked))
    first.pass(.seconds(1))
    first.center.screen.setWidths(widths(.grown))
    first.pass(.seconds(1))
    press(first)
    #expect(try first.card.chosenMode == .compact && first.rows == 4)
    press(first)
    #expect(try first.card.chosenMode == .expanded && first.rows == 10)
    let before = try told(first).count
    press(first)
    // The page has room: nothing moves, and the widget has nothing to hear.
    #expect(try first.card.chosenMode == nil && first.rows == 10)
    #expect(try told(first).count == before)
    #expect(first.center.notices.current?.string.contains("automatic size") == true)
    first.center.screen.setWidths(CardWidths(40))
    first.pass(.seconds(1))
    #expect(try first.rows == 4 && told(first).last == compact)
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try world(first.folder)
    try second.open()
    second.pass(.seconds(2))
    #expect(try second.card.chosenMode == nil && second.rows == 4)
    second.center.screen.setWidths(widths(.grown))
    second.pass(.seconds(2))
    #expect(second.rows == 10)
  }

  @Test func `a form that was chosen is left to the page by name, and only one that was`() throws {
    let world = try world()
    try world.open()
    world.pass(.seconds(5))
    world.center.input.leaveDisplayMode(EngineWorld.id)
    #expect(world.center.notices.current == nil)
    world.center.input.toggleDisplayMode(EngineWorld.id)
    world.pass(.seconds(1))
    #expect(try world.card.chosenMode == .expanded)
    #expect(world.center.edits.placedCards.map(\.hasChosenForm) == [true])
    world.center.input.leaveDisplayMode(EngineWorld.id)
    world.pass(.seconds(1))
    #expect(try world.card.chosenMode == nil && world.rows == 4)
    #expect(world.center.edits.placedCards.map(\.hasChosenForm) == [false])
  }

  @Test func `how high the expanded form was is known at the next start, before the widget runs`()
    throws
  {
    let first = try world()
    try first.open()
    first.pass(.seconds(5))
    first.center.screen.setWidths(widths(.asked))
    first.pass(.milliseconds(50))
    try first.widget.notify("setView", #"{"view":\#(stack(12))}"#)
    first.center.screen.setWidths(widths(.grown))
    first.pass(.seconds(2))
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try world(first.folder)
    // Its clock is behind that of the first program.
    second.pass(.seconds(60))
    second.center.screen.setWidths(CardWidths(40))
    let card = try second.card
    #expect(card.chosenMode == nil && card.expandedRows == 12 && card.displayMode == .compact)
    second.center.screen.setWidths(widths(.grown))
    #expect(second.rows == 12)
  }

  @Test func `a card that is alone keeps what was chosen on another page until it is not`() throws {
    let world = try world()
    try world.open()
    world.pass(.seconds(5))
    var alone = CardWidths(40)
    alone.zoom = CardZoom(card: EngineWorld.id, rows: 30)
    world.center.screen.setWidths(alone)
    world.settle()
    let card = try #require(world.center.page[EngineWorld.id])
    card.send(.form(.expanded))
    card.send(.form(.compact))
    #expect(try world.card.displayMode == .expanded && world.card.chosenMode == .compact)
    card.send(.form(.expanded))
    world.center.screen.setWidths(CardWidths(40))
    world.settle()
    #expect(try world.card.displayMode == .expanded && world.rows == 10)
  }

  @Test(arguments: [("compact", "expanded", true), ("expanded", "compact", false)])
  func `a mode that changes back within a frame has no effect`(
    first: String,
    second: String,
    offers: Bool
  ) throws {
    let world = try world(offers: offers)
    try world.open()
    world.pass(.seconds(5))
    if offers { world.center.input.toggleDisplayMode(EngineWorld.id) }
    world.pass(.seconds(5))
    let (rows, before) = (world.rows, try told(world).count)
    let transitions = try world.widget.messages(ViewWillTransitionToSizeRequest.self).count
    try offer(first, in: world)
    try offer(second, in: world)
    #expect(Set(world.heights()) == [rows])
    #expect(try told(world).count == before)
    #expect(
      try world.widget.messages(ViewWillTransitionToSizeRequest.self).count == transitions
    )
  }

  @Test(arguments: [(false, DisplayMode.compact, 4), (true, .expanded, 100)])
  func `the next start is told the size of the mode in force`(
    expands: Bool,
    mode: DisplayMode,
    rows: Int
  ) throws {
    let first = try world()
    try first.open()
    if expands { first.center.input.toggleDisplayMode(EngineWorld.id) }
    first.pass(.seconds(2))
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try world(first.folder)
    try second.open()
    let request = try #require(try second.widget.messages(InitializeRequest.self).first)
    #expect(request.activeDisplayMode == mode)
    #expect(request.maximumSize == Size(columns: 38, rows: rows))
  }
}
