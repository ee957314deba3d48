import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import EngineTestSupport
@testable import WidgetExtensions
@testable import WidgetPages
@testable import WidgetPlatform
@testable import WidgetSessions

/// Shared defaults and notifications of a real widget in an app.
@Suite(.timeLimit(.minutes(5))) struct SharedDataTests {
  private let group = "group.example"

  private func page() async throws -> RealPage {
    let page = try RealPage("Sharing", sharesGroup: true)
    try await page.appear()
    return page
  }

  private func press(_ action: String, _ page: RealPage) throws {
    try page.session.handle(.press(PerformActionRequest(action: action)))
  }

  private func defaults(_ page: RealPage) -> DefaultsFile {
    DefaultsFile(container: page.center.folders.group(group), suite: group)
  }

  @Test func `what a widget writes is on the disk, and it is not told of it`() async throws {
    let page = try await page()
    try press(
      #"{"id":1,"method":"defaultsWrite","params":{"suite":"group.example","values":{"a":[1,"x"]}}}"#,
      page
    )
    await eventually("the answer") { page.text == "result:{}" }
    #expect(try defaults(page).read() == ["a": .array([1, "x"])])
    try press(
      #"{"id":2,"method":"defaultsRead","params":{"suite":"group.example","keys":["a","b"]}}"#,
      page
    )
    await eventually("the values") {
      page.text == #"result:{} result:{"values":{"a":[1,"x"]}}"#
    }
    await page.end()
  }

  @Test func `a running widget is told which values another process has changed`() async throws {
    let page = try await page()
    try defaults(page).write(["a": 1, "b": 2])
    await eventually("the change") { page.text == "changed:a,b" }
    try defaults(page).write(["a": 1, "b": nil])
    await eventually("the next change") { page.text == "changed:a,b changed:b" }
    await page.end()
  }

  @Test func `a running widget hears a name at once, a suspended one once on resuming`()
    async throws
  {
    let page = try await page()
    let notices = SharedNotices(page.center.folders)
    try notices.post("group.example.other", inGroup: group)
    try notices.post("group.example.changed", inGroup: group)
    await eventually("the notification") { page.text == "heard" }
    try page.disappear()
    _ = try await page.suspended()
    for _ in 0..<3 { try notices.post("group.example.changed", inGroup: group) }
    try page.session.handle(.appear(size: Size(columns: 38, rows: 4), animated: false))
    await eventually("one more") { page.text == "heard heard" }
    try press(#"{"method":"removeObserver","params":{"name":"group.example.changed"}}"#, page)
    try press(#"{"method":"postNotification","params":{"name":"group.example.changed"}}"#, page)
    try press(
      #"{"id":1,"method":"defaultsRead","params":{"suite":"group.example","keys":[]}}"#,
      page
    )
    await eventually("an answer after them") {
      page.text == #"heard heard result:{"values":{}}"#
    }
    await page.end()
  }

  @Test(arguments: [
    (#"{"suite":"group.other"}"#, "error:-32001"), (#"{"suite":"com.example.b"}"#, "error:-32002"),
    (#"{"suite":7}"#, "error:-32602"),
  ])
  func `a suite that the widget does not share is refused`(params: String, error: String)
    async throws
  {
    let page = try await page()
    try press(#"{"id":1,"method":"defaultsRead","params":\#(params)}"#, page)
    await eventually("the refusal") { page.text == error }
    await page.end()
  }

  @Test func `each post is heard once, however fast they come`() async throws {
    let page = try await page()
    let notices = SharedNotices(page.center.folders)
    for _ in 0..<30 { try notices.post("group.example.changed", inGroup: group) }
    let all = Array(repeating: "heard", count: 30).joined(separator: " ")
    await eventually("all of them") { page.text == all }
    for _ in 0..<3 { try notices.post("group.example.other", inGroup: group) }
    try notices.post("group.example.changed", inGroup: group)
    await eventually("the next one") { page.text == all + " heard" }
    await page.end()
  }

  @Test func `a name that was removed is heard when it is posted again`() async throws {
    let page = try await page()
    let notices = SharedNotices(page.center.folders)
    try notices.post("group.example.changed", inGroup: group)
    await eventually("the notification") { page.text == "heard" }
    #expect(notices.names(ofGroup: group) == ["group.example.changed"])
    #expect(notices.remove("group.example.changed", inGroup: group))
    #expect(notices.names(ofGroup: group).isEmpty)
    #expect(!notices.remove("group.example.changed", inGroup: group))
    try notices.post("group.example.changed", inGroup: group)
    await eventually("the next one") { page.text == "heard heard" }
    try press(
      #"{"method":"removeObserver","params":{"name":"group.example.changed"}}"#,
      page
    )
    await eventually("its end") { notices.names(ofGroup: group).isEmpty }
    await page.end()
  }

  @Test func `of too many names the oldest is forgotten, and none is refused`() throws {
    let world = try TestWorld()
    let notices = SharedNotices(StateFolders(environment: world.environment()))
    for number in 0..<300 { try notices.post("group.example.n\(number)", inGroup: group) }
    #expect(notices.names(ofGroup: group).count == 256)
    #expect(notices.names(ofGroup: group).contains("group.example.n299"))
  }

  @Test(arguments: [
    (nil, "posted 7 3", 3), ("posted 7 3", "posted 7 3", 0), ("posted 7 3", "posted 7 5", 2),
    ("posted 7 3", "posted 8 2", 2), ("posted 7 3", "posted 7 1", 0), (nil, "", 1),
    (nil, "posted 7 18446744073709551615", 64), (nil, "posted 7 -1", 1), (nil, "posted x y", 1),
  ])
  func `posts are counted from the number that is known`(
    before: String?,
    now: String,
    posts: Int
  ) {
    #expect(PostCount(now).posts(since: before.map(PostCount.init), limit: 64) == posts)
  }

  @Test func `a widget that reads large values again and again waits for others`() async throws {
    let page = try await page()
    var queue = SharedDataQueue()
    let clock = page.center.clock
    var done = 0
    for _ in 0..<SharedDataQueue.limit { #expect(queue.append { done += 1 }) }
    #expect(!queue.append {})
    queue.begin(on: clock) {}
    queue.begin(on: clock) {}
    #expect(done == 1)
    // Half a second at once, then a tenth of the time.
    queue.end(after: .milliseconds(500), at: clock.now)
    queue.begin(on: clock) {}
    #expect(done == 2)
    queue.end(after: .milliseconds(500), at: clock.now)
    queue.begin(on: clock) {}
    #expect(done == 2)
    await page.end()
  }

  @Test func `a name outside of the groups is refused`() async throws {
    let page = try await page()
    for name in ["group.other.changed", "group.example", "com.example.changed", "group.a/b"] {
      try press(#"{"method":"postNotification","params":{"name":"\#(name)"}}"#, page)
    }
    try await eventually("four refusals") {
      try page.log.split(separator: "\n").count { $0.contains("refused: params.name") } == 4
    }
    await page.end()
  }
}
