/// A place in a text.
public nonisolated struct TextPlace: Hashable, Sendable, Codable {
  /// The line, from 1.
  public var line: Int
  /// The byte of the line, from 1.
  public var column: Int
}
