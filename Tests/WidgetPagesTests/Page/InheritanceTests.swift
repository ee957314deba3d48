import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetSessions

/// Properties that a process has stated end with it, as the next one may be another program.
@Suite struct InheritanceTests {
  private static let plain = #"{"protocolVersion":1,"implements":[],"view":\#(stack(2, "new"))}"#

  /// Ends the process and starts the next one.
  private func restart(_ world: EngineWorld, _ greeting: String) throws {
    world.answers["initialize"] = greeting
    try world.widget.crash()
    world.pass(.seconds(3), step: .milliseconds(50))
    #expect(world.runs.count == 2)
  }

  @Test("a height that the last process stated does not bind the next one")
  func height() throws {
    let world = try EngineWorld(
      first: #","view":\#(stack(2)),"preferredContentSize":{"height":9}"#
    )
    try world.open()
    #expect(world.rows == 9)
    try restart(world, Self.plain)
    #expect(world.picture.first == "new 1")
    #expect(world.rows == 2)
  }

  @Test(
    "a widget that does not offer the expanded form any more is shown as a whole after a restart"
  )
  func form() throws {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(7))}"#],
      first: #","view":\#(stack(7)),"largestAvailableDisplayMode":"expanded""#
    )
    try first.open()
    #expect(first.rows == 4)
    first.center.input.toggleDisplayMode(EngineWorld.id)
    first.pass(.seconds(2))
    #expect(first.rows == 7)
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try EngineWorld(first: #","view":\#(stack(7))"#, folder: first.folder)
    try second.open()
    second.pass(.seconds(2))
    #expect(try !second.card.offersExpanded)
    #expect(second.rows == 7)
  }

  @Test("a process that sends no view keeps the height of the content")
  func heightOfThePicture() throws {
    let world = try EngineWorld(
      first: #","view":\#(stack(2)),"preferredContentSize":{"height":9}"#
    )
    try world.open()
    try restart(world, #"{"protocolVersion":1,"implements":[]}"#)
    #expect(world.rows == 9)
    // The first view of its own goes by itself, whenever it comes.
    try world.widget.notify("setView", #"{"view":\#(stack(2))}"#)
    world.pass(.seconds(3), step: .milliseconds(50))
    #expect(world.rows == 2)
  }

  @Test("a height that the new process states applies, before its view and with it")
  func newHeight() throws {
    let world = try EngineWorld(
      first: #","view":\#(stack(2)),"preferredContentSize":{"height":9}"#
    )
    try world.open()
    try restart(
      world,
      #"{"protocolVersion":1,"implements":[],"preferredContentSize":{"height":5}}"#
    )
    #expect(world.rows == 5)
    try world.widget.notify("setView", #"{"view":\#(stack(3))}"#)
    world.pass(.seconds(3), step: .milliseconds(50))
    #expect(world.rows == 5)
  }

  @Test("a snapshot has the height of the process that stored it")
  func snapshot() throws {
    let first = try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","view":\#(stack(2))}"#],
      first: #","preferredContentSize":{"height":9}"#
    )
    try first.open()
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try EngineWorld(first: #","view":\#(stack(3))"#, folder: first.folder)
    second.center.screen.setWidth(40)
    #expect(second.rows == 9)
    try second.open()
    second.pass(.seconds(2), step: .milliseconds(50))
    #expect(second.rows == 3)
  }

  @Test("a process that does not offer expanded does not inherit it")
  func displayMode() throws {
    let world = try EngineWorld(
      first: #","view":\#(stack(6)),"largestAvailableDisplayMode":"expanded""#
    )
    try world.open()
    world.center.input.toggleDisplayMode(EngineWorld.id)
    world.pass(.seconds(2), step: .milliseconds(50))
    #expect(try world.card.displayMode == .expanded)
    try restart(world, Self.plain)
    #expect(try !world.card.offersExpanded)
    #expect(try world.card.displayMode == .compact)
  }

  @Test("a process that offers expanded again before its view appears keeps the mode")
  func keptDisplayMode() throws {
    let greeting = #","view":\#(stack(6)),"largestAvailableDisplayMode":"expanded""#
    let world = try EngineWorld(first: greeting)
    try world.open()
    world.center.input.toggleDisplayMode(EngineWorld.id)
    world.pass(.seconds(2), step: .milliseconds(50))
    try restart(world, #"{"protocolVersion":1,"implements":[]\#(greeting)}"#)
    #expect(try world.card.offersExpanded)
    #expect(try world.card.displayMode == .expanded)
    #expect(world.rows == 6)
  }

  @Test("margins of the last process do not apply to one that does not implement margins")
  func margins() throws {
    let world = try EngineWorld(
      ["widgetMarginInsets": #"{"left":3,"right":3,"top":1,"bottom":1}"#],
      first: #","view":\#(stack(2))"#
    )
    try world.open()
    #expect(try world.card.marginInsets.left == 3)
    try restart(world, Self.plain)
    #expect(try world.card.marginInsets == .proposed)
  }
}
