/// The result of an update (NCUpdateResult).
public enum UpdateResult: String, CaseIterable, Hashable, Sendable, Codable {
  /// The content has changed.
  case newData
  /// The content has not changed: nothing is drawn or stored.
  case noData
  /// The update failed: the content stays.
  case failed

  /// Reads the word.
  public init(from decoder: any Decoder) throws {
    self = try WireWord.read(Self.self, from: decoder)
  }
}

/// Why an update is requested.
public enum UpdateReason: String, CaseIterable, Hashable, Sendable, Codable {
  /// The card appears.
  case appear
  /// The update is due.
  case schedule
  /// The user requested it.
  case user
  /// A script or the containing app requested it.
  case event

  /// Reads the word.
  public init(from decoder: any Decoder) throws {
    self = try WireWord.read(Self.self, from: decoder)
  }
}
