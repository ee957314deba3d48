/// Requests that the host downloads a file, and goes on with it when the widget is gone.
///
/// `{"jsonrpc":"2.0","id":4,"method":"downloadInBackground","params":{"identifier":"news",
/// "url":"https://example.com/news.json","sharedContainer":"group.com.example.news"}}`
public struct DownloadInBackgroundRequest: RequestMessage, Hashable {
  /// The method is `downloadInBackground`.
  public static let method = "downloadInBackground"
  /// The transfer.
  public typealias Reply = TransferReply

  /// The identifier of the session, of which each process has its own.
  public var identifier: String
  /// The URL, with the scheme `http` or `https`.
  public var url: String
  /// The app group in whose folder the file is put; without one the session is invalid.
  public var sharedContainer: String?
  /// Fields that are sent to the host of the URL.
  public var headers: [String: String]?
  /// The name of a secret that is sent to the host of the URL.
  public var credential: String?
  /// How the secret is sent: `basic`, as `user:password`, or `bearer`.
  public var authentication: String?
  /// The largest file in bytes.
  public var byteLimit: Int?

  /// Creates the request.
  public init(
    identifier: String,
    url: String,
    sharedContainer: String?,
    headers: [String: String]? = nil,
    byteLimit: Int? = nil
  ) {
    self.identifier = identifier
    self.url = url
    self.sharedContainer = sharedContainer
    self.headers = headers
    self.byteLimit = byteLimit
  }
}

/// Requests that the host sends a file, and goes on with it when the widget is gone.
///
/// `{"jsonrpc":"2.0","id":5,"method":"uploadInBackground","params":{"identifier":"news",
/// "url":"https://example.com/inbox","sharedContainer":"group.com.example.news","method":"POST",
/// "file":"outbox/7.json"}}`
public struct UploadInBackgroundRequest: RequestMessage, Hashable {
  /// The method is `uploadInBackground`.
  public static let method = "uploadInBackground"
  /// The transfer.
  public typealias Reply = TransferReply

  /// The identifier of the session, of which each process has its own.
  public var identifier: String
  /// The URL, with the scheme `http` or `https`.
  public var url: String
  /// The app group in whose folder the file is; without one the session is invalid.
  public var sharedContainer: String?
  /// The method of HTTP: `POST` or `PUT`.
  public var method: String
  /// The file, as a path in the folder of the group.
  public var file: String
  /// Fields that are sent to the host of the URL.
  public var headers: [String: String]?
  /// The name of a secret that is sent to the host of the URL.
  public var credential: String?
  /// How the secret is sent: `basic`, as `user:password`, or `bearer`.
  public var authentication: String?
  /// The largest answer in bytes.
  public var byteLimit: Int?

  /// Creates the request.
  public init(
    identifier: String,
    url: String,
    sharedContainer: String?,
    method: String,
    file: String,
    headers: [String: String]? = nil,
    byteLimit: Int? = nil
  ) {
    self.identifier = identifier
    self.url = url
    self.sharedContainer = sharedContainer
    self.method = method
    self.file = file
    self.headers = headers
    self.byteLimit = byteLimit
  }
}

/// The answer to a request for a transfer: `{"task":"6f1e0c2d9a7b4e55"}`.
public struct TransferReply: Codable, Hashable, Sendable {
  /// The name of the transfer.
  public var task: String

  /// Creates the reply.
  public init(task: String) {
    self.task = task
  }
}

/// Requests that a transfer of the widget ends; it is reported like one that has failed.
///
/// `{"jsonrpc":"2.0","id":6,"method":"cancelTransfer","params":{"task":"6f1e0c2d9a7b4e55"}}`
public struct CancelTransferRequest: RequestMessage, Hashable {
  /// The method is `cancelTransfer`.
  public static let method = "cancelTransfer"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The name of the transfer.
  public var task: String

  /// Creates the request.
  public init(task: String) {
    self.task = task
  }
}

/// Transfers of a session have ended; an answer acknowledges them, so that they are reported only once.
///
/// `{"jsonrpc":"2.0","id":9,"method":"handleEventsForBackgroundURLSession","params":{
/// "identifier":"news","events":[{"task":"6f1e0c2d9a7b4e55","url":"https://example.com/news.json",
/// "path":"/…/6f1e0c2d9a7b4e55","status":200}]}}`
public struct HandleEventsForBackgroundURLSessionRequest: RequestMessage, Hashable {
  /// The method is `handleEventsForBackgroundURLSession`.
  public static let method = "handleEventsForBackgroundURLSession"
  /// Nothing.
  public typealias Reply = NoMembers

  /// The identifier of the session.
  public var identifier: String
  /// The transfers that have ended.
  public var events: [BackgroundTransferEvent]

  /// Creates the request.
  public init(identifier: String, events: [BackgroundTransferEvent]) {
    self.identifier = identifier
    self.events = events
  }
}

/// The end of a transfer.
public struct BackgroundTransferEvent: Codable, Hashable, Sendable {
  /// The name of the transfer.
  public var task: String
  /// The URL that was requested.
  public var url: String
  /// The whole file, in the folder of the group; nil if the transfer has failed.
  public var path: String?
  /// Why it has failed, in words.
  public var error: String?
  /// The same as one word: `unauthorized`, `proxyUnauthorized`, `tls`, `http`, `network`, `redirect`,
  /// `url`, `tooLarge`, `storage`, `cancelled`, `missing`.
  public var reason: String?
  /// The status of the last response; nil if there was none.
  public var status: Int?

  /// Creates an event.
  public init(
    task: String,
    url: String,
    path: String? = nil,
    error: String? = nil,
    reason: String? = nil,
    status: Int? = nil
  ) {
    self.task = task
    self.url = url
    self.path = path
    self.error = error
    self.reason = reason
    self.status = status
  }
}

/// How far a transfer is, at most once a second.
///
/// `{"jsonrpc":"2.0","method":"transferDidProgress","params":{"task":"6f1e0c2d9a7b4e55",
/// "bytes":65536,"total":300000}}`
public struct TransferDidProgressNotification: NotificationMessage, Hashable {
  /// The method is `transferDidProgress`.
  public static let method = "transferDidProgress"

  /// The name of the transfer.
  public var task: String
  /// The bytes that were transferred.
  public var bytes: Int
  /// All bytes; null if that is not known.
  public var total: Int?

  /// Creates the notification.
  public init(task: String, bytes: Int, total: Int?) {
    self.task = task
    self.bytes = bytes
    self.total = total
  }

  private enum CodingKeys: String, CodingKey {
    case task, bytes, total
  }

  /// Writes all members; `total` is null if it is not known.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(task, forKey: .task)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(total, forKey: .total)
  }
}
