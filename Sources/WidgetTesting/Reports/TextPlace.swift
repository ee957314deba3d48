/// A place in a text.
public nonisolated struct TextPlace: Hashable, Sendable, Codable {
  /// The line, from 1.
  public var line: Int
  /// The byte of the line, from 1.
  public var column: Int
}

nonisolated extension TextPlace {
  /// The place with which a message begins: `NAME:LINE:COLUMN: words`; nil if it begins otherwise.
  init?(beginning message: String) {
    let parts = message.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let line = Int(parts[1]), let column = Int(parts[2]) else {
      return nil
    }
    (self.line, self.column) = (line, column)
  }
}
