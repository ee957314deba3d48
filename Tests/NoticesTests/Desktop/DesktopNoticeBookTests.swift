import FoundationEssentials
import Testing

@testable import Notices

/// Notices of the desktop in the store.
@Suite struct DesktopNoticeBookTests {
  private let folder: StoreFolder
  private let store: NoticeStore
  private let book: DesktopNoticeBook
  private let now = Date()

  init() throws {
    folder = try StoreFolder()
    store = folder.store()
    book = DesktopNoticeBook(store)
  }

  private func post(
    _ title: String,
    _ id: UInt32,
    scope: String = DesktopNumber.ownScope,
    application: String = "Mail",
    time: Int = -1
  ) throws {
    var notification = DesktopNotification(number: DesktopNumber(scope: scope, id: id))
    (notification.application, notification.title) = (application, title)
    notification.time = time
    notification.actions = [.init(key: "default", label: "Open"), .init(key: "r", label: "Reply")]
    try book.take(.posted(notification))
  }

  private func states() throws -> [String] {
    let list = try store.read()
    return list.entries.map { "\(list.notice($0)?.content.title ?? "") \($0.state)" }
  }

  @Test
  func `a notification takes the place of the one with its number, but of no other application`()
    throws
  {
    try post("10 %", 1)
    try post("20 %", 1)
    try post("another", 1, application: "Chat")
    try post("another daemon", 1, scope: "4f00:1.5")
    #expect(try store.read().titles == ["20 %", "another", "another daemon"])
    let list = try store.read()
    #expect(list.entries.allSatisfy { list.notice($0)?.content.source == .desktop })
  }

  @Test(arguments: [
    (DesktopReport.CloseReason.expired, "waiting"), (.dismissed, "earlier"), (.closed, "earlier"),
    (.undefined, "earlier"),
  ])
  func `one that was closed is an earlier one, unless only its time on the screen was over`(
    reason: DesktopReport.CloseReason,
    state: String
  ) throws {
    try post("a", 1, scope: "4f00:1.5")
    try post("b", 2, scope: "4f00:1.5")
    try book.take(.closed(DesktopNumber(scope: "4f00:1.5", id: 1), reason))
    // Those of nobody, and of another session.
    try book.take(.closed(DesktopNumber(scope: "4f00:1.5", id: 9), reason))
    try book.take(.closed(DesktopNumber(scope: "5f00:1.5", id: 2), reason))
    #expect(try states() == ["a \(state)", "b waiting"])
  }

  @Test func `an action that was chosen on the desktop is said by its label`() throws {
    try post("a", 1, scope: "4f00:1.5")
    try book.take(.acted(DesktopNumber(scope: "4f00:1.5", id: 1), key: "r"))
    // Daemons close it then.
    try book.take(.closed(DesktopNumber(scope: "4f00:1.5", id: 1), .dismissed))
    let list = try store.read()
    #expect(list.entries.map(list.change) == [.acted(action: "Reply")])
  }

  @Test func `applications are told once what became of notifications here`() throws {
    for id in UInt32(1)...3 { try post("\(id)", id) }
    try post("short", 4, time: 60_000)
    try post("theirs", 5, scope: "4f00:1.5")
    let first = try book.answers(now: now)
    #expect(first.answers.isEmpty)
    #expect((first.next?.timeIntervalSince(now)).map { 50...70 ~= $0 } == true)
    try store.note(.dismissed, of: [1])
    try store.note(.acted(action: "Reply"), of: [2])
    try store.note(.dismissed, of: [5])
    #expect(
      try book.answers(now: now).answers == [
        .closed(id: 1, .dismissed), .acted(id: 2, key: "r"), .closed(id: 2, .dismissed),
      ]
    )
    let late = try book.answers(now: now.addingTimeInterval(100))
    #expect(late.answers == [.closed(id: 4, .expired)] && late.next == nil)
  }

  @Test func `another agent goes on with what waits`() throws {
    try post("a", 1)
    try post("b", 2, scope: "4f00:1.5")
    try store.post(.sample("of a program", tag: "desktop own 3"))
    let next = DesktopNoticeBook(store)
    try next.begin()
    try store.note(.acted(action: "Open"), of: [1])
    #expect(
      try next.answers().answers == [.acted(id: 1, key: "default"), .closed(id: 1, .dismissed)]
    )
    try next.take(.closed(DesktopNumber(scope: "own", id: 3), .dismissed))
    try next.take(.closed(DesktopNumber(scope: "4f00:1.5", id: 2), .dismissed))
    #expect(try states() == ["a earlier", "b earlier", "of a program waiting"])
  }

  @Test func `a text that acts on a terminal does not, and a long one is cut`() throws {
    try post("\u{1B}]0;x\u{7}t\nitle", 1)
    var long = DesktopNotification(number: DesktopNumber(scope: "own", id: 2))
    (long.title, long.body) = ("long", "\u{1B}[31m" + String(repeating: "a", count: 100_000))
    try book.take(.posted(long))
    let list = try store.read()
    for entry in list.entries {
      let json = try #require(list.json(entry))
      #expect(!json.contains(0x1B) && !json.contains(0x0A))
    }
    let body = try #require(list.entries.last.flatMap(list.notice)?.content.body)
    #expect(body.utf8.count < 17_000 && body.contains("of which 16384 are kept"))
  }

  @Test func `an application that sends too many loses some, and no other does`()
    throws
  {
    let time = ContinuousClock.now
    func report(_ title: String, _ id: UInt32, application: String) -> DesktopReport {
      var notification = DesktopNotification(number: DesktopNumber(scope: "own", id: id))
      (notification.application, notification.title) = (application, title)
      return .posted(notification)
    }
    for id in UInt32(1)...150 {
      let answer = try book.take(report("f", id, application: "flood"), at: time)
      #expect(answer == (id > 100 ? .closed(id: id, .undefined) : nil))
    }
    #expect(try book.take(report("m", 200, application: "Mail"), at: time) == nil)
    // Of a progress the last one is stored, a little later.
    for step in 1...9 {
      #expect(try book.take(report("\(step)0 %", 100, application: "flood"), at: time) == nil)
    }
    #expect(try store.read().entries.count == 101 && book.isUnsettled)
    try book.settle()
    let list = try store.read()
    #expect(list.entries.count == 102 && !book.isUnsettled)
    let notices = list.entries.compactMap(list.notice)
    #expect(notices.contains { $0.content.title == "90 %" })
    let words = try #require(notices.last?.content)
    #expect(words.title == "50 notices were left out" && words.application == "today")
    #expect(
      words.body == "flood: 50\nAn application may send 100 at once and then one a second."
    )
    // Later it can send again.
    #expect(try book.take(report("g", 300, application: "flood"), at: time + .seconds(5)) == nil)
    #expect(try book.take(.omitted(3)) == nil)
    try book.settle()
    #expect(try store.read().titles.suffix(2) == ["g", "53 notices were left out"])
  }
}
