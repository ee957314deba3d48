/// What is done in a coordinated access to a file.
public enum CoordinationIntent: String, CaseIterable, Hashable, Sendable, Codable {
  /// Reading, together with other readers.
  case read
  /// Writing, while nobody else reads or writes.
  case write

  /// Reads the word.
  public init(from decoder: any Decoder) throws {
    self = try WireWord.read(Self.self, from: decoder)
  }
}

/// Begins a coordinated access to a file of an app group; it is answered when the widget has the access.
///
/// `{"jsonrpc":"2.0","id":"f","method":"coordinateBegin","params":{
/// "path":"/home/ida/.local/share/today/groups/group.com.example.Coffee/cups.json","intent":"write"}}`
public struct CoordinateBeginRequest: RequestMessage, Hashable {
  /// The method is `coordinateBegin`.
  public static let method = "coordinateBegin"

  /// The absolute path of the file, which need not exist.
  public var path: String
  /// What is done with it.
  public var intent: CoordinationIntent

  /// Creates the request.
  public init(path: String, intent: CoordinationIntent) {
    self.path = path
    self.intent = intent
  }

  /// The access.
  public struct Reply: Codable, Hashable, Sendable {
    /// The number with which it is ended.
    public var token: Int

    /// Creates the reply.
    public init(token: Int) {
      self.token = token
    }
  }
}

/// Ends a coordinated access.
///
/// `{"jsonrpc":"2.0","method":"coordinateEnd","params":{"token":3}}`
public struct CoordinateEndNotification: NotificationMessage, Hashable {
  /// The method is `coordinateEnd`.
  public static let method = "coordinateEnd"

  /// The number in the answer to `coordinateBegin`.
  public var token: Int

  /// Creates it.
  public init(token: Int) {
    self.token = token
  }
}
