import FoundationEssentials
import WidgetPlatform

/// The contents that a card has had in one form and language, oldest first, as the bytes of a file.
///
/// Each entry is two lines: `today-past 1 MADE LENGTH CHECKSUM`, and a content as JSON without line feeds, of which
/// those are the length in bytes and the checksum. Entries are appended; one that is cut off or damaged is
/// skipped.
nonisolated struct PastFile {
  /// One content in the file.
  struct Entry: Hashable, Sendable {
    /// When the widget sent it.
    var made: Date
    /// The bytes of its JSON in the file.
    var body: Range<Int>
    /// By which equal contents are known.
    var checksum: UInt64
  }

  /// The entries that are whole.
  let entries: [Entry]
  private let bytes: [UInt8]

  private static let mark = "today-past 1 "
  /// The longest first line of an entry in bytes.
  private static let headerLimit = 96

  /// Reads the entries of a file.
  ///
  /// - Complexity: Linear in the size of the file.
  init(_ bytes: [UInt8]) {
    var entries: [Entry] = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: Self.lineFeed) {
      let header = Self.header(bytes[start..<end])
      start = end + 1
      guard let header, header.length < bytes.count - start,
        bytes[start + header.length] == Self.lineFeed
      else { continue }
      let body = start..<start + header.length
      guard StableHash.value(of: "", followedBy: bytes[body]) == header.checksum else { continue }
      entries.append(Entry(made: header.made, body: body, checksum: header.checksum))
      start = body.upperBound + 1
    }
    self.entries = entries
    self.bytes = bytes
  }

  /// The JSON of an entry.
  func body(of entry: Entry) -> ArraySlice<UInt8> { bytes[entry.body] }

  /// The file with the newest of its entries alone, none of them older than `date`.
  ///
  /// - Parameters:
  ///   - date: The earliest date that is kept.
  ///   - byteLimit: The size of the result.
  /// - Returns: The bytes of the file.
  func keeping(since date: Date, byteLimit: Int) -> [UInt8] {
    var kept: [[UInt8]] = []
    var size = 0
    for entry in entries.reversed() where entry.made >= date {
      let entry = Self.bytes(of: body(of: entry), made: entry.made)
      size += entry.count
      guard size <= byteLimit else { break }
      kept.append(entry)
    }
    return Array(kept.reversed().joined())
  }

  /// The bytes that are appended for a content.
  static func bytes(of body: ArraySlice<UInt8>, made: Date) -> [UInt8] {
    let checksum = String(StableHash.value(of: "", followedBy: body), radix: 16)
    let header = "\(mark)\(made.timeIntervalSinceReferenceDate) \(body.count) \(checksum)\n"
    return Array(header.utf8) + body + [lineFeed]
  }

  /// When the first content was made, from the first bytes of a file; nil if they are not an entry.
  static func firstDate(_ bytes: [UInt8]) -> Date? {
    bytes.firstIndex(of: lineFeed).flatMap { header(bytes[..<$0])?.made }
  }

  /// How many bytes ``firstDate(_:)`` takes.
  static let firstDateBytes = headerLimit

  private static let lineFeed = UInt8(ascii: "\n")

  private static func header(
    _ line: ArraySlice<UInt8>
  ) -> (made: Date, length: Int, checksum: UInt64)? {
    guard line.count < headerLimit, line.starts(with: mark.utf8) else { return nil }
    let parts = String(decoding: line, as: UTF8.self).dropFirst(mark.utf8.count)
      .split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let seconds = Double(parts[0]), let length = Int(parts[1]),
      length >= 0, let checksum = UInt64(parts[2], radix: 16)
    else { return nil }
    let made = Date(timeIntervalSinceReferenceDate: seconds)
    return made.isInCalendar ? (made, length, checksum) : nil
  }
}
