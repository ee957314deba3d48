import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPlatform

@Suite struct SnapshotStoreTests {
  private let folder: BundleFolder
  private let store: SnapshotStore

  init() throws {
    folder = try BundleFolder()
    store = SnapshotStore(folder: "\(folder.path)/snapshots")
  }

  private func key(locale: String = "en_GB") -> Snapshot.Key {
    Snapshot.Key(ExtensionIdentity("com.example.A"), displayMode: .compact, locale: locale)
  }

  private static let made = Date(timeIntervalSince1970: 1_700_000_000.123456)

  private func snapshot(_ key: Snapshot.Key, after seconds: Double = 0) -> Snapshot {
    Snapshot(
      key: key,
      made: Self.made.addingTimeInterval(seconds),
      contentDate: Date(timeIntervalSince1970: 1_600_000_000),
      view: .words("kept"),
      preferredHeight: 3
    )
  }

  /// The store of the next start.
  private var next: SnapshotStore { SnapshotStore(folder: "\(folder.path)/snapshots") }

  private func file() throws -> String {
    let root = "\(folder.path)/snapshots"
    let names = try FileManager.default.subpathsOfDirectory(atPath: root)
    return "\(root)/\(try #require(names.first { $0.contains(".snapshot") }))"
  }

  @Test func `a snapshot is found under the same key`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let found = try #require(next.snapshot(for: key()))
    #expect(found.view == .words("kept"))
    #expect(found.preferredHeight == 3)
    #expect(found.made == Self.made)
    #expect(found.contentDate == Date(timeIntervalSince1970: 1_600_000_000))
  }

  @Test func `of many snapshots the last one is used`() throws {
    for number in 0..<20 {
      var newer = snapshot(key())
      newer.view = .words("number \(number)")
      store.keep(newer)
    }
    store.drain()
    #expect(next.snapshot(for: key())?.view == .words("number 19"))
  }

  @Test func `every part of the key distinguishes snapshots`() throws {
    var keys = Array(repeating: key(), count: 7)
    keys[1].locale = "de_DE"
    keys[2].displayMode = .expanded
    keys[3].instance = InstanceName(rawValue: "2")
    keys[4].bundleIdentifier = "com.example.B"
    keys[5].protocolVersion += 1
    keys[6].locale = "../../../etc"
    for (number, key) in keys.enumerated() {
      #expect(next.snapshot(for: key) == nil, "\(key)")
      var snapshot = snapshot(key)
      snapshot.view = .words("number \(number)")
      store.keep(snapshot)
      store.drain()
    }
    for (number, key) in keys.enumerated() {
      #expect(next.snapshot(for: key)?.view == .words("number \(number)"), "\(key)")
    }
  }

  @Test(arguments: [
    "", "/", "..", "a/b", "en\u{0}", "%41", "日本", String(repeating: "x", count: 5000),
  ])
  func `a locale with any text is safe in a file name`(locale: String) throws {
    store.keep(snapshot(key(locale: locale)))
    store.drain()
    #expect(next.snapshot(for: key(locale: locale)) != nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/snapshots")
    #expect(names == ["com.example.A"])
    #expect(key(locale: locale).variant != key(locale: "%41" == locale ? "A" : "%41").variant)
  }

  @Test func `a file truncated anywhere counts as missing`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    for count in 0..<bytes.count {
      try Data(bytes[..<count]).write(to: URL(filePath: path))
      #expect(next.snapshot(for: key()) == nil, "\(count) bytes")
    }
  }

  @Test func `a file with any byte changed counts as missing`() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1
      try Data(changed).write(to: URL(filePath: path))
      #expect(next.snapshot(for: key()) == nil, "byte \(place)")
    }
  }

  @Test(arguments: [
    "", "null", "[]", "{}", "{\"key\":{}}", "\u{0}\u{1}\u{2}", "today-snapshot 2 1 1 1\n{}",
    "today-snapshot 2 -1 nan 0\n", "today-snapshot 2 99999999999999999999 1e999 z\n{}",
    String(repeating: "[", count: 100_000), String(repeating: " ", count: 600_000),
  ])
  func `a foreign file counts as missing, and the next snapshot is stored`(text: String) throws {
    store.keep(snapshot(key()))
    store.drain()
    try Data(text.utf8).write(to: URL(filePath: try file()))
    #expect(next.snapshot(for: key()) == nil)
    store.keep(snapshot(key(), after: 1))
    store.drain()
    #expect(next.snapshot(for: key())?.made == Self.made.addingTimeInterval(1))
  }

  @Test func `the file of another widget counts as missing`() throws {
    store.keep(snapshot(key()))
    var other = key()
    other.bundleIdentifier = "com.example.B"
    store.keep(snapshot(other))
    store.drain()
    let root = "\(folder.path)/snapshots"
    try FileManager.default.removeItem(atPath: "\(root)/com.example.A")
    try FileManager.default.moveItem(
      atPath: "\(root)/com.example.B",
      toPath: "\(root)/com.example.A"
    )
    #expect(next.snapshot(for: key()) == nil)
  }

  /// Writes JSON as a snapshot's file, with the right checksum.
  private func write(_ json: String, _ made: Date = Self.made) throws {
    let file = SnapshotFile(sequence: 1, made: made, body: Array(json.utf8)[...])
    let path = "\(folder.path)/snapshots/com.example.A"
    try DurableFile.write(file.bytes, to: "\(path)/\(key().variant).snapshot")
  }

  /// The JSON of a snapshot with something else in the place of one of its numbers.
  private func json(_ member: String, _ value: String) -> String {
    var values = [
      "made": "700000000", "contentDate": "700000000", "preferredHeight": "3",
      "entry": "\"2026-11-20T15:00:00Z\"", "after": "\"2026-11-20T16:00:00Z\"", "relevance": "7",
    ]
    values[member] = value
    func text(_ member: String) -> String { values[member] ?? "null" }
    let key =
      #"{"bundleIdentifier":"com.example.A","displayMode":"compact","locale":"en_GB","protocolVersion":1}"#
    let entry = #"{"date":\#(text("entry")),"relevance":\#(text("relevance")),"view":"later"}"#
    let timeline = #"{"entries":[\#(entry)],"policy":{"after":\#(text("after"))}}"#
    return #"{"key":\#(key),"made":\#(text("made")),"contentDate":\#(text("contentDate")),"#
      + #""view":"kept","preferredHeight":\#(text("preferredHeight")),"timeline":\#(timeline)}"#
  }

  @Test(
    "a snapshot with an invalid number counts as missing, and traps nothing",
    arguments: ["made", "contentDate", "preferredHeight", "entry", "after", "relevance"],
    [
      "-1e300", "1e300", "1e19", "-9223372036854775808", "-1", "10001", "2.7e11", "-2.7e11",
      "\"-99999-01-01T00:00:00Z\"", "\"99999-01-01T00:00:00Z\"", "\"0000-01-01T00:00:00+23:59\"",
    ]
  )
  func refusesOddNumbers(member: String, number: String) throws {
    try write(json(member, number))
    let found = next.snapshot(for: key())
    let isHarmless =
      switch member {
      case "made", "contentDate": ["-1", "10001"].contains(number)
      case "preferredHeight": false
      case "relevance": !number.hasPrefix("\"")
      default: number.hasPrefix("\"0") || number.hasPrefix("\"9")
      }
    #expect((found != nil) == isHarmless)
    guard let found else { return }
    for date in [found.made, found.contentDate] + (found.timeline?.entries ?? []).map(\.date) {
      _ = Int(date.timeIntervalSinceNow)
      _ = Duration.seconds(date.timeIntervalSinceNow)
    }
  }

  @Test(arguments: [-1e300, 1e300, .nan, .infinity])
  func `a snapshot with an invalid date counts as missing`(seconds: Double) throws {
    let body = try JSONEncoder().encode(snapshot(key()))
    try write(
      String(decoding: body, as: UTF8.self),
      Date(timeIntervalSinceReferenceDate: seconds)
    )
    #expect(next.snapshot(for: key()) == nil)
    #expect(next.snapshot(for: key(), newerThan: .distantPast) == nil)
    store.keep(snapshot(key()))
    store.drain()
    #expect(next.snapshot(for: key()) != nil)
  }

  @Test func `a file larger than a widget may send counts as missing`() throws {
    var limits = HostLimits()
    limits.lineBytes = 1024
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let bytes = try Data(contentsOf: URL(filePath: path))
    try (bytes + Data(repeating: 0x20, count: 96 * 1024)).write(to: URL(filePath: path))
    var words: [String] = []
    let small = SnapshotStore(folder: "\(folder.path)/snapshots", limits: limits)
    small.onOddFile = { words.append($0) }
    #expect(small.snapshot(for: key()) == nil)
    #expect(words.first?.contains("more than") == true, "\(words)")
  }

  @Test("if the disk cannot be written views are kept in memory, and the problem is reported once")
  func goesOnFromMemory() async throws {
    try DurableFile.write("in the way".utf8, to: "\(folder.path)/snapshots")
    var troubles: [String?] = []
    store.onWriteTrouble = { troubles.append($0) }
    let keys = (30...35).map { key(locale: "l\($0)") }
    for key in keys[..<4] { store.keep(snapshot(key)) }
    await eventually("the trouble") { !troubles.isEmpty }
    store.keep(snapshot(keys[4]))
    store.drain()
    for key in keys[..<5] { #expect(store.snapshot(for: key)?.view == .words("kept")) }
    #expect(next.snapshot(for: keys[0]) == nil)

    try FileManager.default.removeItem(atPath: "\(folder.path)/snapshots")
    store.keep(snapshot(keys[5]))
    await eventually("the trouble's end") { troubles.count > 1 }
    // What was only in memory is on the disk again.
    store.drain()
    for key in keys { #expect(next.snapshot(for: key) != nil, "\(key)") }
    #expect(troubles.count == 2 && troubles[0] != nil && troubles[1] == nil)
    #expect(troubles[0]?.contains("\(folder.path)/snapshots") == true)
  }

  @Test(
    "foreign files are reported once, missing files never",
    arguments: ["link", "folder", "pipe", "text", "hard link"]
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
    let target = "\(folder.path)/target"
    try Data("mine".utf8).write(to: URL(filePath: target))
    switch kind {
    case "link":
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    case "hard link": try FileManager.default.linkItem(atPath: target, toPath: path)
    case "folder": StateFolders.make(path)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    default: try Data("{".utf8).write(to: URL(filePath: path))
    }
    for _ in 0..<3 { #expect(reader.snapshot(for: key()) == nil) }
    #expect(words.count == 1 && words[0].contains(path))
    // Whatever it is, it is replaced or ignored, and what a link leads to stays as it is.
    reader.syncAll()
    reader.keep(snapshot(key(), after: 1))
    reader.drain()
    #expect(kind == "folder" || next.snapshot(for: key()) != nil)
    #expect(try String(decoding: Data(contentsOf: URL(filePath: target)), as: UTF8.self) == "mine")
  }

  @Test("of one widget the keys that were written last are kept, each with all files")
  func boundsTheNumberOfFiles() throws {
    for number in 20..<40 {
      store.keep(snapshot(key(locale: "l\(number)")))
      store.syncAll()
      store.keep(snapshot(key(locale: "l\(number)"), after: 1))
      store.drain()
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(folder.path)/snapshots/com.example.A"
    )
    let variants = (32..<40).map { key(locale: "l\($0)").variant }
    let expected = variants.flatMap { ["\($0).snapshot", "\($0).past"] }
    #expect(Set(names) == Set(expected + ["\(variants[7]).snapshot.new"]))
  }

  @Test("files of killed programs and of earlier versions are deleted")
  func clearsStrays() throws {
    store.keep(snapshot(key()))
    store.drain()
    let path = try file()
    let card = "\(folder.path)/snapshots/com.example.A"
    // Number 1 lives as long as the system; no process has a number past 4,194,304 (proc(5)).
    for writer in ["1", "4194305", "\(getpid())", "odd"] {
      try Data("{".utf8).write(to: URL(filePath: "\(path).\(writer).tmp"))
    }
    for name in ["36.compact.json", "100.expanded.json"] {
      try Data("{}".utf8).write(to: URL(filePath: "\(card)/\(name)"))
    }
    let cleaner = next
    cleaner.cleanUp()
    cleaner.syncAll()
    let names = try FileManager.default.contentsOfDirectory(atPath: card)
    let variant = key().variant
    #expect(
      Set(names) == ["\(variant).snapshot", "\(variant).past", "\(variant).snapshot.new.1.tmp"]
    )
  }

  @Test("deleting the snapshots of a card leaves those of others")
  func forgetsACard() throws {
    var other = key()
    other.bundleIdentifier = "com.example.B"
    for key in [key(), key(locale: "da"), other] { store.keep(snapshot(key)) }
    store.remove(CardID("com.example.A"))
    #expect(store.snapshot(for: key()) == nil)
    store.drain()
    #expect(next.snapshot(for: key()) == nil && next.snapshot(for: other) != nil)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/snapshots/com.example.A"))
  }

  @Test("snapshots of hidden widgets are not written, also by programs that do not know yet")
  func writesNothingUnwanted() throws {
    store.hasContent = { $0.bundleIdentifier != "com.example.A" }
    store.keep(snapshot(key()))
    store.drain()
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/snapshots/com.example.A"))
    var other = key()
    other.bundleIdentifier = "com.example.B"
    store.keep(snapshot(other))
    store.drain()
    #expect(next.snapshot(for: other) != nil)
  }
}
