import FoundationEssentials
import Glibc
import Testing
import WidgetPlatform
import WidgetTestSupport

@testable import EngineTestSupport
@testable import Notices

/// The journal after kills, damage, foreign files and a full disk, and with several programs at once.
@Suite(.timeLimit(.minutes(3))) struct JournalTests {
  private func filled(_ folder: StoreFolder, count: Int = 4) throws -> [UInt8] {
    let store = folder.store()
    for number in 1...count { try store.post(.sample("n\(number)", body: "text")) }
    try store.note(.dismissed, of: [2])
    return try folder.bytes()
  }

  @Test func `cut off at any byte, it has every whole line, and goes on with a new one`() throws {
    let folder = try StoreFolder()
    let whole = try filled(folder)
    for count in 0...whole.count {
      try folder.replace(with: whole.prefix(count))
      let before = try folder.store().read()
      // One line is the head, and one says what became of a notice.
      let lines = whole.prefix(count).count { $0 == JournalLine.end }
      let known = ["n1", "n2", "n3", "n4"].prefix(max(0, min(4, lines - 1)))
      #expect(before.titles == Array(known), "\(count)")
      let id = try folder.store().post(.sample("next"))
      let after = try folder.store().read()
      // A line of which only its end was missing is whole again.
      let isWhole = count < whole.count && whole[count] == JournalLine.end && lines > 0
      let added = isWhole && known.count < 4 ? ["n\(known.count + 1)"] : []
      #expect(after.titles == before.titles + added + ["next"], "\(count)")
      #expect(id == before.lastVersion + (isWhole ? 2 : 1), "\(count)")
    }
  }

  @Test func `a byte that was changed costs the line that has it and no other`() throws {
    let folder = try StoreFolder()
    let whole = try filled(folder)
    let titles: Set = ["n1", "n2", "n3", "n4"]
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x15
      try folder.replace(with: bytes)
      let missing = titles.subtracting(try folder.store().read().titles)
      // Without its line feed a line is one with the next.
      #expect(missing.count <= (whole[place] == JournalLine.end ? 2 : 1), "\(place)")
      let id = try folder.store().post(.sample("next"))
      #expect(try folder.store().read().entries.last?.id == id, "\(place)")
    }
  }

  @Test func `garbage in the middle and a journal that was appended twice show nothing twice`()
    throws
  {
    let folder = try StoreFolder()
    let whole = try filled(folder)
    let middle = try #require(whole.dropFirst(300).firstIndex(of: JournalLine.end)) + 1
    var random = SeededGenerator(seed: 7)
    let garbage = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    try folder.replace(with: whole[..<middle] + garbage + [JournalLine.end] + whole[middle...])
    #expect(try folder.store().read().titles == ["n1", "n2", "n3", "n4"])
    try folder.replace(with: whole + whole)
    #expect(try folder.store().read().titles == ["n1", "n2", "n3", "n4"])
    // Garbage at the end that is longer than what is looked at first.
    try folder.replace(with: whole + garbage)
    let id = try folder.store().post(.sample("next"))
    #expect(try folder.store().read().titles == ["n1", "n2", "n3", "n4", "next"])
    #expect(id == 6)
  }

  @Test(arguments: OddFile.allCases)
  func `a foreign file in its place is an error in words, and stays as it is`(odd: OddFile) throws {
    let folder = try StoreFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let stranger = "\(folder.path)/stranger"
    try Data("mine".utf8).write(to: URL(filePath: stranger))
    guard try odd.make(at: folder.journal, stranger: stranger) else { return }
    #expect(throws: HostError.self) { try folder.store().post(.sample("a")) }
    if odd != .danglingLink {
      #expect(throws: HostError.self) { try folder.store().read() }
    }
    #expect(try Data(contentsOf: URL(filePath: stranger)) == Data("mine".utf8))
  }

  @Test
  func `a text of another program in its place is read as nothing, and the first post goes on`()
    throws
  {
    let folder = try StoreFolder()
    try folder.replace(with: Array("hello\nworld".utf8))
    #expect(try folder.store().read().titles == [])
    try folder.store().post(.sample("a"))
    #expect(try folder.store().read().titles == ["a"])
  }

  @Test func `a journal that grows is written anew, with the same notices under the same numbers`()
    throws
  {
    let folder = try StoreFolder()
    var settings = NoticeSettings()
    settings.count = 20
    let store = folder.store(settings)
    var ids: [Int] = []
    var largest = 0
    let body = String(repeating: "x", count: 4000)
    for number in 1...300 {
      ids.append(try store.post(.sample("\(number)", body: body)))
      largest = max(largest, try folder.bytes().count)
    }
    #expect(largest < 300_000)
    #expect(ids == Array(1...300))
    let list = try store.read()
    #expect(list.entries.map(\.id) == Array(281...300))
    #expect(list.titles == (281...300).map { "\($0)" })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["journal"])
  }

  @Test func `numbers of notices that are gone are never used again`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    let past = Date(timeIntervalSince1970: 1_700_000_000)
    for _ in 1...3 { try store.post(.sample("old"), now: past) }
    let name = try store.read(now: past).journal
    // A day later the journal is written anew.
    #expect(try store.post(.sample("new"), now: past.addingTimeInterval(90 * 86_400)) == 4)
    let list = try store.read(now: past.addingTimeInterval(90 * 86_400))
    #expect(list.titles == ["new"])
    #expect(list.journal == name && name != nil)
    try store.note(.dismissed, of: [4], now: past.addingTimeInterval(90 * 86_400))
    let later = past.addingTimeInterval(200 * 86_400)
    try store.note(.seen, of: [4], now: later)
    #expect(try store.read(now: later).titles == [])
    #expect(try store.post(.sample("last"), now: later) == 7)
  }

  @Test func `while another program keeps the lock, a post fails in words`() throws {
    let folder = try StoreFolder()
    try folder.store().post(.sample("a"))
    let held = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    let error = #expect(throws: HostError.self) { try folder.store().post(.sample("b")) }
    #expect(error?.code == .busy)
    #expect(try folder.store().read().titles == ["a"])
  }

  @Test
  func
    `four writers that are killed at any moment lose nothing that was stored, and show nothing twice`()
    throws
  {
    let folder = try StoreFolder()
    let run = try ProgramRun(
      ProgramDescription(
        BuiltTool.path("SnapshotTorture"),
        ["notices", folder.path, "400", "\(getpid())"]
      ),
      patience: 4
    )
    #expect(run.status == .exited(code: 0), "\(run.outputText)\(run.errorText)")
    let words = run.outputText.split { !$0.isNumber }.compactMap { Int($0) }
    try #require(words.count == 3, "\(run.outputText)")
    #expect(words[0] >= 1600 && words[1] > 10 && words[2] > 1, "\(run.outputText)")
  }
}
