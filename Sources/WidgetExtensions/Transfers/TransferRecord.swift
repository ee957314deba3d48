package import WidgetKitCore

/// A transfer as it is stored: what is to be done, for whom, and what became of it.
public struct TransferRecord: Codable, Hashable, Sendable {
  /// Whether a file comes or goes.
  public enum Kind: String, Codable, Sendable {
    /// It comes.
    case download
    /// It goes, and the answer comes.
    case upload
  }

  /// How it has ended.
  public struct Ending: Codable, Hashable, Sendable {
    /// The file that has come; nil if it has failed.
    public var path: String?
    /// Why it has failed, in words.
    public var error: String?
    /// Why it has failed, in one word.
    public var reason: String?
    /// The status of the last response.
    public var status: Int?
  }

  /// The name of the transfer.
  public var task: String
  /// Whether a file comes or goes.
  public var kind: Kind
  /// The identifier of the session.
  public var identifier: String
  /// The app group.
  public var group: String
  /// The widget that has requested it.
  public var widget: String
  /// The identifier of the widget's app.
  public var app: String
  /// The bundle of that app.
  public var appPath: String
  /// The method of HTTP.
  public var method: String
  /// The URL.
  public var url: String
  /// The fields to be sent; none when it has ended, as they may have secrets.
  public var headers: [String: String] = [:]
  /// The file that goes, below the folder of the group.
  public var file: String?
  /// The largest file that may come.
  public var byteLimit: Int
  /// The secret that is sent; nil if there is none.
  package var credential: TransferCredential?
  /// What identifies the content of which a part has come.
  public var validator: String?
  /// How it has ended; nil while it has not.
  public var result: Ending?
  /// How often its app was started for it in vain.
  public var refusals = 0

  /// The end of the transfer as it is reported; nil while it has not ended.
  package var event: BackgroundTransferEvent? {
    result.map {
      BackgroundTransferEvent(
        task: task,
        url: url,
        path: $0.path,
        error: $0.error,
        reason: $0.reason,
        status: $0.status
      )
    }
  }

  /// The session, of which one process at a time gets the events.
  package var session: TransferSessionName { TransferSessionName(app: app, identifier: identifier) }
}

/// The name of a session: identifiers of different apps are different sessions.
package struct TransferSessionName: Hashable, Sendable {
  package var app: String
  package var identifier: String

  /// Creates it with its values.
  package init(app: String, identifier: String) {
    self.app = app
    self.identifier = identifier
  }
}

/// How far a transfer is.
public struct TransferProgress: Codable, Hashable, Sendable {
  /// The bytes that were transferred.
  public var bytes: Int
  /// All bytes; nil if that is not known.
  public var total: Int?
}
