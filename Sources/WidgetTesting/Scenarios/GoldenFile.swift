import FoundationEssentials
import WidgetPlatform

/// The cells of a card at some widths, as they are kept in `Tests/Goldens/NAME.txt`.
struct GoldenFile {
  /// The path of the file.
  let path: String
  private static let byteLimit = 1 << 20

  /// Compares the cells with the file, or writes it.
  ///
  /// - Parameters:
  ///   - rows: The rows of the file.
  ///   - records: Whether the file is written.
  /// - Returns: What is different, in words, and whether the file was written.
  func check(_ rows: [String], records: Bool) -> (problem: String?, isRecorded: Bool) {
    let old = UserFile.bytes(path, byteLimit: Self.byteLimit).map {
      String(decoding: $0, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init).dropLast()
    }
    if let old, Array(old) == rows { return (nil, false) }
    guard records else {
      guard let old else {
        return ("\(path) is missing; “today test --record” writes it", false)
      }
      let words = TextDifference.words(Array(old), rows).joined(separator: "\n")
      return ("the cells differ from \(path):\n\(words)", false)
    }
    do {
      let folder = URL(filePath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try UserFile.write(rows.map { "\($0)\n" }.joined(), to: path)
    } catch {
      return ("\(path) could not be written: \(error)", false)
    }
    return (nil, true)
  }
}
