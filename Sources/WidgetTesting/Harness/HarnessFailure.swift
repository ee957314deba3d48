/// Why a step of a test could not be made.
public nonisolated struct HarnessFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What has happened, in a sentence.
  public var description: String

  /// Creates a failure.
  public init(_ description: String) {
    self.description = description
  }
}
