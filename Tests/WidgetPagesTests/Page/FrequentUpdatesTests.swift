import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform

/// Widgets that are updated each second: their results are written together, and other hosts still get
/// the newest at once.
@Suite(.timeLimit(.minutes(2))) struct FrequentUpdatesTests {
  /// A page whose widget counts its updates, one each second.
  private func world(beside first: EngineWorld? = nil, innerWidth: Int = 40) throws -> EngineWorld {
    let world = try EngineWorld(
      ["widgetPerformUpdate": Self.answer(0)],
      folder: first?.folder
    ) {
      if let first { $0.clock = first.clock }
      $0.schedule.isDeveloper = true
    }
    try world.open(innerWidth: innerWidth)
    return world
  }

  private static func answer(_ number: Int) -> String { answer("count\(number)", after: 1) }

  private static func answer(_ word: String, after seconds: Int) -> String {
    #"{"result":"newData","view":\#(stack(1, word)),"refreshAfter":\#(seconds)}"#
  }

  /// Lets seconds pass, with another answer in each; returns how many other snapshots were on disk.
  @discardableResult
  private func pass(_ seconds: Int, from start: Int = 1, _ world: EngineWorld) throws -> Int {
    var kept = Set(try world.snapshotFiles().values)
    let before = kept.count
    for number in start..<start + seconds {
      try world.widget.answers["widgetPerformUpdate"] = Self.answer(number)
      world.pass(.seconds(1), step: .milliseconds(100))
      kept.formUnion(try world.snapshotFiles().values)
    }
    return kept.count - before
  }

  private func isLocked(_ world: EngineWorld) -> Bool {
    let locks = RefreshLocks(folder: world.center.folders.locks)
    if case .held = locks.attempt(EngineWorld.id) { return false }
    return true
  }

  private func kept(_ world: EngineWorld) throws -> String {
    try world.snapshotFiles().values.map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  @Test func `results of a second are written every ten seconds, and all are shown`() throws {
    let world = try world()
    let writings = try pass(60, world)
    #expect((4...8).contains(writings), "\(writings)")
    #expect(world.updates.count >= 55)
    #expect(world.picture.first?.hasPrefix("count") == true)
    #expect(isLocked(world))
  }

  @Test func `results that come more rarely are all written`() throws {
    let world = try world()
    try world.widget.answers["widgetPerformUpdate"] = Self.answer("first", after: 6)
    world.pass(.seconds(2), step: .milliseconds(100))
    #expect(try kept(world).contains("first"))
    #expect(!isLocked(world))
    try world.widget.answers["widgetPerformUpdate"] = Self.answer("second", after: 6)
    world.pass(.seconds(7), step: .milliseconds(100))
    #expect(try kept(world).contains("second"))
    #expect(!isLocked(world))
  }

  @Test func `results that a user requests one after the other are written once a second`() throws {
    let world = try EngineWorld(["widgetPerformUpdate": Self.answer("first", after: 3_600)])
    try world.open()
    world.pass(.seconds(5))
    var kept = Set(try world.snapshotFiles().values)
    let before = kept.count
    for number in 1...30 {
      try world.widget.answers["widgetPerformUpdate"] = Self.answer("count\(number)", after: 3_600)
      world.center.updates.refresh(EngineWorld.id)
      world.pass(.milliseconds(100))
      kept.formUnion(try world.snapshotFiles().values)
      // The first one is on the disk at once.
      if number == 1 { #expect(try self.kept(world).contains("count1")) }
    }
    #expect((3...4).contains(kept.count - before), "\(kept.count - before)")
    world.pass(.seconds(1))
    #expect(try self.kept(world).contains("count30"))
    try world.widget.answers["widgetPerformUpdate"] = Self.answer("last", after: 3_600)
    for _ in 0..<2 {
      world.center.updates.refresh(EngineWorld.id)
      world.settle()
    }
    world.center.shutdown {}
    world.pass(.seconds(3))
    #expect(try self.kept(world).contains("last"))
  }

  @Test func `what a program shows is written when it ends`() throws {
    let world = try world()
    try pass(15, world)
    let shown = try #require(world.picture.first)
    #expect(!(try kept(world).contains(shown)))
    world.center.shutdown {}
    world.pass(.seconds(3))
    #expect(try kept(world).contains(shown))
    #expect(!isLocked(world))
  }

  @Test func `a program that is suspended has written all, and lets others go on`() throws {
    let world = try world()
    try pass(15, world)
    let shown = try #require(world.picture.first)
    world.center.suspend {}
    world.pass(.seconds(2), step: .milliseconds(100))
    #expect(try kept(world).contains(shown))
    #expect(!isLocked(world))
    world.center.resume()
    try pass(3, from: 100, world)
    #expect(world.picture.first?.hasPrefix("count10") == true)
  }

  @Test func `a card that leaves the screen has its result written`() throws {
    let world = try world()
    try pass(15, world)
    let shown = try #require(world.picture.first)
    world.center.screen.setVisible([])
    world.pass(.milliseconds(200))
    #expect(try kept(world).contains(shown))
    #expect(!isLocked(world))
  }

  @Test(arguments: [38, 98])
  func `another page gets the newest result at once, and both share the updates`(
    width: Int
  ) async throws {
    let first = try world()
    try pass(15, first)
    let shown = try #require(first.picture.first)
    let second = try world(beside: first, innerWidth: width)
    await eventually("the newest result") {
      first.settle()
      second.settle()
      return second.picture.first == shown || second.updates.count > 1
    }
    // Each update is made by one of them, and shown by both.
    let before = first.updates.count + second.updates.count
    for number in 200..<220 {
      for world in [first, second] {
        try world.widget.answers["widgetPerformUpdate"] = Self.answer(number)
      }
      for _ in 0..<10 {
        first.pass(.milliseconds(100))
        second.settle()
        await Task.yield()
      }
      await eventually("result \(number) on both") {
        first.pass(.milliseconds(50))
        second.settle()
        let shown = [first, second].compactMap(\.picture.first)
        return shown.count == 2 && shown.allSatisfy { $0.hasPrefix("count2") }
      }
    }
    let made = first.updates.count + second.updates.count - before
    #expect((12...26).contains(made), "\(made)")
    #expect(try !first.card.isStale && !second.card.isStale)
  }

  @Test func `the lock is not kept while others may want it, and then kept again`() async throws {
    let world = try world()
    try pass(5, world)
    #expect(isLocked(world))
    await eventually("the lock") {
      world.settle()
      return !isLocked(world)
    }
    try pass(25, world)
    #expect(!isLocked(world))
    try pass(12, world)
    #expect(isLocked(world))
  }

  @Test func `locks are not kept where others would not be noticed, or without a limit`() throws {
    let folder = try BundleFolder()
    try Data().write(to: URL(filePath: "\(folder.path)/file"))
    let nowhere = RefreshLocks(folder: "\(folder.path)/file")
    #expect(!nowhere.keep(ExtensionIdentity("com.example.A")) {})
    let locks = RefreshLocks(folder: "\(folder.path)/locks")
    for number in 0..<RefreshLocks.limit {
      #expect(locks.keep(ExtensionIdentity("com.example.A\(number)")) {})
    }
    #expect(!locks.keep(ExtensionIdentity("com.example.B")) {})
    #expect(locks.keep(ExtensionIdentity("com.example.A0")) {}, "it is kept already")
    locks.end(ExtensionIdentity("com.example.A7"))
    #expect(locks.keep(ExtensionIdentity("com.example.B")) {})
  }
}
