import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPlatform

/// The contents of the last day on the disk.
@Suite nonisolated struct PastStoreTests {
  private let folder: BundleFolder
  private let generations: SnapshotGenerations
  private let past: PastStore
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  init() async throws {
    folder = try await BundleFolder()
    generations = SnapshotGenerations(folder: "\(folder.path)/snapshots", limits: HostLimits())
    past = PastStore(generations)
  }

  private func key(_ name: String = "A", _ mode: DisplayMode = .compact) -> Snapshot.Key {
    Snapshot.Key(ExtensionIdentity("com.example.\(name)"), displayMode: mode, locale: "en")
  }

  private func path(_ key: Snapshot.Key) -> String {
    "\(generations.folder(of: key))/\(key.variant)\(PastStore.ending)"
  }

  private func note(
    _ view: ViewNode,
    of name: String = "A",
    _ mode: DisplayMode = .compact,
    at seconds: Double
  ) throws {
    let (key, date) = (key(name, mode), now + seconds)
    try FileManager.default.createDirectory(
      atPath: generations.folder(of: key),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    past.note(
      Snapshot(key: key, made: date, contentDate: date, view: view, preferredHeight: nil),
      now: date
    )
  }

  private func views(_ name: String = "A", at seconds: Double) -> [ViewNode] {
    let contents = past.contents(of: key(name), now: now + seconds)
    return contents.dates.indices.compactMap { contents.content(at: $0)?.view }
  }

  @Test @concurrent func `at most one content a minute is kept, and of equal ones the first`()
    async throws
  {
    for second in stride(from: 0.0, to: 300, by: 10) {
      try note(.words(SafeText("at \(Int(second))")), at: second)
    }
    #expect(views(at: 300) == [0, 60, 120, 180, 240].map { .words(SafeText("at \($0)")) })
    for minute in 5..<9 { try note(.words("same"), at: Double(minute) * 60) }
    let contents = past.contents(of: key(), now: now + 540)
    #expect(contents.dates.count == 6 && contents.dates.last == now + 300)
    let last = try #require(contents.content(at: 5))
    #expect(last.before == .words("at 240") && last.number == 6 && last.count == 6)
    #expect(contents.content(at: now + 299)?.view == .words("at 240"))
    #expect(contents.content(at: now - 1) == nil)
  }

  @Test @concurrent func `what was shown in the other form is there where nothing else was`()
    async throws
  {
    for minute in 0..<3 {
      try note(.words(SafeText("compact \(minute)")), at: Double(minute) * 60)
    }
    for minute in 1..<6 {
      try note(.words(SafeText("expanded \(minute)")), .expanded, at: Double(minute) * 60 + 10)
    }
    let words: [SafeText] = [
      "compact 0", "compact 1", "compact 2", "expanded 3", "expanded 4", "expanded 5",
    ]
    #expect(views(at: 600) == words.map { .words($0) })
    let expanded = past.contents(of: key("A", .expanded), now: now + 600)
    #expect(expanded.content(at: 0)?.view == .words("compact 0"))
    #expect(expanded.dates.count == 6)
  }

  @Test @concurrent func `a content is kept for a day, and one of the future is not shown`()
    async throws
  {
    for hour in 0..<30 { try note(.words(SafeText("hour \(hour)")), at: Double(hour) * 3600) }
    #expect(views(at: 29 * 3600).first == .words("hour 5"))
    #expect(views(at: 10 * 3600).last == .words("hour 10"))
    #expect(views(at: 60 * 3600).isEmpty)
    // The oldest are removed from the file soon after that, too.
    let file = PastFile(try #require(DurableFile.read(path(key()), byteLimit: 1 << 20)))
    #expect(file.entries.count < 27)
  }

  @Test @concurrent func `a file stays below 2 MiB with the newest, without a huge content`()
    async throws
  {
    let text = String(repeating: "x", count: 100_000)
    for minute in 0..<40 {
      try note(.words(SafeText("\(minute) \(text)")), at: Double(minute) * 60)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: path(key()))
    #expect(try #require(attributes[.size] as? Int) <= PastStore.fileLimit)
    let kept = views(at: 2400)
    #expect(kept.count >= 10 && kept.last == .words(SafeText("39 \(text)")))
    try note(.words(SafeText(String(repeating: "y", count: 600_000))), at: 2460)
    #expect(views(at: 2500) == kept)
  }

  @Test @concurrent func `nothing private is kept`() async throws {
    var secret = ViewNode.words("secret of berta")
    secret.privacySensitive = true
    let view = ViewNode(.vstack(StackContent(children: [.words("3 messages"), secret])))
    try note(view, at: 0)
    #expect("\(views(at: 1))".contains("3 messages"))
    let bytes = try #require(DurableFile.read(path(key()), byteLimit: 1 << 20))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("berta"))
    try note(secret, of: "B", at: 0)
    #expect(views("B", at: 1) == [ViewNode(.text(TextContent(spans: [TextSpan("•••")])))])
  }

  @Test @concurrent func `a torn end is skipped, and a pipe and a link are not opened`()
    async throws
  {
    try note(.words("a"), at: 0)
    let whole = try #require(DurableFile.read(path(key()), byteLimit: 1 << 20))
    try DurableFile.write(whole + "today-past 1 5 100 0\n{\"vi".utf8, to: path(key()))
    try note(.words("b"), at: 3600)
    #expect(views(at: 3600) == [.words("a"), .words("b")])

    for (name, make) in [
      ("P", { unsafe mkfifo($0, 0o600) }), ("L", { unsafe symlink("/etc/passwd", $0) }),
    ] as [(String, (String) -> Int32)] {
      try note(.words("a"), of: name, at: 0)
      try FileManager.default.removeItem(atPath: path(key(name)))
      #expect(make(path(key(name))) == 0)
      try note(.words("b"), of: name, at: 3600)
      #expect(views(name, at: 3600).isEmpty)
    }
  }

  @Test @concurrent func `the cards that changed last are kept if all have too much together`()
    async throws
  {
    for number in 0..<40 { try note(.words("\(number)"), of: "W\(number)", at: Double(number)) }
    for number in 0..<40 {
      // A file with holes takes no room here.
      #expect(unsafe truncate(path(key("W\(number)")), 2 << 20) == 0)
      var times = [timespec(tv_sec: number, tv_nsec: 0), timespec(tv_sec: number, tv_nsec: 0)]
      unsafe utimensat(AT_FDCWD, path(key("W\(number)")), &times, 0)
    }
    past.shortenAll()
    let left = (0..<40).filter { FileManager.default.fileExists(atPath: path(key("W\($0)"))) }
    #expect(left == Array(8..<40))
  }
}
