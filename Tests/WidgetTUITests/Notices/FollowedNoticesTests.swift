import FoundationEssentials
import Testing
import WidgetTestSupport

@testable import Notices
@testable import WidgetTUI

/// What `today notices --follow` prints.
@Suite struct FollowedNoticesTests {
  private let now = Date(timeIntervalSince1970: 1_790_000_000)
  private let world: TestWorld
  private let store: NoticeStore

  init() throws {
    world = try TestWorld()
    store = NoticeStore(folder: "\(world.path)/state/today/notices")
  }

  private func post(_ title: String, _ seconds: Double? = nil, transient: Bool = false) throws {
    var content = NoticeContent(application: "a", source: .post, title: title)
    content.isTransient = transient ? true : nil
    try store.post(content, expiresAfter: seconds, now: now)
  }

  private func take(_ followed: inout FollowedNotices, after seconds: Double) throws -> [String] {
    let time = now + seconds
    return followed.take(try store.read(now: time), now: time).map { news in
      "\(news.list.notice(news.entry)?.content.title ?? "unreadable") \(news.entry.state)"
    }
  }

  @Test func `each notice, change and expiry is told once`() throws {
    try post("lasting")
    try post("short", 10)
    try post("gone", 20, transient: true)
    try post("handled", 10)
    var followed = FollowedNotices()
    #expect(
      try take(&followed, after: 1) == [
        "lasting waiting", "short waiting", "gone waiting", "handled waiting",
      ]
    )
    #expect(followed.nextExpiry == now + 10)
    try store.note(.dismissed, of: [4], now: now + 5)
    #expect(try take(&followed, after: 5) == ["handled earlier"])
    #expect(try take(&followed, after: 10) == ["short earlier"])
    #expect(try take(&followed, after: 11) == [])
    #expect(followed.nextExpiry == now + 20)
    try store.note(.dismissed, of: [1], now: now + 21)
    #expect(try take(&followed, after: 21) == ["lasting earlier", "gone earlier"])
    #expect(try take(&followed, after: 22) == [] && followed.nextExpiry == nil)
  }

  @Test func `one that was replaced before its time has not expired`() throws {
    var content = NoticeContent(application: "a", source: .post, title: "10 %")
    content.tag = "t"
    try store.post(content, expiresAfter: 10, now: now)
    var followed = FollowedNotices()
    _ = try take(&followed, after: 0)
    content.title = "20 %"
    try store.post(content, now: now + 5)
    #expect(try take(&followed, after: 6) == ["10 % earlier", "20 % waiting"])
    #expect(try take(&followed, after: 20) == [])
  }

  @Test func `one that was replaced names the other one, before that comes`() throws {
    var content = NoticeContent(application: "a", source: .post, title: "first")
    content.tag = "t"
    try store.post(content, now: now)
    // The same tag of another application has nothing to do with it.
    var other = content
    other.application = "b"
    try store.post(other, now: now)
    var followed = FollowedNotices()
    _ = followed.take(try store.read(now: now), now: now)
    content.title = "second"
    try store.post(content, now: now + 1)
    let news = followed.take(try store.read(now: now + 1), now: now + 1)
    #expect(news.map(\.replacement) == [3, nil] && news.map(\.entry.id) == [1, 3])
    let line = String(decoding: try #require(news.first?.json), as: UTF8.self)
    #expect(line.hasPrefix(#"{"replacedBy":"3","id":"1","#) && line.contains(#""state":"earlier""#))
  }
}
