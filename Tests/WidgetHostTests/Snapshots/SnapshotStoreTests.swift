import FoundationEssentials
import Glibc
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

  /// The store of the next start.
  private var next: SnapshotStore { SnapshotStore(folder: "\(folder.path)/snapshots") }

  private func file() throws -> String {
    let root = "\(folder.path)/snapshots"
    let names = try FileManager.default.subpathsOfDirectory(atPath: root)
    return "\(root)/\(try #require(names.first { $0.hasSuffix(".json") }))"
  }

  @Test func `what was kept is found under the same key`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let found = try #require(next.snapshot(for: key()))
    #expect(found.view == .words("kept"))
    #expect(found.preferredHeight == 3)
    #expect(found.rows == 3)
    #expect(found.date == Date(timeIntervalSince1970: 1_800_000_000))
  }

  @Test func `of many the last one holds`() throws {
    for number in 0..<20 {
      var newer = snapshot(key())
      newer.view = .words("number \(number)")
      store.keep(newer)
    }
    store.drain()
    #expect(next.snapshot(for: key())?.view == .words("number 19"))
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
    for key in keys { #expect(next.snapshot(for: key) == nil, "\(key)") }
  }

  @Test func `a file cut off anywhere is as good as none`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    for count in 0..<bytes.count {
      try Data(bytes[..<count]).write(to: URL(filePath: path))
      #expect(next.snapshot(for: key()) == nil, "\(count) bytes")
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
    #expect(next.snapshot(for: key()) == nil)
  }

  @Test func `another widget's file in its place is as good as none`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let foreign = text.replacing("com.example.A", with: "com.example.B")
    try Data(foreign.utf8).write(to: URL(filePath: path))
    #expect(next.snapshot(for: key()) == nil)
  }

  @Test(arguments: [-1, 10_001])
  func `a height that no body has is as good as none`(rows: Int) {
    var odd = snapshot(key())
    odd.rows = rows
    store.keep(odd)
    store.drain()
    #expect(next.snapshot(for: key()) == nil)
  }

  @Test func `a larger file than a view may be is as good as none`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let bytes = try Data(contentsOf: URL(filePath: path))
    try (bytes + Data(repeating: 0x20, count: 513 * 1024)).write(to: URL(filePath: path))
    #expect(next.snapshot(for: key()) == nil)
  }

  @Test("what cannot be written is shown from memory, and said once until it is over")
  func goesOnFromMemory() async throws {
    try DurableFile.write("in the way".utf8, to: "\(folder.path)/snapshots")
    var troubles: [String?] = []
    store.onWriteTrouble = { troubles.append($0) }
    for width in 30..<34 { store.keep(snapshot(key(width: width))) }
    await eventually("the trouble") { !troubles.isEmpty }
    store.keep(snapshot(key(width: 34)))
    store.drain()
    for width in 30...34 { #expect(store.snapshot(for: key(width: width))?.view == .words("kept")) }
    #expect(next.snapshot(for: key(width: 30)) == nil)

    try FileManager.default.removeItem(atPath: "\(folder.path)/snapshots")
    store.keep(snapshot(key(width: 35)))
    await eventually("the trouble's end") { troubles.count > 1 }
    // What was only in memory is on the disk again.
    store.drain()
    for width in 30...35 { #expect(next.snapshot(for: key(width: width)) != nil, "\(width)") }
    #expect(troubles.count == 2 && troubles[0] != nil && troubles[1] == nil)
    #expect(troubles[0]?.contains("\(folder.path)/snapshots") == true)
  }

  @Test(
    "odd files are named once, absent ones never",
    arguments: ["link", "folder", "pipe", "text"]
  )
  func namesOddFiles(kind: String) throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    try FileManager.default.removeItem(atPath: path)
    let reader = next
    var words: [String] = []
    reader.onOddFile = { words.append($0) }
    #expect(reader.snapshot(for: key()) == nil && words.isEmpty)
    switch kind {
    case "link":
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
    case "folder": StateFolders.make(path)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    default: try Data("{".utf8).write(to: URL(filePath: path))
    }
    for _ in 0..<3 { #expect(reader.snapshot(for: key()) == nil) }
    #expect(words.count == 1 && words[0].contains(path))
  }

  @Test("of one widget the files that were written last stay")
  func boundsTheNumberOfFiles() throws {
    for width in 20..<40 {
      store.keep(snapshot(key(width: width)))
      store.drain()
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(folder.path)/snapshots/com.example.A"
    )
    #expect(Set(names) == Set((32..<40).map { "\($0).compact.json" }))
  }

  @Test("files that dead writers left are cleared away, those of living ones stay")
  func clearsStrays() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    // Number 1 lives as long as the system; no process has a number past 4,194,304 (proc(5)).
    for writer in ["1", "4194305", "\(getpid())", "odd"] {
      try Data("{".utf8).write(to: URL(filePath: "\(path).\(writer).tmp"))
    }
    let cleaner = next
    cleaner.cleanUp()
    cleaner.drain()
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(folder.path)/snapshots/com.example.A"
    )
    #expect(Set(names) == ["36.compact.json", "36.compact.json.1.tmp"])
  }

  @Test("E4: a card that is forgotten has no picture any more, others keep theirs")
  func forgetsACard() throws {
    var other = key()
    other.bundleIdentifier = "com.example.B"
    for key in [key(), key(width: 20), other] { store.keep(snapshot(key)) }
    store.remove(CardID("com.example.A"))
    #expect(store.snapshot(for: key()) == nil)
    store.drain()
    #expect(next.snapshot(for: key()) == nil && next.snapshot(for: other) != nil)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/snapshots/com.example.A"))
  }
}
