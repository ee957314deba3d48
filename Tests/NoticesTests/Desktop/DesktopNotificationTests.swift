import Testing

@testable import Notices

/// Notifications of the desktop as they are reported, and as notices.
@Suite struct DesktopNotificationTests {
  private func notification(own: Bool = false) -> DesktopNotification {
    let scope = own ? DesktopNumber.ownScope : "4f00:1.5"
    var notification = DesktopNotification(number: DesktopNumber(scope: scope, id: 7))
    (notification.application, notification.title) = ("Mail", "Hello")
    return notification
  }

  // MARK: - Reports

  private static let fields = [
    "posted", "4f00:1.5", "7", "Mail", "org.mail", "Hello", "two\nlines", "-1", "2", "urgency", "2",
    "value", "40", "default", "Open", "reply", "Reply",
  ]

  private func bytes(_ fields: [String]) -> [UInt8] {
    (["\(fields.count)"] + fields).flatMap { Array($0.utf8) + [0] }
  }

  @Test func `reports are read wherever the bytes are split`() throws {
    let all =
      bytes(["state", "watching", ":1.5"]) + bytes(Self.fields)
      + bytes(["closed", "own", "9", "2"]) + bytes(["acted", "own", "9", "reply"])
    var whole = DesktopReportReader()
    let reports = whole.take(all)
    var posted = notification()
    (posted.identifier, posted.body) = ("org.mail", "two\nlines")
    posted.hints = ["urgency": "2", "value": "40"]
    posted.actions = [.init(key: "default", label: "Open"), .init(key: "reply", label: "Reply")]
    let own = DesktopNumber(scope: "own", id: 9)
    #expect(
      reports == [
        .state(.watching, ":1.5"), .posted(posted), .closed(own, .dismissed),
        .acted(own, key: "reply"),
      ]
    )
    for split in 1..<all.count {
      var reader = DesktopReportReader()
      #expect(reader.take(Array(all[..<split])) + reader.take(Array(all[split...])) == reports)
    }
  }

  @Test(arguments: [
    ["posted"], ["posted", "a", "x", "", "", "", "", "1", "0"],
    ["posted", "a", "1", "", "", "", "", "1", "9"],
    ["posted", "a", "1", "", "", "", "", "1", "-1"],
    ["closed", "a", "b", "1"], ["acted", "a", "1"], ["state", "asleep", ""], ["new"],
  ])
  func `a report that is not known is left out, and the next one is read`(fields: [String]) {
    var reader = DesktopReportReader()
    let reports = reader.take(bytes(fields) + bytes(["state", "idle", ""]))
    #expect(reports == [.state(.idle, "")])
  }

  @Test func `the number of a notification is read from the tag of its notice`() {
    for number in [DesktopNumber(scope: "own", id: .max), DesktopNumber(scope: "0a:1.2", id: 1)] {
      #expect(DesktopNumber(tag: number.tag) == number)
    }
    for tag in ["", "own 7", "desktop own", "desktop own 7 8", "desktop own -1"] {
      #expect(DesktopNumber(tag: tag) == nil)
    }
  }

  // MARK: - Notices

  @Test(arguments: [
    ("0", NoticeContent.Urgency.low), ("1", .normal), ("2", .critical), ("9", .normal),
  ])
  func `urgency is that of the hint`(hint: String, urgency: NoticeContent.Urgency) {
    var notification = notification()
    notification.hints = ["urgency": hint]
    #expect(notification.content.urgency == urgency)
  }

  @Test(arguments: [("40", 40), ("-3", 0), ("1000", 100), ("many", nil)])
  func `progress is the value from 0 to 100`(hint: String, progress: Int?) {
    var notification = notification()
    notification.hints = ["value": hint]
    #expect(notification.content.progress == progress)
  }

  @Test func `the name is that of the application, its file, or the desktop`() {
    var notification = notification()
    #expect(notification.content.application == "Mail")
    (notification.application, notification.identifier) = (" ", "org.mail")
    #expect(notification.content.application == "org.mail")
    notification.identifier = ""
    #expect(notification.content.application == "desktop")
  }

  @Test(arguments: [
    ("Hello", "<b>you</b>\n\n", "Hello", "you"), ("", "first\nsecond", "first", "second"),
    (" ", "", "Mail", nil), ("<b>", "", "<b>", nil), ("Hello", "<b></b>", "Hello", nil),
  ])
  func `a title is never empty, and a body is without markup`(
    title: String,
    body: String,
    first: String,
    rest: String?
  ) {
    var notification = notification()
    (notification.title, notification.body) = (title, body)
    #expect(notification.content.title == first)
    #expect(notification.content.body == rest)
  }

  @Test func `only what is sent to the agent itself has actions and a time`() {
    for isOwn in [false, true] {
      var notification = notification(own: isOwn)
      notification.time = 5000
      notification.actions = [
        .init(key: "default", label: ""), .init(key: "a", label: "Reply"),
        .init(key: "b", label: " "),
      ]
      let content = notification.content
      #expect(content.actions?.map(\.name) == (isOwn ? ["Open", "Reply", "b"] : nil))
      #expect(content.actions?.map(\.key) == (isOwn ? ["default", "a", "b"] : nil))
      #expect(notification.seconds == (isOwn ? 5 : nil))
    }
    var endless = notification(own: true)
    for time in [0, -1] {
      endless.time = time
      #expect(endless.seconds == nil)
    }
  }

  @Test func `one without a number has no tag`() {
    var notification = notification()
    #expect(notification.content.tag == "desktop 4f00:1.5 7")
    notification.number.id = 0
    #expect(notification.content.tag == nil)
  }
}
