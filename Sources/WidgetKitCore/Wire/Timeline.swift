public import FoundationEssentials

/// Content for a future date (TimelineEntry of WidgetKit).
public struct TimelineEntry: Hashable, Sendable {
  /// The date from which it is shown.
  public var date: Date
  /// The content.
  public var content: ContentUpdate
  /// Its relevance compared with other entries; larger is more relevant.
  public var relevance: Double?

  /// Creates an entry.
  public init(date: Date, content: ContentUpdate, relevance: Double? = nil) {
    self.date = date
    self.content = content
    self.relevance = relevance
  }
}

/// Content for future dates, shown without resuming the widget.
///
/// `{"entries":[{"date":"2026-11-20T15:00:00Z","view":{…}}],"policy":"atEnd"}`
public struct Timeline: Hashable, Sendable {
  /// The entries, in any order.
  public var entries: [TimelineEntry]
  /// When to request the next timeline.
  public var policy: ReloadPolicy

  /// Creates a timeline.
  public init(entries: [TimelineEntry], policy: ReloadPolicy) {
    self.entries = entries
    self.policy = policy
  }

  /// When to request the next timeline.
  public enum ReloadPolicy: Hashable, Sendable {
    /// After the last entry's date.
    case atEnd
    /// At this date or later.
    case after(Date)
    /// Only on request.
    case never
  }
}

extension TimelineEntry: Codable {
  enum CodingKeys: String, CodingKey {
    case date
    case relevance
  }

  /// Reads an entry; its date is RFC 3339.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    date = try container.decodeInternetDate(forKey: .date)
    relevance = try container.decodeIfPresent(Double.self, forKey: .relevance)
    content = try ContentUpdate(from: decoder)
  }

  /// Writes an entry.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeInternetDate(date, forKey: .date)
    try container.encodeIfPresent(relevance, forKey: .relevance)
    try content.encode(to: encoder)
  }
}

extension Timeline.ReloadPolicy: Codable {
  enum CodingKeys: String, CodingKey {
    case after
  }

  /// Reads `"atEnd"`, `"never"` or `{"after":date}`.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      switch name {
      case "atEnd": self = .atEnd
      case "never": self = .never
      default:
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "expected atEnd, never or {\"after\": date}"
          )
        )
      }
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = .after(try container.decodeInternetDate(forKey: .after))
  }

  /// Writes the form that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .atEnd:
      var container = encoder.singleValueContainer()
      try container.encode("atEnd")
    case .never:
      var container = encoder.singleValueContainer()
      try container.encode("never")
    case .after(let date):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeInternetDate(date, forKey: .after)
    }
  }
}

extension Timeline: Codable {}

extension KeyedEncodingContainer {
  /// Writes a date in the form of RFC 3339, exactly.
  mutating func encodeInternetDate(_ date: Date, forKey key: Key) throws {
    try encode(InternetDate(date: date, offsetFromGMT: nil).text, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Reads a date of RFC 3339 (`2026-11-20T14:32:07+01:00`); a date outside the years 0 to 9999 is
  /// replaced by the nearest one inside.
  func decodeInternetDate(forKey key: Key) throws -> Date {
    let date = try decodeAnyDate(forKey: key)
    let seconds = date.timeIntervalSinceReferenceDate
    let bounded = min(max(seconds, InternetDate.first), InternetDate.last)
    return bounded == seconds ? date : Date(timeIntervalSinceReferenceDate: bounded)
  }

  private func decodeAnyDate(forKey key: Key) throws -> Date {
    let text = try decode(String.self, forKey: key)
    if let moment = InternetDate(text) { return moment.date }
    for style in [Date.ISO8601FormatStyle(), .init(includingFractionalSeconds: true)] {
      if let date = try? Date(text, strategy: style) { return date }
    }
    throw DecodingError.dataCorruptedError(
      forKey: key,
      in: self,
      debugDescription: "expected a date such as 2026-11-20T14:32:07+01:00"
    )
  }
}
