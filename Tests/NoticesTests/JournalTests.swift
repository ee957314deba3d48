import Foundation
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

  // MARK: - Damage and crafted lines

  /// A line of a notice as the store writes it.
  private func line(
    _ sequence: Int,
    _ title: String,
    time: Int = 1_790_000_000_000,
    json: String? = nil
  ) -> [UInt8] {
    let json = json ?? NoticeJSON.text(NoticeContent.sample(title)) ?? ""
    let fields = NoticeJournal.Post.fields(.sample(title), expiry: nil, json: Array(json.utf8))
    return JournalLine.compose(.post, sequence, time, fields)
  }

  private func files(_ folder: StoreFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(arguments: [JournalLine.sequenceLimit - 1, 1 << 40, 5_000_000, 200, 12, 7])
  func `a line with a number far ahead hides neither the lines behind it nor later posts`(
    number: Int
  ) throws {
    let folder = try StoreFolder()
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    for title in 1...6 { try folder.store().post(.sample("\(title)"), now: now) }
    let whole = try folder.bytes()
    var ends = whole.indices.filter { whole[$0] == JournalLine.end }.map { $0 + 1 }
    let far = line(number, "far")
    // In the middle.
    try folder.replace(with: whole[..<ends[3]] + far + whole[ends[3]...])
    var titles = Set(try folder.store().read(now: now).titles)
    #expect(titles.isSuperset(of: ["1", "2", "3", "4", "5", "6"]))
    let id = try folder.store().post(.sample("next"), now: now)
    titles = Set(try folder.store().read(now: now).titles)
    #expect(titles.isSuperset(of: ["1", "2", "3", "4", "5", "6", "next"]))
    #expect(id < 500)
    // At the end, three times.
    ends = []
    try folder.replace(with: whole + far + far + line(number + 1, "farther"))
    for title in ["a", "b"] { try folder.store().post(.sample(title), now: now) }
    titles = Set(try folder.store().read(now: now).titles)
    #expect(titles.isSuperset(of: ["1", "2", "3", "4", "5", "6", "a", "b"]))
  }

  @Test(arguments: [JournalLine.sequenceLimit - 1, JournalHead.sequenceLimit - 1])
  func `a number that leaves none for later ones stops no post`(
    number: Int
  ) throws {
    let folder = try StoreFolder()
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    let far = line(number, "far")
    try folder.replace(with: line(1, "a") + line(2, "b") + far)
    for title in ["c", "d", "e"] { try folder.store().post(.sample(title), now: now) }
    let titles = try folder.store().read(now: now).titles
    #expect(titles.suffix(3) == ["c", "d", "e"], "\(titles)")
    #expect(number < JournalHead.sequenceLimit || titles.first == "a")
    // A first line with such a number, too.
    let head = JournalHead.line(1, size: 0, last: number, 1_790_000_000_000)
    try folder.replace(with: head + line(1, "a"))
    for title in ["f", "g", "h"] { try folder.store().post(.sample(title), now: now) }
    #expect(try folder.store().read(now: now).titles.suffix(3) == ["f", "g", "h"])
  }

  @Test(arguments: [JournalLine.timeLimit - 1, -JournalLine.timeLimit + 1, 0])
  func `a line with a time far away hides no later post`(time: Int) throws {
    let folder = try StoreFolder()
    let now = Date(timeIntervalSince1970: 1_790_000_000)
    try folder.store().post(.sample("first"), now: now)
    try folder.replace(with: try folder.bytes() + line(2, "far", time: time))
    for title in ["a", "b"] { try folder.store().post(.sample(title), now: now) }
    let titles = Set(try folder.store().read(now: now).titles)
    #expect(titles.isSuperset(of: ["first", "a", "b"]))
  }

  @Test func `of numbers that do not grow the fewest are left out`() {
    #expect(GrowingNumbers.longest(in: []) == [])
    #expect(GrowingNumbers.longest(in: [1, 2, 9, 3, 4]) == [true, true, false, true, true])
    #expect(GrowingNumbers.longest(in: [5, 6, 1, 7]) == [true, true, false, true])
    #expect(GrowingNumbers.longest(in: [1, 1, 1]).count { $0 } == 1)
    #expect(GrowingNumbers.longest(in: Array((0..<100_000).reversed())).count { $0 } == 1)
  }

  @Test func `a sparse file, and one without a line feed, are looked at in no time`() throws {
    let folder = try StoreFolder()
    try folder.store().post(.sample("a"))
    #expect(truncate(folder.journal, 200 << 20) == 0)
    let clock = ContinuousClock()
    var time = try clock.measure {
      #expect(try folder.store().read().titles == ["a"])
      try folder.store().post(.sample("b"))
      #expect(try folder.store().read().titles == ["a", "b"])
    }
    #expect(time < .seconds(2))
    #expect(try folder.bytes().count < 1_000)
    #expect(truncate(folder.journal, 500 << 20) == 0)
    time = clock.measure {
      let error = #expect(throws: HostError.self) { try folder.store().post(.sample("c")) }
      #expect(error?.description.contains("it has 500 MiB, more than any journal") == true)
      #expect(throws: HostError.self) { try folder.store().read() }
    }
    #expect(time < .seconds(2))
    try folder.replace(with: [UInt8](repeating: 0x41, count: 40 << 20))
    #expect(try folder.store().read().titles == [])
    try folder.store().post(.sample("d"))
    #expect(try folder.store().read().titles == ["d"])
  }

  @Test func `a damaged journal is kept beside the new one, which has every other line`() throws {
    let folder = try StoreFolder()
    let whole = try filled(folder)
    #expect(folder.store().damage == nil)
    let ends = whole.indices.filter { whole[$0] == JournalLine.end }.map { $0 + 1 }
    let damaged = Array(whole[..<ends[1]] + Array("garbage \u{1B}[2J\n".utf8) + whole[ends[1]...])
    try folder.replace(with: damaged)
    let list = try folder.store().read()
    #expect(list.damagedCount == 1 && list.titles == ["n1", "n2", "n3", "n4"])
    try folder.store().repair()
    #expect(try folder.store().read().damagedCount == 0)
    #expect(try folder.store().read().titles == ["n1", "n2", "n3", "n4"])
    #expect(try files(folder) == ["damage", "damaged-1", "journal"])
    let kept = try Data(contentsOf: URL(filePath: "\(folder.path)/damaged-1"))
    #expect(Array(kept) == damaged)
    let damage = try #require(folder.store().damage)
    #expect(damage.lineCount == 1 && !damage.isTold)
    #expect(damage.words(in: "/x").contains("kept as /x/damaged-1"))
    folder.store().didTellDamage()
    #expect(folder.store().damage?.isTold == true)
    // A post finds it itself, and of many damaged ones three are kept.
    for number in 1...5 {
      try folder.replace(with: try folder.bytes() + Array("x\n".utf8))
      try folder.store().post(.sample("p\(number)"))
    }
    #expect(try files(folder) == ["damage", "damaged-1", "damaged-2", "damaged-3", "journal"])
    #expect(folder.store().damage?.lineCount == 5)
    #expect(try folder.store().read().titles.count == 9)
    for number in 1...3 { #expect(unlink("\(folder.path)/damaged-\(number)") == 0) }
    #expect(folder.store().damage == nil)
  }

  @Test func `the JSON of a crafted line has known members, and nothing acts on a terminal`()
    throws
  {
    let folder = try StoreFolder()
    try folder.store().post(.sample("good"))
    let start = #"{"application":"a","source":"post","title":"t","urgency":"normal""#
    let crafted = [
      start + #","id":"7","state":"waiting"}"#, start + ",\"body\":\"\u{1B}[2J\"}",
      start + "}\u{7}",
      start + ",\"body\":\"\u{9B}2J\"}", "", "[]", "{}", #"{"application":1}"#,
      start + #","progress":99999999999}"#, start + #","body":"\u001b"}"#, start,
      #"{"title":"t","application":"a","urgency":"normal","source":"post"}"#,
    ]
    var bytes = try folder.bytes()
    for (index, json) in crafted.enumerated() { bytes += line(index + 2, "x", json: json) }
    try folder.replace(with: bytes)
    let list = try folder.store().read(now: Date(timeIntervalSince1970: 1_790_000_000))
    #expect(list.entries.count == crafted.count)
    let known: Set = [
      "id", "date", "state", "application", "body", "source", "title", "urgency", "progress",
    ]
    for json in list.entries.compactMap(list.json) {
      #expect(json.allSatisfy { 0x20..<0x7F ~= $0 })
      let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
      let names = Set(try #require(object).keys)
      #expect(names.isSubset(of: known))
      #expect(object?["id"] as? String != "7" || json.starts(with: #"{"id":"7""#.utf8))
      #expect((object?["progress"] as? Int ?? 0) <= 100)
    }
  }

  @Test func `what is read without a decoder is what the decoder reads`() throws {
    var content = NoticeContent.sample("a \"b\" \\ / \t", body: "1\n2", tag: "t")
    (content.host, content.origin, content.progress) = ("h", "1 2", 100)
    content.isTransient = true
    let odd = NoticeContent.sample("ü \u{1B} 👋", body: "\r")
    for content in [content, odd, .sample("", urgency: .critical)] {
      let json = Array(try #require(NoticeJSON.text(content)).utf8)[...]
      #expect(NoticeContent(json: json) == content)
      #expect(StoredJSON(json)?.content(json) == (content == odd ? nil : content))
      for end in json.indices { #expect(StoredJSON(json[..<end]) == nil) }
    }
    // Each byte at each place.
    let json = Array(try #require(NoticeJSON.text(NoticeContent.sample("0123456789abcdef"))).utf8)
    let start = try #require(json.firstRange(of: Array("0123".utf8))).lowerBound
    for (place, byte) in (0..<16).flatMap({ place in (0...255).map { (place, UInt8($0)) } }) {
      var changed = json
      changed[start + place] = byte
      let isPlain = 0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      // A backslash may be an escape with the next character.
      guard byte != UInt8(ascii: "\\") else { continue }
      #expect(StoredJSON.isPlain(changed[...]) == isPlain, "\(place) \(byte)")
    }
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
