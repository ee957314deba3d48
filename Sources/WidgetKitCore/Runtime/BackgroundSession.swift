/// The settings of a session of background transfers (URLSessionConfiguration).
public struct BackgroundSessionConfiguration: Hashable, Sendable {
  /// The name of the session, 1 to 200 bytes; each widget and the app need one of their own.
  public let identifier: String
  /// The app group into whose folder files come; without one the session is invalid.
  public var sharedContainerIdentifier: String?
  /// Fields that are sent with each request, unless it has its own of the same name.
  public var httpAdditionalHeaders: [String: String] = [:]
  /// The largest file in bytes; nil for 1 GiB.
  public var byteLimit: Int?

  /// Creates the settings of the session of this name.
  public static func background(
    withIdentifier identifier: String
  ) -> BackgroundSessionConfiguration {
    BackgroundSessionConfiguration(identifier: identifier)
  }

  private init(identifier: String) {
    self.identifier = identifier
  }
}

/// A request of a background transfer (URLRequest).
public struct BackgroundRequest: Hashable, Sendable {
  /// How a secret is sent.
  public enum Authentication: String, Sendable {
    /// As `user:password`.
    case basic
    /// As a token.
    case bearer
  }

  /// The URL, with the scheme `http` or `https`, without a user and a password.
  public var url: String
  /// The method of an upload, `POST` or `PUT`; a download is always a GET.
  public var httpMethod = "POST"
  /// Fields that are sent to the host of the URL.
  public var httpHeaders: [String: String] = [:]
  /// The name of a secret that is sent to the host of the URL; nil for none.
  public private(set) var credential: String?
  /// How it is sent.
  public private(set) var authentication: Authentication?

  /// Creates a request.
  public init(url: String) {
    self.url = url
  }

  /// Has the host send a secret of ``WidgetContext/secrets``, which the widget need not read for it.
  public mutating func authenticate(withSecret name: String, as authentication: Authentication) {
    (credential, self.authentication) = (name, authentication)
  }
}

/// A transfer of a session (URLSessionTask).
public struct BackgroundTask: Hashable, Sendable {
  /// The name of the transfer.
  public let taskIdentifier: String
}

/// Why a transfer has failed.
public struct BackgroundTransferError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in one word: `unauthorized`, `proxyUnauthorized`, `tls`, `http`, `network`, `redirect`, `url`,
  /// `tooLarge`, `storage`, `cancelled`, `missing`, or one of a later version.
  public var reason: String
  /// The same in words.
  public var description: String
  /// The status of the last response; nil if there was none.
  public var status: Int?
}

/// What is notified of the transfers of a session (URLSessionDownloadDelegate); each method may be left out.
@MainActor
public protocol BackgroundSessionDelegate: AnyObject {
  /// Called while a file comes or goes, at most once a second for each transfer.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The transfer.
  ///   - bytes: How many bytes were transferred.
  ///   - total: How many there are; nil if that is not known.
  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didTransfer bytes: Int,
    of total: Int?
  )

  /// Called when a file has come: that of a download, or the answer to an upload.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The transfer.
  ///   - path: The whole file, in the folder of the group. It stays there, other than with URLSession.
  ///   - status: The status of the last response; nil if there was none.
  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didFinishDownloadingTo path: String,
    status: Int?
  )

  /// Called when a transfer has ended.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - task: The transfer.
  ///   - error: Why it has failed; nil if it has not.
  func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didCompleteWithError error: BackgroundTransferError?
  )

  /// Called after all transfers of a report; when it returns they are acknowledged, and not reported again.
  func sessionDidFinishEvents(_ session: BackgroundSession)
}

extension BackgroundSessionDelegate {
  /// Does nothing.
  public func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didTransfer bytes: Int,
    of total: Int?
  ) {}
  /// Does nothing.
  public func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didFinishDownloadingTo path: String,
    status: Int?
  ) {}
  /// Does nothing.
  public func session(
    _ session: BackgroundSession,
    task: BackgroundTask,
    didCompleteWithError error: BackgroundTransferError?
  ) {}
  /// Does nothing.
  public func sessionDidFinishEvents(_ session: BackgroundSession) {}
}

/// Transfers of files that go on when the widget and the dashboard are gone (URLSession with a background
/// configuration).
///
/// They need the entitlement `com.apple.security.network.client`. Transfers that end while the widget does not live
/// are reported to its app. ``WidgetContext/backgroundSession(configuration:delegate:)`` makes a session.
@MainActor
public final class BackgroundSession {
  /// The settings of the session.
  public let configuration: BackgroundSessionConfiguration
  private let host: HostConnection
  private let delegate: any BackgroundSessionDelegate
  /// The transfers that this process has started and that have not ended.
  private var tasks: Set<BackgroundTask> = []

  init(
    _ configuration: BackgroundSessionConfiguration,
    _ delegate: any BackgroundSessionDelegate,
    _ host: HostConnection
  ) {
    (self.configuration, self.delegate, self.host) = (configuration, delegate, host)
  }

  /// Starts to download a file; unlike a task of URLSession it need not be resumed.
  ///
  /// - Parameter request: What is requested, by GET.
  /// - Returns: The transfer.
  /// - Throws: ``WireError`` with `notPermitted` without the entitlement or if another process uses the session,
  ///   with `invalidSession` without an app group, or with `invalidParams`. That a transfer fails later is no
  ///   error of this method.
  public func downloadTask(with request: BackgroundRequest) async throws -> BackgroundTask {
    var message = DownloadInBackgroundRequest(
      identifier: configuration.identifier,
      url: request.url,
      sharedContainer: configuration.sharedContainerIdentifier,
      headers: headers(request),
      byteLimit: configuration.byteLimit
    )
    message.credential = request.credential
    message.authentication = request.authentication?.rawValue
    return keep(try await host.request(message))
  }

  /// Starts to send a file; unlike a task of URLSession it need not be resumed.
  ///
  /// - Parameters:
  ///   - request: Where it is sent, and by which method.
  ///   - file: The file, as a path in the folder of the group, such as `outbox/7.json`.
  /// - Returns: The transfer.
  /// - Throws: ``WireError``, as ``downloadTask(with:)``.
  public func uploadTask(
    with request: BackgroundRequest,
    fromFile file: String
  ) async throws -> BackgroundTask {
    var message = UploadInBackgroundRequest(
      identifier: configuration.identifier,
      url: request.url,
      sharedContainer: configuration.sharedContainerIdentifier,
      method: request.httpMethod,
      file: file,
      headers: headers(request),
      byteLimit: configuration.byteLimit
    )
    message.credential = request.credential
    message.authentication = request.authentication?.rawValue
    return keep(try await host.request(message))
  }

  /// Ends a transfer, which is then reported as failed with `cancelled`.
  ///
  /// - Parameter task: A transfer of the widget.
  /// - Throws: ``WireError`` with `invalidParams` if there is none of this name any more.
  public func cancel(_ task: BackgroundTask) async throws {
    _ = try await host.request(CancelTransferRequest(task: task.taskIdentifier))
  }

  private func headers(_ request: BackgroundRequest) -> [String: String]? {
    let own = Set(request.httpHeaders.keys.map { $0.lowercased() })
    let all = configuration.httpAdditionalHeaders.filter { !own.contains($0.key.lowercased()) }
      .merging(request.httpHeaders) { $1 }
    return all.isEmpty ? nil : all
  }

  private func keep(_ reply: TransferReply) -> BackgroundTask {
    let task = BackgroundTask(taskIdentifier: reply.task)
    tasks.insert(task)
    return task
  }

  func take(_ progress: TransferDidProgressNotification) {
    let task = BackgroundTask(taskIdentifier: progress.task)
    guard tasks.contains(task) else { return }
    delegate.session(self, task: task, didTransfer: progress.bytes, of: progress.total)
  }

  func take(_ events: [BackgroundTransferEvent]) {
    for event in events {
      let task = BackgroundTask(taskIdentifier: event.task)
      tasks.remove(task)
      if let path = event.path {
        delegate.session(self, task: task, didFinishDownloadingTo: path, status: event.status)
      }
      let error = event.path == nil ? BackgroundTransferError(event) : nil
      delegate.session(self, task: task, didCompleteWithError: error)
    }
    delegate.sessionDidFinishEvents(self)
  }
}

extension BackgroundTransferError {
  fileprivate init(_ event: BackgroundTransferEvent) {
    reason = event.reason ?? "unknown"
    description = event.error ?? "the transfer has failed"
    status = event.status
  }
}

extension WidgetContext {
  /// Makes a session of background transfers, and keeps it and its delegate as long as the process lives.
  ///
  /// Make it when the widget is created, so that it gets the events of its transfers; those of a session that
  /// does not exist are reported to the app.
  ///
  /// ```swift
  /// var configuration = BackgroundSessionConfiguration.background(withIdentifier: "com.example.News.Today")
  /// configuration.sharedContainerIdentifier = "group.com.example.News"
  /// let session = extensionContext.backgroundSession(configuration: configuration, delegate: news)
  /// let task = try await session.downloadTask(with: BackgroundRequest(url: "https://example.com/news.json"))
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: Its settings. A session with the same identifier as an earlier one replaces that.
  ///   - delegate: What is notified of its transfers.
  /// - Returns: The session.
  public func backgroundSession(
    configuration: BackgroundSessionConfiguration,
    delegate: any BackgroundSessionDelegate
  ) -> BackgroundSession {
    let session = BackgroundSession(configuration, delegate, host)
    backgroundSessions[configuration.identifier] = session
    return session
  }

  /// Passes events to their session.
  ///
  /// - Parameter request: The events.
  /// - Throws: ``WireError`` with `notFound` if there is no such session: the app gets them then.
  func handle(_ request: HandleEventsForBackgroundURLSessionRequest) throws(WireError) {
    guard let session = backgroundSessions[request.identifier] else {
      throw WireError(
        code: .notFound,
        message: "params.identifier: no session “\(SafeText(request.identifier))” here"
      )
    }
    session.take(request.events)
  }

  func transferDidProgress(_ progress: TransferDidProgressNotification) {
    for session in backgroundSessions.values { session.take(progress) }
  }
}
