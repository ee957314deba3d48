import FoundationEssentials
import Testing

@testable import Notices

/// The notices of another machine in the store of this one.
@Suite struct HostNoticeBookTests {
  private let here: StoreFolder
  private let store: NoticeStore
  private let now = Date(timeIntervalSince1970: 1_790_000_000)

  init() throws {
    here = try StoreFolder()
    store = here.store()
  }

  /// The lines that the other machine prints for its whole store.
  private func lines(_ there: StoreFolder, at time: Date) throws -> [ArraySlice<UInt8>] {
    let list = try there.store().read(now: time)
    return list.entries.compactMap { list.json($0)?[...] }
  }

  private func take(
    _ book: HostNoticeBook,
    _ there: StoreFolder,
    at time: Date? = nil,
    here: Date? = nil
  ) throws {
    let time = time ?? now
    for line in try lines(there, at: time) { try book.take(line, now: here ?? time) }
  }

  private func contents() throws -> [NoticeContent] {
    let list = try store.read(now: now)
    return list.entries.compactMap { list.notice($0)?.content }
  }

  @Test func `each notice is stored once, with its host, also after another start`() throws {
    let there = try StoreFolder()
    try there.store().post(.sample("first", body: "text"), now: now - 60)
    let book = HostNoticeBook(store, host: "server")
    try take(book, there)
    try take(book, there)
    try there.store().post(.sample("second"), now: now)
    try take(HostNoticeBook(store, host: "server"), there)
    #expect(try contents().map(\.title) == ["first", "second"])
    #expect(try contents().allSatisfy { $0.host == "server" && $0.source == .host })
    #expect(try contents()[0].body == "text" && contents()[0].application == "make")
    let list = try store.read(now: now)
    #expect(list.entries.map(\.date) == [now - 60, now])
    // Another machine has numbers of its own.
    try take(HostNoticeBook(store, host: "other"), there)
    #expect(try contents().count == 4)
  }

  @Test func `the clock of the other machine may be wrong`() throws {
    for wrong: TimeInterval in [-5_000, 90_000, -400 * 86_400] {
      let there = try StoreFolder()
      let clock = now + wrong
      let title = "\(wrong)"
      try there.store().post(.sample(title), expiresAfter: 600, now: clock - 60)
      let book = HostNoticeBook(store, host: title)
      try book.take(Array("\(Int(clock.timeIntervalSince1970))".utf8)[...], now: now)
      try take(book, there, at: clock, here: now)
      let list = try store.read(now: now)
      let entry = try #require(list.entries.last)
      #expect(list.titles.last == title)
      #expect(entry.date == now - 60 && entry.expiry == now + 540)
    }
  }

  @Test func `what became of a notice there became of it here`() throws {
    let there = try StoreFolder()
    let book = HostNoticeBook(store, host: "server")
    for title in ["a", "b", "c", "old"] { try there.store().post(.sample(title), now: now) }
    try there.store().note(.dismissed, of: [4], now: now)
    try take(book, there)
    try there.store().note(.dismissed, of: [1], now: now)
    try there.store().note(.acted(action: "Log"), of: [2], now: now)
    try take(HostNoticeBook(store, host: "server"), there)
    let list = try store.read(now: now)
    #expect(list.titles == ["a", "b", "c"])
    #expect(list.entries.map(list.change) == [.dismissed, .acted(action: "Log"), nil])
  }

  @Test func `one that is no longer kept here does not come again, and new numbers are news`()
    throws
  {
    let there = try StoreFolder()
    for title in ["a", "b"] { try there.store().post(.sample(title, tag: "t"), now: now - 50) }
    let lines = try lines(there, at: now)
    try take(HostNoticeBook(store, host: "server"), there)
    var old = String(decoding: lines[0], as: UTF8.self)
    old.replace("\"id\":\"2\"", with: "\"id\":\"1\"")
    try HostNoticeBook(store, host: "server").take(Array(old.utf8)[...], now: now)
    #expect(try contents().map(\.title) == ["b"])
    // Its journal was removed.
    let again = try StoreFolder()
    try again.store().post(.sample("new"), now: now)
    try take(HostNoticeBook(store, host: "server"), again)
    #expect(try contents().map(\.title) == ["b", "new"])
  }

  @Test func `nothing that runs comes from another machine`() throws {
    var content = NoticeContent.sample("a")
    var actions = ["Run", "Go to pane", "Open"].map { NoticeAction(name: $0) }
    (actions[0].command, actions[1].pane) = (["rm", "-rf", "/"], "%1")
    actions[2].url = "https://example.com/"
    content.actions = actions
    let there = try StoreFolder()
    try there.store().post(content, now: now)
    try take(HostNoticeBook(store, host: "server"), there)
    let stored = try #require(try contents().first?.actions)
    #expect(stored.map(\.name) == ["Open"])
    #expect(stored[0].command == nil && stored[0].pane == nil)
    #expect(stored[0].url == "https://example.com/")
  }

  @Test func `notices of third machines, and those of this store, are left out`() throws {
    let there = try StoreFolder()
    var third = NoticeContent.sample("third")
    third.host = "third"
    try there.store().post(third, now: now)
    try take(HostNoticeBook(store, host: "server"), there)
    #expect(try contents().isEmpty)
    try store.post(.sample("own"), now: now)
    let book = HostNoticeBook(store, host: "localhost")
    try take(book, here)
    #expect(try contents().map(\.title) == ["own"])
    try store.post(.sample("own, too"), now: now)
    try take(book, here)
    #expect(try contents().count == 2)
  }

  @Test(arguments: [
    "", "{}", "[]", "{\"id\":\"1\"}", "x",
    #"{"id":"-1","date":"2026-09-21T13:33:20Z","state":"waiting","application":"a","title":"t"}"#,
    #"{"id":"1","date":"yesterday","state":"waiting","application":"a","title":"t"}"#,
    #"{"id":"1","date":"2026-09-21T13:33:20Z","state":"waiting","application":"a","title":7}"#,
  ])
  func `a line that is none is left out`(line: String) throws {
    try HostNoticeBook(store, host: "server").take(Array(line.utf8)[...], now: now)
    #expect(try contents().isEmpty)
  }

  @Test func `a number or a date far ahead does not make later ones old`() throws {
    let book = HostNoticeBook(store, host: "server")
    let far = [("9223372036854775807", "a"), ("9007199254740000", "b"), ("1", "c"), ("2", "d")]
    for (id, title) in far {
      let date = title == "b" ? "9999-12-31T23:59:59Z" : "2026-09-21T14:13:20Z"
      let line =
        #"{"id":"\#(id)","date":"\#(date)","state":"waiting","application":"a","title":"\#(title)"}"#
      try book.take(Array(line.utf8)[...], now: now)
    }
    #expect(try contents().map(\.title) == ["b", "c", "d"])
  }

  @Test func `of actions only addresses remain that are the same on every machine`() throws {
    let urls = ["file:///etc/passwd", "today:quit", "HTTPS://example.com/", "mailto:a@b.example"]
    let actions = urls.map { #"{"name":"A","url":"\#($0)"}"# }.joined(separator: ",")
    let line = #"""
      {"id":"1","date":"2026-09-21T14:13:20Z","state":"waiting","application":"a","title":"t","actions":[\#(actions)]}
      """#
    try HostNoticeBook(store, host: "server").take(Array(line.utf8)[...], now: now)
    #expect(try contents().first?.actions?.map(\.url) == Array(urls.dropFirst(2)))
  }

  @Test func `dates of another clock are within bounds, and what has expired there is no news`()
    throws
  {
    let book = HostNoticeBook(store, host: "server")
    for (id, date) in [(1, "9999-01-01T00:00:00Z"), (2, "0001-01-01T00:00:00Z")] {
      let line =
        #"{"id":"\#(id)","date":"\#(date)","state":"waiting","application":"a","title":"\#(id)"}"#
      try book.take(Array(line.utf8)[...], now: now)
    }
    let list = try store.read(now: now)
    #expect(list.entries.map(\.date) == [now, now - HostNoticeBook.age])
    let there = try StoreFolder()
    try there.store().post(.sample("short"), expiresAfter: 10, now: now - 5)
    let other = HostNoticeBook(store, host: "other")
    try take(other, there)
    #expect(try store.read(now: now).entries.last?.expiry == now + 5)
    #expect(try store.read(now: now + 6).entries.last?.state == .earlier)
  }

  @Test func `a machine that sends too many loses some, which is said once`() throws {
    let book = HostNoticeBook(store, host: "server")
    let time = ContinuousClock.now
    for id in 1...1_010 {
      let line =
        #"{"id":"\#(id)","date":"2026-09-21T13:33:20Z","state":"waiting","application":"a","title":"t"}"#
      try book.take(Array(line.utf8)[...], now: now, at: time)
    }
    #expect(try contents().count == 1_000 && book.hasOmitted)
    try book.tellOmitted()
    try book.tellOmitted()
    let notice = try #require(try contents().last)
    #expect(try contents().count == 1_001 && !book.hasOmitted)
    #expect(notice.title == "10 notices were left out" && notice.body?.contains("server") == true)
  }
}
