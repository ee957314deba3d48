import FoundationEssentials

/// Requests new data; one request at a time for each widget, with 30 s to answer.
///
/// `{"jsonrpc":"2.0","id":5,"method":"widgetPerformUpdate","params":{"reason":"schedule"}}`
public struct WidgetPerformUpdateRequest: RequestMessage, Hashable {
  /// The method is `widgetPerformUpdate`.
  public static let method = "widgetPerformUpdate"

  /// The reason for the request.
  public var reason: UpdateReason

  /// Creates the request.
  public init(reason: UpdateReason) {
    self.reason = reason
  }

  /// The result.
  public struct Reply: Codable, Hashable, Sendable {
    /// The result: new data, no data or failed.
    public var result: UpdateResult
    /// The new content, with `newData`.
    public var content: ContentUpdate
    /// Future content, with `newData`.
    public var timeline: Timeline?
    /// The error, shown in the heading of the card.
    public var error: SafeText?
    /// The requested time until the next update, in seconds.
    public var refreshAfter: Double?

    /// Creates the reply.
    public init(
      _ result: UpdateResult,
      content: ContentUpdate = ContentUpdate(),
      timeline: Timeline? = nil,
      error: SafeText? = nil,
      refreshAfter: Double? = nil
    ) {
      self.result = result
      self.content = content
      self.timeline = timeline
      self.error = error
      self.refreshAfter = refreshAfter
    }

    enum CodingKeys: String, CodingKey {
      case result
      case timeline
      case error
      case refreshAfter
    }

    /// Reads the reply; the members of ``content`` are next to the others.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      result = try container.decode(UpdateResult.self, forKey: .result)
      timeline = try container.decodeIfPresent(Timeline.self, forKey: .timeline)
      error = try container.decodeIfPresent(SafeText.self, forKey: .error)
      refreshAfter = try container.decodeIfPresent(Double.self, forKey: .refreshAfter)
      if let refreshAfter, refreshAfter < 0 {
        throw DecodingError.dataCorruptedError(
          forKey: .refreshAfter,
          in: container,
          debugDescription: "expected seconds, 0 or more, found \(refreshAfter)"
        )
      }
      content = try ContentUpdate(from: decoder)
    }

    /// Writes the reply.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(result, forKey: .result)
      try container.encodeIfPresent(timeline, forKey: .timeline)
      try container.encodeIfPresent(error, forKey: .error)
      try container.encodeIfPresent(refreshAfter, forKey: .refreshAfter)
      try content.encode(to: encoder)
    }
  }
}
