import Foundation
import Notices
import Testing
import WidgetKitCore
import WidgetTestSupport
import WidgetTesting

@testable import EngineTestSupport
@testable import WidgetPages

/// What widgets post, read and do about notices.
@Suite(.timeLimit(.minutes(1))) struct NoticeServiceTests {
  private func world(
    requests entitlement: Bool = true,
    configure: (inout CenterConfiguration) -> Void = { _ in }
  ) throws -> (EngineWorld, FakeWidget) {
    let world = try EngineWorld(
      ["performAction": "{}"],
      hearing: ["noticesDidChange"],
      first: #","view":"a""#,
      configure: configure
    )
    if entitlement {
      try Data(#"{ "org.today.notices" = YES; }"#.utf8).write(
        to: URL(filePath: "\(world.folder.path)/widgets/A.widget/Entitlements.plist")
      )
    }
    return (world, try world.open())
  }

  private func store(_ world: EngineWorld) -> NoticeStore {
    NoticeStore(world.center.folders, settings: NoticeSettings())
  }

  /// Stores a notice at the time of the test.
  private func post(
    _ title: String,
    in world: EngineWorld,
    _ change: (inout NoticeContent) -> Void = { _ in }
  ) throws {
    var content = NoticeContent(application: "make", source: .post, title: title)
    change(&content)
    try store(world).post(content, now: world.clock.date)
  }

  /// What the store has at the time of the test.
  private func list(_ world: EngineWorld) throws -> NoticeList {
    try store(world).read(now: world.clock.date)
  }

  /// Sends a request; returns the line of the answer.
  private func ask(
    _ method: String,
    _ params: String,
    _ world: EngineWorld,
    _ widget: FakeWidget
  ) async throws -> String {
    let id = "k\(widget.received.count)"
    widget.say(#"{"jsonrpc":"2.0","id":"\#(id)","method":"\#(method)","params":\#(params)}"#)
    func answer() -> String? {
      world.settle()
      return widget.received.last {
        [.result(.string(id)), .error(.string(id))].contains($0.kind)
      }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    await eventually("the answer to \(method)") { answer() != nil }
    return try #require(answer())
  }

  private func changes(_ widget: FakeWidget) -> Int {
    widget.received.count { $0.kind == .notification(method: "noticesDidChange") }
  }

  @Test func `any widget posts in the name of its app, ten times a minute`() async throws {
    let (world, widget) = try world(requests: false)
    for count in 1...10 {
      let answer = try await ask("postNotice", #"{"title":"n \#(count)"}"#, world, widget)
      #expect(answer.contains(#""id":"\#(count)""#), "\(answer)")
    }
    #expect(try await ask("postNotice", #"{"title":"more"}"#, world, widget).contains("-32004"))
    world.clock.advance(by: .seconds(60))
    let params = """
      {"title":"a\\u001b[2J","body":"b","urgency":"critical","tag":"t","progress":40,
      "actions":[{"name":"Log","url":"https://example.com/"}],"expiresAfter":5}
      """
    let answer = try await ask("postNotice", params.replacing("\n", with: ""), world, widget)
    #expect(answer.contains(#""id":"11""#), "\(answer)")
    let found = try list(world)
    let notice = try #require(found[11].flatMap(found.notice))
    #expect(notice.content.source == .widget && notice.content.application == "A")
    #expect(notice.content.urgency == .critical && notice.content.progress == 40)
    #expect(notice.content.actions?.map(\.url) == ["https://example.com/"])
    #expect(!notice.content.title.contains("\u{1B}"))
  }

  @Test
  func `without a page what a widget posts is told by the program, unless a rule says otherwise`()
    async throws
  {
    var told: [String] = []
    var rule = NoticeRule(.earlier)
    rule.title = NoticePattern("quiet*")
    let (world, widget) = try world(requests: false) { configuration in
      configuration.tellsWithoutPage = { told.append($0.content.title) }
      configuration.notices.rules = [rule]
    }
    for title in ["loud", "quiet one"] {
      _ = try await ask("postNotice", "{\"title\":\"\(title)\"}", world, widget)
    }
    #expect(told == ["loud"])
  }

  @Test(arguments: [
    (#"{}"#, "title"), (#"{"title":""}"#, "params.title"),
    (#"{"title":"a","progress":101}"#, "params.progress"),
    (#"{"title":"a","urgency":"high"}"#, "low, normal, critical"),
    (#"{"title":"a","expiresAfter":0}"#, "params.expiresAfter"),
    (#"{"title":"a","actions":[{"name":""}]}"#, "params.actions[0].name"),
  ])
  func `a notice that is wrong is refused in words`(params: String, words: String) async throws {
    let (world, widget) = try world()
    let answer = try await ask("postNotice", params, world, widget)
    #expect(answer.contains("-32602") && answer.contains(words), "\(answer)")
    #expect(try list(world).entries.isEmpty)
  }

  @Test(arguments: [
    ("readNotices", "{}"), ("dismissNotice", #"{"id":"1"}"#),
    ("performNoticeAction", #"{"id":"1","name":"Log"}"#),
  ])
  func `without the entitlement nothing is read or changed`(
    method: String,
    params: String
  ) async throws {
    let (world, widget) = try world(requests: false)
    try post("secret", in: world)
    world.press("x")
    let answer = try await ask(method, params, world, widget)
    #expect(answer.contains("-32001") && answer.contains("org.today.notices"), "\(answer)")
    #expect(!answer.contains("secret"))
    #expect(try list(world).waitingCount == 1)
  }

  @Test func `critical ones are first, and a widget chooses by date, state and application`()
    async throws
  {
    let (world, widget) = try world()
    let store = store(world)
    let now = world.clock.date
    for (title, app, urgency, age) in [
      ("old", "make", NoticeContent.Urgency.normal, 50.0), ("bad", "disk", .critical, 40),
      ("new", "make", .normal, 30), ("done", "ci", .normal, 20),
    ] {
      let content = NoticeContent(
        application: app,
        source: .post,
        title: title,
        body: String(repeating: "x", count: 3000),
        urgency: urgency
      )
      try store.post(content, now: now.addingTimeInterval(-age))
    }
    try store.note(.dismissed, of: [4], now: now)
    func titles(_ params: String) async throws -> [String] {
      let answer = try await ask("readNotices", params, world, widget)
      struct Message: Decodable { var result: ReadNoticesRequest.Reply }
      let notices = try JSONDecoder().decode(Message.self, from: Data(answer.utf8)).result.notices
      #expect(notices.allSatisfy { $0.body?.utf8.count == 2048 })
      return notices.map(\.title)
    }
    #expect(try await titles("{}") == ["bad", "new", "old", "done"])
    #expect(try await titles(#"{"waiting":true}"#) == ["bad", "new", "old"])
    #expect(try await titles(#"{"applications":["MAKE"]}"#) == ["new", "old"])
    let since = InternetText.text(now.addingTimeInterval(-35))
    #expect(try await titles(#"{"since":"\#(since)"}"#) == ["new", "done"])
  }

  private enum InternetText {
    static func text(_ date: Date) -> String { date.formatted(.iso8601) }
  }

  @Test func `an answer has as many notices as fit`() async throws {
    let (world, widget) = try world()
    for index in 0..<300 {
      try post("\(index)", in: world) {
        $0.body = String(repeating: "b", count: index < 200 ? 10 : 4000)
      }
    }
    let long = try await ask("readNotices", "{}", world, widget)
    #expect(long.utf8.count < 128 << 10 && long.contains(#""title":"299""#))
    try store(world).note(.dismissed, of: Array(201...300), now: world.clock.date)
    let short = try await ask("readNotices", #"{"waiting":true}"#, world, widget)
    #expect(short.components(separatedBy: #""title":"#).count == 201)
  }

  @Test func `who has read is told of changes, at most ten times a second`() async throws {
    let (world, widget) = try world()
    try post("0", in: world)
    world.center.noticeDesk.journalMayHaveChanged()
    await eventually("the first reading") {
      world.pass(.milliseconds(10))
      return world.center.noticeDesk.waitingCount == 1
    }
    #expect(changes(widget) == 0)
    _ = try await ask("readNotices", "{}", world, widget)
    for index in 1...50 {
      try post("\(index)", in: world)
      world.center.noticeDesk.journalMayHaveChanged()
      world.settle()
    }
    // Nothing more is read before the pause is over.
    world.pass(.milliseconds(90))
    #expect(changes(widget) <= 1)
    await eventually("the last reading") {
      world.pass(.milliseconds(10))
      return world.center.noticeDesk.waitingCount == 51
    }
    #expect((1...3).contains(changes(widget)))
  }

  @Test func `a notice that expires is no longer counted, without any change of the journal`()
    async throws
  {
    let (world, _) = try world()
    let content = NoticeContent(application: "a", source: .post, title: "soon over")
    try store(world).post(content, expiresAfter: 30, now: world.clock.date)
    world.center.noticeDesk.journalMayHaveChanged()
    await eventually("the first reading") {
      world.pass(.milliseconds(10))
      return world.center.noticeDesk.waitingCount == 1
    }
    await eventually("the end of its time") {
      world.pass(.seconds(1), step: .milliseconds(100))
      return world.center.noticeDesk.waitingCount == 0
    }
  }

  @Test func `a dismissed notice waits again when that is undone`() async throws {
    let (world, widget) = try world()
    for title in ["a", "b"] { try post(title, in: world) }
    var dismissed: [[Int]] = []
    world.center.noticeDesk.onDismiss = { dismissed.append($0) }
    let answer = try await ask("dismissNotice", #"{"id":"1"}"#, world, widget)
    #expect(answer.contains(#""result":{}"#))
    #expect(try await ask("dismissNotice", #"{"id":"1"}"#, world, widget).contains("result"))
    #expect(try await ask("dismissNotice", #"{"id":"9"}"#, world, widget).contains("-32002"))
    #expect(dismissed == [[1]])
    #expect(try list(world).waitingCount == 1)
    world.center.noticeDesk.restore([1])
    try await eventually("both to wait") { try list(world).waitingCount == 2 }
    world.center.noticeDesk.dismissAll()
    await eventually("none to wait") {
      world.settle()
      return dismissed.count == 2
    }
    #expect(dismissed.last == [1, 2])
    #expect(try list(world).waitingCount == 0)
  }

  @Test func `an action needs a press and a page that is not locked`() async throws {
    let (world, widget) = try world()
    try post("failed", in: world) { $0.actions = [NoticeAction(name: "Yes")] }
    func act(_ name: String = "Yes") async throws -> String {
      try await ask("performNoticeAction", #"{"id":"1","name":"\#(name)"}"#, world, widget)
    }
    #expect(try await act().contains("within 10 s of a press"))
    world.press("x")
    world.pass(.seconds(10))
    #expect(try await act().contains("-32001"))
    world.press("x")
    #expect(try await act("No").contains("-32002"))
    world.center.setLocked(true)
    #expect(try await act().contains("-32001"))
    world.center.setLocked(false)
    #expect(try list(world).waitingCount == 1)
    world.press("x")
    #expect(try await act().contains(#""result":{}"#))
    let found = try list(world)
    #expect(found.entries.first.flatMap(found.change) == .acted(action: "Yes"))
  }

  @Test func `a command runs in a program of its own, and one that is missing is named`()
    async throws
  {
    let (world, widget) = try world {
      $0.environment["PATH"] = "/usr/bin:/bin"
    }
    let mark = "\(world.folder.path)/mark"
    var (touch, none) = (NoticeAction(name: "Touch"), NoticeAction(name: "None"))
    touch.command = ["touch", mark]
    none.command = ["no-such-program-of-today"]
    try post("failed", in: world) { $0.actions = [touch, none] }
    world.press("x")
    let params = #"{"id":"1","name":"None"}"#
    let refusal = try await ask("performNoticeAction", params, world, widget)
    #expect(refusal.contains("no-such-program-of-today"), "\(refusal)")
    #expect(try list(world).waitingCount == 1)
    let answer = try await ask(
      "performNoticeAction",
      #"{"id":"1","name":"Touch"}"#,
      world,
      widget
    )
    #expect(answer.contains(#""result":{}"#), "\(answer)")
    await eventually("the command") { FileManager.default.fileExists(atPath: mark) }
  }

  @Test(
    arguments: [
      ("echo work", "in another terminal: tmux -S /tmp/other attach -t %3"),
      ("echo \"can't find pane\" >&2; exit 1", "the pane has gone"),
    ]
  )
  func `a pane to which the client cannot go has gone only if tmux says so`(
    answer: String,
    words: String
  ) async throws {
    let tools = try TestWorld()
    try tools.write(
      "#!/bin/sh\ncase $3 in switch-client) exit 1;; esac\n\(answer)\n",
      to: "\(tools.path)/tmux"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(tools.path)/tmux"
    )
    let (world, widget) = try world {
      $0.environment["PATH"] = "\(tools.path):/usr/bin:/bin"
      $0.environment["TMUX"] = "/tmp/own,1,0"
    }
    var pane = NoticeAction(name: "Go to pane")
    (pane.pane, pane.server) = ("%3", "/tmp/other")
    try post("ended", in: world) { $0.actions = [pane] }
    world.press("x")
    let params = #"{"id":"1","name":"Go to pane"}"#
    let refusal = try await ask("performNoticeAction", params, world, widget)
    #expect(refusal.contains(words), "\(refusal)")
    #expect(try list(world).waitingCount == 1)
  }
}
