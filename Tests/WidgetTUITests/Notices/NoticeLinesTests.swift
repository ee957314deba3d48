import FoundationEssentials
import Glibc
import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import Notices
@testable import WidgetTUI

/// The list of notices for a person.
@Suite struct NoticeLinesTests {
  private let now = Date(timeIntervalSince1970: 1_790_000_000)

  /// The lines of a list after some notices were posted.
  private func lines(
    columns: Int? = nil,
    isLimited: Bool = true,
    _ fill: (NoticeStore) throws -> Void
  ) throws -> [String] {
    let world = try TestWorld()
    let store = NoticeStore(folder: "\(world.path)/state/today/notices")
    try fill(store)
    let list = NoticeLines(try store.read(now: now), now: now, columns: columns)
    return list.all(isLimited: isLimited).map(\.string)
  }

  private func content(_ title: String, _ application: String) -> NoticeContent {
    NoticeContent(application: application, source: .post, title: title)
  }

  @Test func `those that wait are grouped, critical ones are first, and earlier ones are last`()
    throws
  {
    let lines = try lines { store in
      for _ in 1...7 { try store.post(content("gone", "x"), expiresAfter: 1, now: now - 8000) }
      try store.note(.dismissed, of: [1], now: now - 8000)
      var mail = content("Anna", "Mail")
      mail.body = "at 8?\n\u{1B}[2Jbring cake"
      try store.post(mail, now: now - 180)
      var build = content("release", "make")
      build.progress = 40
      build.actions = [NoticeAction(name: "Log"), NoticeAction(name: "Stop")]
      try store.post(build, now: now - 30)
      var fire = content("disk full", "disks")
      fire.urgency = .critical
      try store.post(fire, now: now - 7200)
    }
    #expect(
      lines == [
        "disks", "! 11  2 h ago     disk full", "",
        "make", "  10  now         release  40 %", "                  [Log] [Stop]", "",
        "Mail", "   9  3 min ago   Anna", "                  at 8?",
        "                  ␛[2Jbring cake", "",
        "Earlier",
      ] + (1...7).reversed().map { "   \($0)  2 h ago     x: gone" }
    )
  }

  @Test func `without notices there is a word, and long lists and texts say what is left out`()
    throws
  {
    #expect(try lines { _ in } == ["no notices"])
    func fill(_ store: NoticeStore) throws {
      for _ in 1...30 { try store.post(content("old", "x"), expiresAfter: 1, now: now - 10) }
      var long = content("long", "make")
      long.body = (1...9).map { "\($0)" }.joined(separator: "\n")
      try store.post(long, now: now)
    }
    let limited = try lines(fill)
    #expect(limited.contains("                  … 4 more lines"))
    #expect(limited.last == "… 10 more; “--since 30d” lists them")
    #expect(try lines(isLimited: false, fill).count == limited.count + 9)
  }

  @Test(arguments: [1, 10, 20, 80])
  func `on a terminal no line is wider than it`(columns: Int) throws {
    let lines = try lines(columns: columns) { store in
      try store.post(content(String(repeating: "日本 wide ", count: 30), "app"), now: now)
    }
    #expect(lines.allSatisfy { SafeText($0).truncated(to: columns).string == $0 })
  }

  @Test func `a long title leaves room for the progress`() throws {
    var running = content(String(repeating: "make ", count: 30), "make")
    running.progress = 40
    let lines = try lines(columns: 40) { store in try store.post(running, now: now) }
    #expect(lines.count == 2 && lines.last?.hasSuffix("…  40 %") == true, "\(lines)")
    #expect(lines.last?.count == 40)
  }

  @Test func `as they come they are in their order, with the hour and their letters`() throws {
    let world = try TestWorld()
    let store = NoticeStore(folder: "\(world.path)/state/today/notices")
    try store.post(content("yesterday", "x"), now: now - 86_400)
    var disk = content("full", "disk")
    disk.urgency = .critical
    disk.body = "2 %"
    try store.post(disk, now: now - 60)
    try store.post(content("seen", "x"), now: now)
    try store.note(.dismissed, of: [3], now: now)
    let list = try store.read(now: now)
    let lines = NoticeLines(list, now: now, columns: nil, letters: [1: "a", 2: "bc"])
    func clock(_ date: Date) -> String {
      LocalTime(date).map {
        "\($0.hour < 10 ? "0" : "")\($0.hour):\($0.minute < 10 ? "0" : "")\($0.minute)"
      } ?? ""
    }
    let day = try #require(LocalTime(now - 86_400))
    #expect(
      lines.log(list.entries).map(\.string) == [
        "  a   0\(day.month)-\(day.day)  x: yesterday",
        "! bc  \(clock(now - 60))  disk: full",
        "             2 %",
        "      \(clock(now))  x: seen",
      ]
    )
  }
}
