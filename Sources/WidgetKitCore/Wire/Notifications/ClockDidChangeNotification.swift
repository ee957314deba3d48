public import FoundationEssentials

/// The time of a test has changed; it passes only as the test says.
///
/// Sent only under test, to a widget that implements it; `initialize` has `now` then.
///
/// `{"jsonrpc":"2.0","method":"clockDidChange","params":{"now":"2031-02-03T04:05:06Z"}}`
public struct ClockDidChangeNotification: NotificationMessage, Hashable {
  /// The method is `clockDidChange`.
  public static let method = "clockDidChange"

  /// The present time.
  public var now: Date

  /// Creates it.
  public init(now: Date) {
    self.now = now
  }

  enum CodingKeys: CodingKey {
    case now
  }

  /// Reads it; the time is RFC 3339.
  public init(from decoder: any Decoder) throws {
    now = try decoder.container(keyedBy: CodingKeys.self).decodeInternetDate(forKey: .now)
  }

  /// Writes it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeInternetDate(now, forKey: .now)
  }
}
