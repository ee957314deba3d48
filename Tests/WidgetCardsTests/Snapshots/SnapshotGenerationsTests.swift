import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetCards
@testable import WidgetPlatform

/// The snapshots on disk after writes of several programs, and after a power failure.
///
/// Off the main actor, which other tests need meanwhile.
@Suite nonisolated struct SnapshotGenerationsTests {
  private let folder: BundleFolder
  private let generations: SnapshotGenerations
  private let key = Snapshot.Key(
    ExtensionIdentity("com.example.A"),
    displayMode: .compact,
    locale: "en"
  )
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  init() async throws {
    folder = try await BundleFolder()
    generations = SnapshotGenerations(folder: "\(folder.path)/snapshots", limits: HostLimits())
  }

  private var card: String { generations.folder(of: key) }
  private var newest: String { "\(card)/\(key.variant).snapshot.new" }
  private var synced: String { "\(card)/\(key.variant).snapshot" }

  private func snapshot(_ words: SafeText, at seconds: Double) -> Snapshot {
    Snapshot(
      key: key,
      made: now.addingTimeInterval(seconds),
      contentDate: now,
      view: .words(words),
      preferredHeight: nil
    )
  }

  @discardableResult
  private func write(_ words: SafeText, at seconds: Double) throws -> SnapshotGenerations.Writing {
    try generations.write(snapshot(words, at: seconds), now: now.addingTimeInterval(3600)) { true }
  }

  private var found: ViewNode? {
    guard case .found(let snapshot) = generations.read(key) else { return nil }
    return snapshot.view
  }

  private func sync() {
    generations.sync(key.variant + SnapshotGenerations.newestEnding, in: card, pause: 0)
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: card))
  }

  @Test("of the snapshots of several programs the newest is kept, in any order of writing")
  @concurrent func keepsTheNewest() async throws {
    #expect(try write("first", at: 10) == .written)
    #expect(try write("older", at: 9) == .superseded)
    #expect(found == .words("first"))
    sync()
    #expect(try write("older", at: 9) == .superseded)
    #expect(try write("same time", at: 10) == .written)
    #expect(try write("newer", at: 11) == .written)
    #expect(found == .words("newer"))
  }

  @Test("a snapshot from the future does not block newer ones")
  @concurrent func survivesTheWallClock() async throws {
    try write("tomorrow", at: 86_400)
    #expect(try write("today", at: 10) == .written)
    #expect(found == .words("today"))
    let later = now.addingTimeInterval(86_400)
    #expect(Snapshot.isNewer(now, than: later, now: now))
    #expect(!Snapshot.isNewer(later, than: now, now: now))
    #expect(Snapshot.isNewer(later, than: now, now: later))
    #expect(!Snapshot.isNewer(now, than: now, now: now))
    #expect(Snapshot.isNewer(now, than: nil, now: now))
  }

  @Test("a synced snapshot is not touched until a newer one is synced")
  @concurrent func keepsTheSyncedOne() async throws {
    try write("one", at: 1)
    sync()
    #expect(try names() == [key.variant + ".snapshot"])
    let bytes = try Data(contentsOf: URL(filePath: synced))
    for number in 2..<10 { try write("\(number)", at: Double(number)) }
    #expect(try Data(contentsOf: URL(filePath: synced)) == bytes)
    #expect(found == .words("9"))
    sync()
    #expect(try names() == [key.variant + ".snapshot"])
    #expect(found == .words("9"))
  }

  @Test(
    "after a power failure the newest whole snapshot is used, whatever happened to the other"
  )
  func survivesPowerCuts() throws {
    try write("synced", at: 1)
    sync()
    let old = try Data(contentsOf: URL(filePath: synced))
    try write("newest", at: 2)
    let whole = try [UInt8](Data(contentsOf: URL(filePath: newest)))
    var random = SeededGenerator(seed: 7)
    var left: [[UInt8]?] = [nil, [], Array(repeating: 0, count: whole.count), [UInt8](old)]
    for count in 1..<whole.count {
      // Cut off; with the rest of its length empty; and with what the disk had there before.
      left.append(Array(whole[..<count]))
      left.append(whole[..<count] + Array(repeating: 0, count: whole.count - count))
      left.append(
        whole[..<count]
          + (count..<whole.count).map { _ in UInt8.random(in: 1...255, using: &random) }
      )
    }
    for bytes in left {
      try? FileManager.default.removeItem(atPath: newest)
      if let bytes { try Data(bytes).write(to: URL(filePath: newest)) }
      #expect(found == .words("synced"))
      // What is broken never takes the place of what is whole.
      sync()
      #expect(found == .words("synced"))
      #expect(!FileManager.default.fileExists(atPath: newest))
      try #require(FileManager.default.fileExists(atPath: synced))
    }
    // The next one is kept, also over a broken one that claims to be newer.
    try Data(whole.dropLast()).write(to: URL(filePath: newest))
    #expect(try write("next", at: 1.5) == .written)
    #expect(found == .words("next"))
    sync()
    #expect(found == .words("next"))
  }

  @Test("if the synced snapshot is damaged the newest one is used")
  @concurrent func survivesABrokenDisk() async throws {
    try write("old", at: 1)
    sync()
    try write("newest", at: 2)
    for text in ["", "{", "today-snapshot 2 9 9 9\n"] {
      try Data(text.utf8).write(to: URL(filePath: synced))
      #expect(found == .words("newest"))
    }
    sync()
    #expect(found == .words("newest"))
  }

  @Test("a snapshot is synced at most twice a minute, by all programs together")
  @concurrent func syncsRarely() async throws {
    let name = key.variant + SnapshotGenerations.newestEnding
    try write("one", at: 1)
    #expect(generations.sync(name, in: card))
    try write("two", at: 2)
    #expect(!generations.sync(name, in: card))
    #expect(try names().count == 2)
    generations.syncLeftovers()
    #expect(try names().count == 2)
    generations.syncLeftovers(pause: 0)
    #expect(try names().count == 1)
    #expect(found == .words("two"))
  }

  @Test("a program that keeps a card's folder locked does not keep others from writing")
  @concurrent func isNotHeldUp() async throws {
    try write("one", at: 1)
    let holder = try OwnFolder.open(card)
    #expect(flock(holder.number, LOCK_EX) == 0)
    #expect(try write("two", at: 2) == .written)
    #expect(found == .words("two"))
  }

  @concurrent private static func writeAll(
    _ snapshots: [Snapshot],
    _ generations: SnapshotGenerations,
    now: Date
  ) async {
    for snapshot in snapshots { _ = try? generations.write(snapshot, now: now) { true } }
  }

  @concurrent private static func syncOften(
    _ name: String,
    in card: String,
    _ generations: SnapshotGenerations
  ) async {
    for _ in 0..<100 { generations.sync(name, in: card, pause: 0) }
  }

  /// How often nothing could be read.
  @concurrent private static func failures(
    _ key: Snapshot.Key,
    _ generations: SnapshotGenerations
  ) async -> Int {
    (0..<500).count { _ in
      if case .found = generations.read(key) { false } else { true }
    }
  }

  @Test("many writers at once leave the newest snapshot, whole at every moment")
  @concurrent func survivesManyWriters() async throws {
    try write("number 0", at: 0)
    let snapshots = (1...200).map { snapshot("number \($0)", at: Double($0)) }
    let now = now.addingTimeInterval(3600)
    let name = key.variant + SnapshotGenerations.newestEnding
    async let odd: Void = Self.writeAll(
      snapshots.filter { Int($0.made.timeIntervalSince1970) % 2 == 1 },
      generations,
      now: now
    )
    async let even: Void = Self.writeAll(
      snapshots.filter { Int($0.made.timeIntervalSince1970) % 2 == 0 },
      generations,
      now: now
    )
    async let all: Void = Self.writeAll(snapshots.reversed(), generations, now: now)
    async let synced: Void = Self.syncOften(name, in: card, generations)
    async let failures = Self.failures(key, generations)
    _ = await (odd, even, all, synced)
    #expect(await failures == 0)
    #expect(found == .words("number 200"))
  }
}
