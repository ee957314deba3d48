import FoundationEssentials
import Glibc
import Testing
import WidgetPlatform

@testable import Notices

/// What is stored of notices, and what becomes of them.
@Suite struct NoticeStoreTests {
  private let now = Date(timeIntervalSince1970: 1_790_000_000)

  @Test func `a store that was never written has no notices`() throws {
    let folder = try StoreFolder()
    #expect(try folder.store().read().entries.isEmpty)
  }

  @Test func `a notice is read as it was posted, with a number of its own`() throws {
    let folder = try StoreFolder()
    var content = NoticeContent.sample("deployed", body: "two\nlines", tag: "web")
    content.progress = 100
    var action = NoticeAction(name: "Show")
    action.url = "https://example.com/?a=1&b=/"
    content.actions = [action]
    #expect(try folder.store().post(content, expiresAfter: 60, now: now) == 1)
    #expect(try folder.store().post(.sample("other"), now: now) == 2)
    let list = try folder.store().read(now: now)
    let notice = try #require(list.entries.first.flatMap(list.notice))
    #expect(notice.content == content)
    #expect(notice.id == 1 && notice.date == now && notice.state == .waiting)
    #expect(notice.expiry == now.addingTimeInterval(60))
    #expect(list.titles == ["deployed", "other"])
  }

  @Test func `folder and journal are of their user alone`() throws {
    let folder = try StoreFolder()
    try folder.store().post(.sample("a"))
    var status = stat()
    #expect(stat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(folder.journal, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test
  func `what a person does with a notice moves it to the earlier ones, and undoing moves it back`()
    throws
  {
    let folder = try StoreFolder()
    let store = folder.store()
    for title in ["a", "b", "c", "d"] { try store.post(.sample(title), now: now) }
    try store.note(.dismissed, of: [1], now: now)
    try store.note(.acted(action: "Say \"yes\""), of: [2], now: now)
    try store.note(.seen, of: [3, 4], now: now)
    try store.note(.waiting, of: [4], now: now)
    let list = try store.read(now: now)
    #expect(list.entries.map(\.state) == [.earlier, .earlier, .earlier, .waiting])
    #expect(
      list.entries.map(list.change) == [
        .dismissed, .acted(action: "Say \"yes\""), .seen, .waiting,
      ]
    )
    #expect(list.waitingCount == 1)
  }

  @Test func `a notice with the tag of an earlier one of its application takes its place`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    try store.post(.sample("10 %", tag: "build"), now: now)
    try store.post(.sample("elsewhere", application: "ninja", tag: "build"), now: now)
    try store.post(.sample("90 %", tag: "build"), now: now)
    #expect(try store.read(now: now).titles == ["elsewhere", "90 %"])
  }

  @Test func `low ones expire after an hour, others when they say so, critical ones never`() throws
  {
    let folder = try StoreFolder()
    let store = folder.store()
    try store.post(.sample("low", urgency: .low), now: now)
    try store.post(.sample("normal"), now: now)
    try store.post(.sample("short"), expiresAfter: 10, now: now)
    try store.post(.sample("critical", urgency: .critical), expiresAfter: 10, now: now)
    func waiting(_ seconds: Double) throws -> [String] {
      var list = try store.read(now: now.addingTimeInterval(seconds))
      list.keep(waiting: true)
      return list.titles
    }
    #expect(try waiting(9.9) == ["low", "normal", "short", "critical"])
    #expect(try waiting(10) == ["low", "normal", "critical"])
    #expect(try waiting(3600) == ["normal", "critical"])
    // After the days for which notices are kept, too.
    #expect(try waiting(40 * 86_400) == ["critical"])
    try store.note(.dismissed, of: [4], now: now)
    #expect(try waiting(40 * 86_400) == [])
  }

  @Test func `a transient one is listed as long as it waits`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    var content = NoticeContent.sample("volume")
    content.isTransient = true
    try store.post(content, now: now)
    #expect(try store.read(now: now).titles == ["volume"])
    try store.note(.seen, of: [1], now: now)
    #expect(try store.read(now: now).titles == [])
  }

  @Test func `only the last ones are kept, and critical ones that wait go last`() throws {
    let folder = try StoreFolder()
    var settings = NoticeSettings()
    settings.count = 3
    let store = folder.store(settings)
    try store.post(.sample("fire", urgency: .critical), now: now)
    for number in 1...4 { try store.post(.sample("\(number)"), now: now) }
    #expect(try store.read(now: now).titles == ["fire", "3", "4"])
  }

  @Test func `of a private application neither title, text nor actions are stored`() throws {
    let folder = try StoreFolder()
    var settings = NoticeSettings()
    settings.privateApplications = ["Signal"]
    var content = NoticeContent.sample("Anna", body: "at 8?", application: "signal")
    content.actions = [NoticeAction(name: "Reply to Anna")]
    content.tag = "chat with Anna"
    try folder.store(settings).post(content)
    content.title = "Anna again"
    try folder.store(settings).post(content)
    #expect(try folder.store(settings).read().entries.count == 1, "its tag still replaces")
    let bytes = String(decoding: try folder.bytes(), as: UTF8.self)
    #expect(bytes.contains("a message"))
    #expect(!bytes.contains("Anna") && !bytes.contains("at 8"))
  }

  @Test func `over the count the last one stays, and an application with many loses its own first`()
    throws
  {
    let folder = try StoreFolder()
    var settings = NoticeSettings()
    settings.count = 10
    let store = folder.store(settings)
    try store.post(.sample("mine", application: "me", urgency: .critical))
    try store.post(.sample("build", application: "make"))
    for number in 0..<20 {
      try store.post(.sample("\(number)", application: "flood", urgency: .critical))
    }
    try store.post(.sample("last", application: "make"))
    let titles = try store.read().titles
    #expect(titles.count == 10)
    #expect(titles.contains("mine") && titles.contains("build") && titles.last == "last")
    // Where all others are critical, a new one is not dropped either.
    for number in 0..<10 {
      try store.post(.sample("\(number)", application: "\(number)", urgency: .critical))
    }
    try store.post(.sample("normal", application: "make"))
    #expect(try store.read().titles.last == "normal")
  }

  @Test func `one post with a clock that is far ahead removes nothing`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    for number in 0..<3 { try store.post(.sample("\(number)"), now: now) }
    try store.post(.sample("future"), now: now + 400 * 86_400)
    #expect(try store.read(now: now).titles == ["0", "1", "2", "future"])
    // What agrees with the line before it is believed.
    try store.post(.sample("later"), now: now + 402 * 86_400)
    #expect(try store.read(now: now + 402 * 86_400).titles == ["future", "later"])
  }

  @Test func `what waits since the clock was wrong is there until it is seen`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    try store.post(.sample("disk failed"), now: Date(timeIntervalSince1970: 30))
    #expect(try store.read(now: now).titles == ["disk failed"])
    try store.note(.seen, of: [1], now: now)
    #expect(try store.read(now: now).titles == [])
  }

  @Test func `a long text is cut at a whole character, and says so`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    try store.post(.sample("a", body: "x" + String(repeating: "ü", count: 5 << 20)))
    try store.post(.sample(String(repeating: "é", count: 1000), body: ""))
    let list = try store.read()
    let notices = list.entries.compactMap(list.notice)
    let body = try #require(notices[0].content.body)
    #expect(body.hasPrefix("xüü"))
    #expect(body.hasSuffix("ü\n… cut: the text has 10485761 bytes, of which 16384 are kept"))
    #expect(body.utf8.count < 17_000)
    #expect(notices[1].content.title == String(repeating: "é", count: 512))
    #expect(notices[1].content.body == nil)
  }

  @Test func `the JSON of a notice is one line that does not act on a terminal`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    let id = try store.post(
      .sample("a\u{1B}[2J\nb", body: "x\u{9B}2J\u{202E}\n\"q\""),
      expiresAfter: 60,
      now: now
    )
    try store.note(.acted(action: "Yes"), of: [id], now: now)
    let list = try store.read(now: now)
    let entry = try #require(list.entries.first)
    let json = try #require(list.json(entry))
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"id":"1","date":"2026-09-21T14:13:20Z","expires":"2026-09-21T14:14:20Z","acted":"Yes",\
        "state":"earlier","application":"make","body":"x\\u009b2J\\u202e\\n\\"q\\"","source":"post",\
        "title":"a␛[2J b","urgency":"normal"}
        """
    )
  }

  @Test func `a list is chosen by state, date, application and version`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    try store.post(.sample("old"), now: now.addingTimeInterval(-100))
    try store.post(.sample("mail", application: "Mail"), now: now)
    try store.post(.sample("new"), now: now)
    let all = try store.read(now: now)
    var list = all
    list.keep(since: now.addingTimeInterval(-1))
    #expect(list.titles == ["mail", "new"])
    list.keep(applications: ["mail", "other"])
    #expect(list.titles == ["mail"])
    try store.note(.dismissed, of: [1], now: now)
    list = try store.read(now: now)
    list.keep(after: all.lastVersion)
    #expect(list.titles == ["old"])
  }

  @Test func `odd dates and numbers are stored within bounds`() throws {
    let folder = try StoreFolder()
    let store = folder.store()
    for date in [1e300, -1e300, .infinity, .nan, 0] {
      try store.post(.sample("a"), expiresAfter: 1e300, now: Date(timeIntervalSince1970: date))
      try store.post(.sample("a"), expiresAfter: -1e300, now: Date(timeIntervalSince1970: date))
    }
    var content = NoticeContent.sample("progress")
    content.progress = .max
    try store.post(content, expiresAfter: .nan, now: now)
    // A clock that was set back takes nothing away.
    let list = try store.read(now: Date(timeIntervalSince1970: 0))
    #expect(list.titles.last == "progress")
    #expect(list.entries.last.flatMap(list.notice)?.content.progress == 100)
    #expect(try !store.read(now: Date(timeIntervalSince1970: 1e300)).titles.contains("progress"))
  }

  @Test func `quiet time ends by itself, or by a person`() throws {
    let folder = try StoreFolder()
    let top = folder.path.split(separator: "/").dropLast(2).joined(separator: "/")
    let folders = StateFolders(environment: ["XDG_STATE_HOME": "/\(top)"])
    #expect(QuietTime.current(folders, now: now) == nil)
    try QuietTime(until: now.addingTimeInterval(60)).begin(folders)
    #expect(QuietTime.current(folders, now: now)?.end == now.addingTimeInterval(60))
    #expect(QuietTime.current(folders, now: now.addingTimeInterval(60)) == nil)
    // It was set while the clock was wrong.
    try QuietTime(until: now.addingTimeInterval(367 * 86_400)).begin(folders)
    #expect(QuietTime.current(folders, now: now) == nil)
    try QuietTime(until: nil).begin(folders)
    #expect(QuietTime.current(folders, now: now) == QuietTime(until: nil))
    try QuietTime.finish(folders)
    #expect(QuietTime.current(folders, now: now) == nil)
    try QuietTime.finish(folders)
  }
}
