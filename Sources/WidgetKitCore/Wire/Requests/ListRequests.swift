/// Asks whether a row of a list may be removed; a widget without this method allows it.
///
/// `{"jsonrpc":"2.0","id":7,"method":"listShouldRemoveRow","params":{"list":"todo","row":"3"}}`
public struct ListShouldRemoveRowRequest: RequestMessage, Hashable {
  /// The method is `listShouldRemoveRow`.
  public static let method = "listShouldRemoveRow"

  /// The `id` of the list.
  public var list: String
  /// The `id` of the row.
  public var row: String

  /// Creates the request.
  public init(list: String, row: String) {
    (self.list, self.row) = (list, row)
  }

  /// The result.
  public struct Reply: Codable, Hashable, Sendable {
    /// Whether the row may be removed.
    public var allowed: Bool

    /// Creates the reply.
    public init(allowed: Bool) {
      self.allowed = allowed
    }
  }
}

/// The user removed a row of a list; an error puts it back.
///
/// `{"jsonrpc":"2.0","id":8,"method":"listDidRemoveRow","params":{"list":"todo","row":"3"}}`
public struct ListDidRemoveRowRequest: RequestMessage, Hashable {
  /// The method is `listDidRemoveRow`.
  public static let method = "listDidRemoveRow"
  /// The new content.
  public typealias Reply = ContentUpdate

  /// The `id` of the list.
  public var list: String
  /// The `id` of the row.
  public var row: String

  /// Creates the request.
  public init(list: String, row: String) {
    (self.list, self.row) = (list, row)
  }
}

/// The user moved a row of a list; an error puts it back.
///
/// `{"jsonrpc":"2.0","id":9,"method":"listDidMoveRow","params":{"list":"todo","row":"3","before":null}}`
public struct ListDidMoveRowRequest: RequestMessage, Hashable {
  /// The method is `listDidMoveRow`.
  public static let method = "listDidMoveRow"
  /// The new content.
  public typealias Reply = ContentUpdate

  /// The `id` of the list.
  public var list: String
  /// The `id` of the row.
  public var row: String
  /// The `id` of the row before which it is now; nil if it is the last one.
  public var before: String?

  /// Creates the request.
  public init(list: String, row: String, before: String?) {
    (self.list, self.row, self.before) = (list, row, before)
  }

  private enum CodingKeys: String, CodingKey {
    case list, row, before
  }

  /// Writes all members; `before` is null for the last row.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(list, forKey: .list)
    try container.encode(row, forKey: .row)
    try container.encode(before, forKey: .before)
  }
}

/// The user asks for a new row of a list, while the widget is edited.
///
/// `{"jsonrpc":"2.0","id":10,"method":"widgetListPerformAddAction","params":{"list":"todo"}}`
public struct WidgetListPerformAddActionRequest: RequestMessage, Hashable {
  /// The method is `widgetListPerformAddAction`.
  public static let method = "widgetListPerformAddAction"
  /// The new content.
  public typealias Reply = ContentUpdate

  /// The `id` of the list.
  public var list: String

  /// Creates the request.
  public init(list: String) {
    self.list = list
  }
}
