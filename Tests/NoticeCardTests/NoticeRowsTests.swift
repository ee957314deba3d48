import FoundationEssentials
import Testing
import WidgetKitCore

@testable import NoticeCard
@testable import WidgetTesting

/// What the card shows of notices.
@MainActor struct NoticeRowsTests {
  // 24 November 2026, 17:03 UTC.
  private static let now = Date(timeIntervalSince1970: 1_795_539_780)

  private static func notice(
    _ id: String,
    _ application: String,
    _ title: String,
    age: Double,
    urgency: NoticeUrgency = .normal,
    state: UserNotice.State = .waiting,
    body: String? = nil,
    progress: Int? = nil,
    actions: [String]? = nil
  ) -> UserNotice {
    var notice = UserNotice(
      id: id,
      date: now.addingTimeInterval(-age),
      application: application,
      title: title,
      urgency: urgency,
      state: state
    )
    notice.body = body
    notice.progress = progress
    notice.actions = actions?.map { UserNotice.Action($0) }
    return notice
  }

  /// As the host lists them.
  private static let several = [
    notice("4", "disk", "/var has 2 % left", age: 60, urgency: .critical, body: "df\n-h\nof it"),
    notice("6", "backup", "Upload", age: 5, progress: 40),
    notice("5", "make", "today failed", age: 300, actions: ["Log", "Again"]),
    notice("3", "make", "docs ended", age: 4000, urgency: .low),
    notice("2", "Mail", "a message", age: 20_000, state: .earlier),
    notice("1", "cron", "backup ended", age: 90_000, state: .earlier, actions: ["Show"]),
    notice("0", "cron", "backup ended", age: 900_000, state: .earlier),
  ]

  private func rows(_ notices: [UserNotice], columns: Int = 60, search: String = "") -> NoticeRows {
    NoticeRows(notices: notices, search: search, columns: columns, now: Self.now)
  }

  @Test func `compact it has four rows, by application, critical ones first`() {
    #expect(
      rows(Self.several).compact.rows(width: 60, now: Self.now) == [
        "! disk   /var has 2 % left                         1 min ago",
        "• backup Upload                        ━━━━━─────── 40 % now",
        "• make   today failed                              5 min ago",
        "•        docs ended                                  1 h ago",
      ]
    )
  }

  @Test func `compact no critical one is behind a normal one of another application`() {
    let notices = [
      Self.notice("5", "a", "worse", age: 1, urgency: .critical),
      Self.notice("4", "b", "bad", age: 2, urgency: .critical),
      Self.notice("3", "a", "usual", age: 0),
    ]
    let shown = rows(notices).compact.rows(width: 40, now: Self.now)
    #expect(shown.map { $0.split(separator: " ")[2] } == ["worse", "bad", "usual"])
  }

  @Test func `a long text is cut to what a message has room for`() {
    let text = String(repeating: "ü", count: 9000)
    var rows = rows([Self.notice("1", "a", "long", age: 1, body: text)])
    func letters(_ rows: [String]) -> Int {
      rows.reduce(0) { $0 + $1.count { $0 == "ü" } }
    }
    #expect(letters(rows.compact.rows(width: 4000, now: Self.now)) == 498)
    #expect(letters(rows.expanded.rows(width: 4000, now: Self.now)) == 498)
    rows.opened = ["1"]
    #expect(letters(rows.compact.rows(width: 4000, now: Self.now)) == 7498)
    #expect(letters(rows.expanded.rows(width: 4000, now: Self.now)) == 7498)
    let shown = NoticeBody(text: text, isOpened: true, openedCount: 20).shown
    #expect(shown.utf8.count <= 6000 && shown.hasSuffix("ü…"))
    #expect(NoticeBody(text: "short", isOpened: false, openedCount: 0).shown == "short")
  }

  @Test func `compact an opened one shows its whole text`() {
    let text = (1...6).map { "line \($0)" }.joined(separator: "\n")
    var rows = rows([Self.notice("1", "a", "long", age: 1, body: text)])
    #expect(rows.compact.rows(width: 40, now: Self.now).count == 4)
    rows.opened = ["1"]
    #expect(rows.compact.rows(width: 40, now: Self.now).last?.hasSuffix("line 6") == true)
  }

  @Test func `compact it has those for which there is no room, and says how many more wait`() {
    let more = (0..<5).map { Self.notice("1\($0)", "a", "n \($0)", age: 60, body: "text") }
    let shown = rows(Self.several.prefix(4) + more).compact.rows(width: 60, now: Self.now)
    #expect(shown.count == 10 && shown[3] == "  6 more wait" && shown.last?.contains("n 4") == true)
    let many = (0..<200).map { Self.notice("\($0)", "a", "n \($0)", age: 60) }
    let all = rows(many).compact.rows(width: 60)
    #expect(all[3] == "  at least 197 more wait" && all.count == 54)
  }

  @Test func `expanded the buttons are beside the title where there is room`() {
    let pane = Self.notice(
      "1",
      "make",
      "ended",
      age: 1,
      body: "after 40 s",
      actions: ["Go to pane"]
    )
    #expect(
      rows([pane], columns: 44).expanded.rows(width: 44, now: Self.now).prefix(3) == [
        "make", "• ended                   [ Go to pane ] now", "  after 40 s",
      ]
    )
    #expect(
      rows([pane], columns: 30).expanded.rows(width: 30, now: Self.now).prefix(4) == [
        "make", "• ended                    now", "  after 40 s", "  [ Go to pane ]",
      ]
    )
  }

  @Test func `below those that wait the last earlier ones follow`() {
    let shown = rows(Array(Self.several.dropFirst(3))).compact.rows(width: 44, now: Self.now)
    #expect(shown.count == 4 && shown.first?.hasPrefix("•") == true)
    #expect(shown.dropFirst().first?.contains("a message") == true)
    let none = rows(Array(Self.several.dropFirst(4))).compact.rows(width: 44, now: Self.now)
    #expect(none.first == "Nothing waits" && none.count == 4)
    #expect(rows([]).compact.rows(width: 44, now: Self.now) == ["No notices"])
  }

  @Test func `where rows are left, texts are shown`() {
    let text = Self.notice("1", "backup", "ended", age: 5, body: "12 GB\nin 4 min")
    #expect(
      rows([text]).compact.rows(width: 30, now: Self.now) == [
        "• backup ended             now", "         12 GB", "         in 4 min",
      ]
    )
  }

  @Test func `expanded it has texts, actions, and earlier ones by day`() {
    let shown = rows(Self.several).expanded.rows(width: 60, now: Self.now)
    #expect(
      shown == [
        "disk",
        "! /var has 2 % left                                1 min ago",
        "  df",
        "  -h…",
        "backup",
        "• Upload                               ━━━━━─────── 40 % now",
        "make",
        "• today failed                   [ Log ] [ Again ] 5 min ago",
        "• docs ended                                         1 h ago",
        "",
        "› Find in notices",
        "",
        "Earlier today",
        "11:29 Mail a message",
        "",
        "Yesterday",
        "16:03 cron backup ended",
        "",
        "Saturday 14 November",
        "07:03 cron backup ended",
      ]
    )
  }

  @Test func `a search shows those with all words, in any of their texts`() {
    func text(_ search: String) -> String {
      rows(Self.several, search: search).expanded.rows(width: 60, now: Self.now)
        .joined(separator: "\n")
    }
    #expect(text("MAKE ended").contains("docs ended"))
    #expect(!text("MAKE ended").contains("today failed"))
    #expect(text("of it").contains("/var has") && !text("of it").contains("cron"))
    #expect(text("nowhere").contains("No notice has “nowhere”"))
  }

  @Test(arguments: [20, 30, 44, 78, 118])
  func `at every width the title and the age are to be read`(columns: Int) {
    for row in rows(Self.several, columns: columns).compact.rows(width: columns, now: Self.now) {
      #expect(row.hasSuffix("ago") || row.hasSuffix("now"), "\(row)")
    }
  }

  @Test func `all of its text is private`() {
    let view = VStack { rows(Self.several).expanded }.nodes
    let hidden = ViewLayout.layOut(
      view[0],
      width: 60,
      height: nil,
      in: LayoutEnvironment(now: Self.now, redactsPrivate: true)
    )
    let text = hidden.textRows.joined(separator: "\n")
    for notice in Self.several {
      #expect(!text.contains(notice.title) && !text.contains(notice.application))
    }
  }
}
