/// A place in a text.
public struct TextPlace: Hashable, Sendable, Codable {
  /// The line, from 1.
  public var line: Int
  /// The byte of the line, from 1.
  public var column: Int

  /// Makes a place of its line and the byte of that line, both from 1.
  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  /// The place with which a message begins: `NAME:LINE:COLUMN: words`; nil if it begins otherwise.
  package init?(beginning message: String) {
    let parts = message.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let line = Int(parts[1]), let column = Int(parts[2]) else {
      return nil
    }
    self.init(line: line, column: column)
  }

  /// The first place of some words in the lines of a text that have others, too; nil if no line has all.
  ///
  /// - Parameters:
  ///   - words: The words; an empty text is nowhere.
  ///   - bytes: The text, with line ends of Unix or Windows.
  ///   - others: What else the line has.
  package init?(of words: String, in bytes: [UInt8], with others: some Collection<String> = []) {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() where others.allSatisfy({ line.contains($0) }) {
      guard let found = line.firstRange(of: words) else { continue }
      let column = line.utf8.distance(from: line.startIndex, to: found.lowerBound)
      self.init(line: index + 1, column: column + 1)
      return
    }
    return nil
  }
}
