import FoundationEssentials
import WidgetKitCore

/// Well-behaved: transfers files in the background with a session.
///
/// Its buttons download TODAY_TEST_URL, send `outbox/7.txt` of its group there, and end the last transfer. It shows
/// what its delegate was told.
@main struct Loading: Widget {
  private let news = News()
  private let session: BackgroundSession

  init() {
    var configuration = BackgroundSessionConfiguration.background(withIdentifier: "news")
    configuration.sharedContainerIdentifier = "group.com.example.fetching"
    configuration.httpAdditionalHeaders = ["X-Test": "loading"]
    session = WidgetContext.current.backgroundSession(
      configuration: configuration,
      delegate: news
    )
  }

  var body: some View {
    VStack {
      Button("Fetch", action: "fetch").id("fetch")
      Button("Send", action: "send").id("send")
      Button("Stop", action: "stop").id("stop")
      for line in news.lines.suffix(8) { Text(line) }
    }
  }

  func perform(action: String, value: Bool?) async {
    let url = ProcessInfo.processInfo.environment["TODAY_TEST_URL"] ?? ""
    var request = BackgroundRequest(url: url)
    do {
      switch action {
      case "fetch": news.last = try await session.downloadTask(with: request)
      case "send":
        request.httpMethod = "PUT"
        news.last = try await session.uploadTask(with: request, fromFile: "outbox/7.txt")
      default: if let last = news.last { try await session.cancel(last) }
      }
    } catch let error as WireError {
      news.lines.append("refused \(error.message)")
    } catch {
      news.lines.append("failed \(error)")
    }
  }
}

/// What the session has reported.
private final class News: BackgroundSessionDelegate {
  var lines: [String] = []
  var last: BackgroundTask?

  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didTransfer bytes: Int,
    of total: Int?
  ) {
    lines.append("progress of \(total ?? -1)")
  }

  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didFinishDownloadingTo path: String,
    status: Int?
  ) {
    let size = FileManager.default.contents(atPath: path)?.count ?? -1
    lines.append("file of \(size) with \(status ?? -1)")
  }

  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didCompleteWithError error: BackgroundTransferError?
  ) {
    lines.append(error.map { "failed \($0.reason)" } ?? "complete")
  }

  func sessionDidFinishEvents(_ session: BackgroundSession) {
    lines.append("all")
  }
}
