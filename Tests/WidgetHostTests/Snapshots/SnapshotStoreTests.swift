import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetHost

@Suite struct SnapshotStoreTests {
  private let folder: BundleFolder
  private let store: SnapshotStore

  init() throws {
    folder = try BundleFolder()
    store = SnapshotStore(folder: "\(folder.path)/snapshots")
  }

  private func key(width: Int = 36) -> Snapshot.Key {
    Snapshot.Key(
      bundleIdentifier: "com.example.A",
      instance: nil,
      width: width,
      displayMode: .compact,
      locale: "en_GB"
    )
  }

  private func snapshot(_ key: Snapshot.Key) -> Snapshot {
    Snapshot(
      key: key,
      date: Date(timeIntervalSince1970: 1_800_000_000),
      view: .words("kept"),
      preferredHeight: 3,
      rows: 3
    )
  }

  private func file() throws -> String {
    let root = "\(folder.path)/snapshots"
    let names = try FileManager.default.subpathsOfDirectory(atPath: root)
    return "\(root)/\(try #require(names.first { $0.hasSuffix(".json") }))"
  }

  @Test func `what was kept is found under the same key`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let found = try #require(store.snapshot(for: key()))
    #expect(found.view == .words("kept"))
    #expect(found.preferredHeight == 3)
    #expect(found.rows == 3)
    #expect(found.date == Date(timeIntervalSince1970: 1_800_000_000))
  }

  @Test func `of many the last one holds`() throws {
    for number in 0..<20 {
      var next = snapshot(key())
      next.view = .words("number \(number)")
      store.keep(next)
    }
    store.drain()
    #expect(store.snapshot(for: key())?.view == .words("number 19"))
  }

  @Test func `every part of the key counts`() throws {
    store.keep(snapshot(key()))
    store.drain()
    var keys = [key(width: 37), key(), key(), key(), key(), key()]
    keys[1].locale = "de_DE"
    keys[2].displayMode = .expanded
    keys[3].instance = "2"
    keys[4].bundleIdentifier = "com.example.B"
    keys[5].protocolVersion += 1
    for key in keys { #expect(store.snapshot(for: key) == nil, "\(key)") }
  }

  @Test func `a file cut off anywhere is as good as none`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    for count in 0..<bytes.count {
      try Data(bytes[..<count]).write(to: URL(filePath: path))
      #expect(store.snapshot(for: key()) == nil, "\(count) bytes")
    }
  }

  @Test(arguments: [
    "", "null", "[]", "{}", "{\"key\":{}}", "\u{0}\u{1}\u{2}",
    String(repeating: "[", count: 100_000), String(repeating: " ", count: 600_000),
  ])
  func `a foreign file is as good as none`(text: String) throws {
    store.keep(snapshot(key()))
    store.drain()
    try Data(text.utf8).write(to: URL(filePath: try file()))
    #expect(store.snapshot(for: key()) == nil)
  }

  @Test func `another widget's file in its place is as good as none`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let foreign = text.replacing("com.example.A", with: "com.example.B")
    try Data(foreign.utf8).write(to: URL(filePath: path))
    #expect(store.snapshot(for: key()) == nil)
  }

  @Test(arguments: [-1, 10_001])
  func `a height that no body has is as good as none`(rows: Int) {
    var odd = snapshot(key())
    odd.rows = rows
    store.keep(odd)
    store.drain()
    #expect(store.snapshot(for: key()) == nil)
  }

  @Test func `a larger file than a view may be is as good as none`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let bytes = try Data(contentsOf: URL(filePath: path))
    try (bytes + Data(repeating: 0x20, count: 513 * 1024)).write(to: URL(filePath: path))
    #expect(store.snapshot(for: key()) == nil)
  }
}
