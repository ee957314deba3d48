/// The user is typing in a field; at most one every 50 ms, with the newest text.
///
/// `{"jsonrpc":"2.0","method":"fieldDidChange","params":{"field":"search","text":"clo"}}`
public struct FieldDidChangeNotification: NotificationMessage, Hashable {
  /// The method is `fieldDidChange`.
  public static let method = "fieldDidChange"

  /// The `id` of the field.
  public var field: String
  /// Its whole text.
  public var text: String

  /// Creates it.
  public init(field: String, text: String) {
    (self.field, self.text) = (field, text)
  }
}
