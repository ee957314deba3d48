import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import EngineTestSupport
@testable import PageRecords
@testable import WidgetCards
@testable import WidgetPages
@testable import WidgetPlatform

/// What the user opens in the view of a card, and finds open at the next start.
@Suite struct KeptFoldsTests {
  private static let fold =
    #","view":{"type":"fold","id":"f","label":"Details","children":["inside"]}"#
  private static let list = """
    ,"view":{"type":"list","id":"l","minimumVisibleRowCount":1,"rows":[{"id":"a","view":"row a"},\
    {"id":"b","view":"row b"},{"id":"c","view":"row c"}]}
    """

  private func open(_ view: String, _ folder: BundleFolder? = nil) throws -> EngineWorld {
    let world = try EngineWorld(first: view, folder: folder)
    try world.open()
    return world
  }

  private func press(in world: EngineWorld, where isMeant: (PressRole) -> Bool) throws {
    let body = try #require(world.center.drawing.body(of: EngineWorld.id, at: world.clock.now))
    let target = try #require((body.to ?? body.from).targets.first { isMeant($0.role) })
    world.center.input.press(target, on: EngineWorld.id)
    world.pass(.seconds(1))
  }

  private func pressFold(in world: EngineWorld) throws {
    try press(in: world) { if case .fold = $0 { true } else { false } }
  }

  private func pressMore(in world: EngineWorld) throws {
    try press(in: world) { if case .more = $0 { true } else { false } }
  }

  private func shows(_ words: String, _ world: EngineWorld) -> Bool {
    world.picture.contains { $0.contains(words) }
  }

  private func end(_ world: EngineWorld) {
    world.center.shutdown {}
    world.pass(.seconds(3))
    Worker.writing.drain()
  }

  private func record(_ world: EngineWorld) -> FoldRecord {
    Worker.writing.drain()
    return StoredFolds(world.center.folders).read(EngineWorld.id)
  }

  @Test func `a fold stays open at the next start, and closed when it was closed again`() throws {
    let first = try open(Self.fold)
    #expect(!shows("inside", first))
    try pressFold(in: first)
    #expect(shows("inside", first))
    end(first)
    let second = try open(Self.fold, first.folder)
    #expect(shows("inside", second))
    try pressFold(in: second)
    end(second)
    #expect(!shows("inside", try open(Self.fold, first.folder)))
  }

  @Test func `the stored picture of the next start shows the fold open too`() throws {
    let first = try open(Self.fold)
    try first.widget.notify("setView", #"{"view":\#(Self.fold.dropFirst(8))}"#)
    try pressFold(in: first)
    end(first)
    let second = try EngineWorld(folder: first.folder)
    second.center.load()
    second.center.screen.setWidth(40)
    #expect(shows("inside", second))
  }

  @Test func `all rows of a list are shown at the next start, until fewer are`() throws {
    let first = try open(Self.list)
    #expect(!shows("row c", first))
    try pressMore(in: first)
    #expect(shows("row c", first))
    end(first)
    let second = try open(Self.list, first.folder)
    #expect(shows("row c", second))
    try pressMore(in: second)
    end(second)
    #expect(record(second) == FoldRecord())
    #expect(!shows("row c", try open(Self.list, first.folder)))
  }

  @Test func `two pages do not destroy what the other has kept`() throws {
    let two =
      #","view":{"type":"vstack","children":[\#(Self.fold.dropFirst(8)),\#(Self.list.dropFirst(8))]}"#
    let first = try open(two)
    let second = try open(two, first.folder)
    try pressFold(in: first)
    try pressMore(in: second)
    #expect(record(first).folds["f"]?.isOpen == true)
    #expect(record(first).lists["l"]?.isOpen == true)
    end(first)
    end(second)
    let third = try open(two, first.folder)
    #expect(shows("inside", third))
    #expect(shows("row c", third))
  }

  @Test func `a file that is none, or a folder in its place, opens nothing`() throws {
    for isFolder in [false, true] {
      let folder = try BundleFolder()
      let world = try EngineWorld(first: Self.fold, folder: folder)
      let path = "\(world.center.folders.folds)/\(EngineWorld.id.fileName).json"
      try FileManager.default.createDirectory(
        atPath: isFolder ? path : world.center.folders.folds,
        withIntermediateDirectories: true
      )
      if !isFolder { try Data("{\"folds\":[1e999]}".utf8).write(to: URL(filePath: path)) }
      try world.open()
      #expect(!shows("inside", world))
      try pressFold(in: world)
      #expect(shows("inside", world))
      end(world)
    }
  }

  @Test func `what is in no view for long is dropped, and so are the oldest of too many`() {
    var record = FoldRecord()
    record.folds["old"] = FoldRecord.Part(isOpen: true, day: 100)
    record.folds["future"] = FoldRecord.Part(isOpen: true, day: .max)
    record.folds["broken"] = FoldRecord.Part(isOpen: true, day: .min)
    record.folds[String(repeating: "x", count: 300)] = FoldRecord.Part(isOpen: true, day: 200)
    for number in 0..<80 {
      record.lists["\(number)"] = FoldRecord.Part(isOpen: true, day: 120 + number)
    }
    record.limit(today: 200)
    #expect(record.folds == ["future": FoldRecord.Part(isOpen: true, day: 200)])
    #expect(record.lists.count == FoldRecord.dayLimit)
    record.lists = [:]
    for number in 0..<80 {
      record.lists["\(number)"] = FoldRecord.Part(isOpen: true, day: 150 + number / 2)
    }
    record.limit(today: 200)
    #expect(record.lists.count == FoldRecord.countLimit)
    #expect(record.lists["79"] != nil)
    #expect(record.lists["0"] == nil)
  }

  @Test func `what was kept is erased with the bundle`() throws {
    let world = try open(Self.fold)
    try pressFold(in: world)
    #expect(record(world) != FoldRecord())
    OrphanedState.erase(EngineWorld.id, from: world.center.folders)
    #expect(record(world) == FoldRecord())
  }
}
