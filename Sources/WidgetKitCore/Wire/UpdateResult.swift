/// What came of an update (NCUpdateResult).
public enum UpdateResult: String, Hashable, Sendable, Codable {
  /// What is shown must change.
  case newData
  /// Nothing that is shown changes: nothing is drawn, nothing is written.
  case noData
  /// It did not work: everything stays as it is.
  case failed
}

/// Why an update is asked for.
public enum UpdateReason: String, Hashable, Sendable, Codable {
  /// The card comes on the screen.
  case appear
  /// Its time has come.
  case schedule
  /// A person asked.
  case user
  /// A script or the containing app asked.
  case event
}
