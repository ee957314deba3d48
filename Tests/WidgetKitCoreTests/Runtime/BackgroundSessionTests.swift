import Testing

@testable import WidgetKitCore

/// Starts a download in a session when it is pressed, and shows what it is told.
private final class Reader: Widget, BackgroundSessionDelegate {
  var diary: [String] = []
  private var session: BackgroundSession?

  var body: some View { Text(diary.joined(separator: " ")) }

  init() {
    var configuration = BackgroundSessionConfiguration.background(withIdentifier: "news")
    configuration.sharedContainerIdentifier = "group.a"
    configuration.httpAdditionalHeaders = ["X-One": "1", "Accept": "a"]
    configuration.byteLimit = 5
    session = WidgetContext.current.backgroundSession(configuration: configuration, delegate: self)
  }

  func perform(action: String, value: Bool?) async {
    var request = BackgroundRequest(url: "https://example.com/a")
    request.httpHeaders = ["accept": "b"]
    request.authenticate(withSecret: "token", as: .bearer)
    do {
      let task = try await session?.downloadTask(with: request)
      diary.append("task=\(task?.taskIdentifier ?? "-")")
    } catch {
      diary.append("refused")
    }
  }

  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didTransfer bytes: Int,
    of total: Int?
  ) {
    diary.append("\(task.taskIdentifier):\(bytes)/\(total ?? -1)")
  }

  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didFinishDownloadingTo path: String,
    status: Int?
  ) {
    diary.append("\(task.taskIdentifier)@\(path)")
  }

  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didCompleteWithError error: BackgroundTransferError?
  ) {
    diary.append(error.map { "\(task.taskIdentifier)!\($0.reason)" } ?? "ok")
  }

  func sessionDidFinishEvents(_ session: BackgroundSession) { diary.append("all") }
}

@MainActor struct BackgroundSessionTests {
  private func events(_ identifier: String) -> HandleEventsForBackgroundURLSessionRequest {
    HandleEventsForBackgroundURLSessionRequest(
      identifier: identifier,
      events: [
        BackgroundTransferEvent(task: "1", url: "https://a.example", path: "/a", status: 200),
        BackgroundTransferEvent(task: "2", url: "https://a.example"),
      ]
    )
  }

  @Test func `a request has what the configuration and the request say`() async throws {
    let host = ScriptedHost<Reader>()
    host.launch()
    host.request(PerformActionRequest(action: "go"))
    let (id, request) = try #require(try host.requests(DownloadInBackgroundRequest.self).first)
    #expect(request.identifier == "news" && request.sharedContainer == "group.a")
    #expect(request.headers == ["X-One": "1", "accept": "b"])
    #expect(request.byteLimit == 5)
    #expect(request.credential == "token" && request.authentication == "bearer")
    guard case .number(let number) = id else {
      Issue.record("\(id)")
      return
    }
    host.say(OutgoingLine.result(TransferReply(task: "7"), id: .number(number)))
    while try host.notifications(SetViewNotification.self).isEmpty,
      !host.sent.contains(where: { $0.kind == .result(.number(2)) })
    { await Task.yield() }
    host.notify(TransferDidProgressNotification(task: "7", bytes: 3, total: nil))
    host.notify(TransferDidProgressNotification(task: "8", bytes: 4, total: 9))
    let views = try host.notifications(SetViewNotification.self)
    #expect(views.last?.view.words == "task=7 7:3/-1")
  }

  @Test func `events are told in order, and acknowledged after that`() throws {
    let host = ScriptedHost<Reader>()
    host.launch()
    let id = host.request(events("news"))
    _ = try host.result(HandleEventsForBackgroundURLSessionRequest.Reply.self, for: id)
    let view = try host.notifications(SetViewNotification.self).last?.view
    #expect(view?.words == "1@/a ok 2!unknown all")
  }

  @Test func `events of a session that the widget does not have are refused, for its app`() throws {
    let host = ScriptedHost<Reader>()
    host.launch()
    let id = host.request(events("other"))
    let answer = try #require(host.sent.first { $0.kind == .error(id) })
    #expect(try answer.decode(WireError.self).code == .notFound)
    for method in ["handleEventsForBackgroundURLSession", "transferDidProgress"] {
      #expect(Reader.implements.contains(method))
    }
  }
}
