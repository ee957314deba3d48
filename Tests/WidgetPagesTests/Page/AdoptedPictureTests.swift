import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// What a page shows and stores that has taken over the picture, or the form, of another page.
@Suite struct AdoptedPictureTests {
  /// Two pages on one disk with one clock; the first follows the second.
  private func pages(
    first view: String,
    answersOfFirst: [String: String] = [:]
  ) async throws -> (first: EngineWorld, second: EngineWorld) {
    let first = try EngineWorld(answersOfFirst, first: view)
    try first.open()
    await eventually("a watch for this user") {
      first.pass(.milliseconds(100))
      return first.center.follower.isFollowing
    }
    let second = try EngineWorld(first: view, folder: first.folder) {
      $0.clock = first.clock
    }
    try second.open(innerWidth: 80)
    return (first, second)
  }

  private func adopt(
    _ rows: Int,
    _ pages: (first: EngineWorld, second: EngineWorld)
  ) async throws {
    try pages.second.widget.notify("setView", #"{"view":\#(stack(rows, "other"))}"#)
    await eventually("the other's picture") {
      pages.first.pass(.milliseconds(100))
      pages.second.settle()
      return pages.first.picture.first == "other 1"
    }
  }

  private func kept(_ world: EngineWorld) throws -> Snapshot {
    let key = try #require(world.center.page.controllers.first).state.display.snapshotKey
    world.center.store.drain()
    let store = SnapshotStore(folder: world.center.folders.snapshots)
    return try #require(store.snapshot(for: key))
  }

  @Test func `a view alongside a transition does not replace the picture of another page`()
    async throws
  {
    let pages = try await pages(
      first: #","view":\#(stack(2))"#,
      answersOfFirst: ["viewWillTransitionToSize": #"{"alongside":\#(stack(7, "own"))}"#]
    )
    pages.first.pass(.seconds(5))
    try await adopt(5, pages)
    pages.first.pass(.seconds(2))
    #expect(try pages.first.widget.methods.contains("viewWillTransitionToSize"))
    #expect(pages.first.picture.first == "other 1")
    #expect(pages.first.rows == 5)
    // Nor does it spread when the page ends.
    pages.first.center.shutdown {}
    pages.first.pass(.seconds(3))
    #expect("\(try kept(pages.first).view)".contains("other 5"))
  }

  @Test func `a height of one's own widget does not concern the picture of another page`()
    async throws
  {
    let pages = try await pages(first: #","view":\#(stack(2))"#)
    pages.first.pass(.seconds(5))
    try await adopt(5, pages)
    try pages.first.widget.notify("setPreferredContentSize", #"{"height":9}"#)
    pages.first.pass(.seconds(3))
    #expect(pages.first.rows == 5)
    #expect(try kept(pages.first).preferredHeight == nil)
    // It holds with the next view of its own.
    try pages.first.widget.notify("setView", #"{"view":\#(stack(3, "own"))}"#)
    pages.first.pass(.seconds(3))
    #expect(pages.first.picture.first == "own 1")
    #expect(pages.first.rows == 9)
  }

  @Test func `the height of another page's picture goes with it`() async throws {
    let pages = try await pages(
      first: #","view":\#(stack(2)),"preferredContentSize":{"height":4}"#
    )
    pages.first.pass(.seconds(5))
    try pages.second.widget.notify("setPreferredContentSize", #"{"height":8}"#)
    try await adopt(5, pages)
    pages.first.pass(.seconds(2))
    #expect(pages.first.rows == 8)
    try pages.first.widget.notify("setView", #"{"view":\#(stack(3, "own"))}"#)
    pages.first.pass(.seconds(3))
    #expect(pages.first.rows == 4)
  }

  // MARK: - The form

  private static let expandable =
    #","view":\#(stack(10)),"largestAvailableDisplayMode":"expanded""#

  /// The form in which a page that is opened now shows the card.
  private func next(_ world: EngineWorld) throws -> DisplayMode {
    let next = try EngineWorld(folder: world.folder) { $0.clock = world.clock }
    next.center.load()
    return try next.card.displayMode
  }

  @Test func `an open page follows the form that the user chooses on another`() async throws {
    let pages = try await pages(first: Self.expandable)
    #expect(pages.first.rows == 4)
    pages.second.center.input.toggleDisplayMode(EngineWorld.id)
    await eventually("the expanded form") {
      pages.first.pass(.milliseconds(100))
      return pages.first.rows == 10
    }
    #expect(try next(pages.first) == .expanded)
    // And back, from the other side.
    await eventually("a watch for this user") {
      pages.second.pass(.milliseconds(100))
      return pages.second.center.follower.isFollowing
    }
    pages.first.center.input.toggleDisplayMode(EngineWorld.id)
    try await eventually("the compact form") {
      pages.second.pass(.milliseconds(100))
      return try pages.second.card.displayMode == .compact
    }
    #expect(try next(pages.first) == .compact)
  }

  @Test func `a card that its widget has made compact keeps the form that the user chose`()
    async throws
  {
    let pages = try await pages(first: Self.expandable)
    pages.second.center.input.toggleDisplayMode(EngineWorld.id)
    await eventually("the expanded form") {
      pages.first.pass(.milliseconds(100))
      return pages.first.rows == 10
    }
    pages.first.pass(.seconds(3))
    try pages.first.widget.notify("setLargestAvailableDisplayMode", #"{"mode":"compact"}"#)
    pages.first.pass(.seconds(3))
    #expect(try pages.first.card.displayMode == .compact)
    pages.first.center.shutdown {}
    pages.first.pass(.seconds(3))
    // The other page is as it was, and so is what it keeps.
    await eventually("what the other has kept is read") {
      pages.second.pass(.milliseconds(100))
      return pages.second.center.follower.isFollowing
    }
    pages.second.pass(.seconds(2))
    #expect(try pages.second.card.displayMode == .expanded)
    pages.second.center.shutdown {}
    pages.second.pass(.seconds(3))
    // At the next start the widget offers it again.
    let next = try EngineWorld(first: Self.expandable, folder: pages.first.folder) {
      $0.clock = pages.first.clock
    }
    try next.open()
    next.pass(.seconds(5))
    #expect(try next.card.displayMode == .expanded)
    #expect(next.rows == 10)
  }

  @Test func `a page that ends leaves the form that was chosen elsewhere since`() async throws {
    let pages = try await pages(first: Self.expandable)
    pages.second.center.input.toggleDisplayMode(EngineWorld.id)
    // It has not heard of it yet.
    #expect(try pages.first.card.displayMode == .compact)
    pages.first.center.shutdown {}
    pages.first.pass(.seconds(3))
    #expect(try next(pages.first) == .expanded)
    pages.second.center.input.toggleDisplayMode(EngineWorld.id)
    pages.second.center.shutdown {}
    pages.second.pass(.seconds(3))
    #expect(try next(pages.first) == .compact)
  }
}
