import FoundationEssentials
import WidgetKitCore
import WidgetPlatform

/// A snapshot as a file: a line that identifies it and allows to check whether it is complete, and its
/// JSON.
///
/// The line is `today-snapshot 2 SEQUENCE MADE CHECKSUM`. Each snapshot of a card has a higher sequence
/// number than the previous one. The checksum covers the rest of the line and the JSON, because after a
/// power failure a file that was not written yet may have any content.
nonisolated struct SnapshotFile {
  /// The sequence number among a card's snapshots; the highest is the newest.
  var sequence: UInt64
  /// When the widget sent it.
  var made: Date
  /// The JSON.
  var body: ArraySlice<UInt8>

  private static let mark = "today-snapshot 2"
  /// The longest length of the line in bytes.
  static let headerLimit = 128
  /// The highest sequence number: with a million snapshots a second it would take 36,000 years to
  /// reach.
  static let lastSequence: UInt64 = 1 << 60

  /// Returns the largest size of a file that is read, for the given limits on what widgets send.
  ///
  /// The view and the timeline may be sent in two lines, and the JSON of a view can be longer than what
  /// the widget sent: up to 11 times for text with escape sequences, 9 times for children that are
  /// empty strings, 4 times for tabs and large numbers.
  static func byteLimit(_ limits: HostLimits) -> Int {
    let (bytes, overflows) = limits.lineBytes.multipliedReportingOverflow(by: 2 * 16)
    return overflows ? .max : max(bytes, 0).addingSaturated(64 * 1024)
  }

  /// Creates a file to be written.
  init(sequence: UInt64, made: Date, body: ArraySlice<UInt8>) {
    self.sequence = sequence
    self.made = made
    self.body = body
  }

  /// All bytes of the file.
  var bytes: [UInt8] {
    let start = Self.start(sequence, made)
    let checksum = String(StableHash.value(of: start, followedBy: body), radix: 16)
    return Array("\(start)\(checksum)\n".utf8) + body
  }

  /// Reads a whole file; returns nil if its bytes are not a snapshot.
  init?(_ bytes: [UInt8]) {
    guard let header = Header(bytes.prefix(Self.headerLimit)) else { return nil }
    body = bytes[header.byteCount...]
    sequence = header.sequence
    made = header.made
    let start = Self.start(sequence, made)
    guard StableHash.value(of: start, followedBy: body) == header.checksum else { return nil }
  }

  private static func start(_ sequence: UInt64, _ made: Date) -> String {
    "\(mark) \(sequence) \(made.timeIntervalSinceReferenceDate) "
  }

  /// The content of the first line; it does not tell whether the file is complete.
  struct Header {
    var sequence: UInt64
    var made: Date
    fileprivate var checksum: UInt64
    fileprivate var byteCount: Int

    /// Reads the line from the first bytes of a file.
    init?(_ bytes: ArraySlice<UInt8>) {
      guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
      let line = String(decoding: bytes[..<end], as: UTF8.self)
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 5, line.hasPrefix(SnapshotFile.mark + " "),
        let sequence = UInt64(parts[2]), sequence <= SnapshotFile.lastSequence,
        let seconds = Double(parts[3]), let checksum = UInt64(parts[4], radix: 16)
      else { return nil }
      self.sequence = sequence
      made = Date(timeIntervalSinceReferenceDate: seconds)
      guard made.isInCalendar else { return nil }
      self.checksum = checksum
      byteCount = end - bytes.startIndex + 1
    }
  }
}

nonisolated extension SnapshotFile {
  /// Creates a file to be written from a snapshot.
  init(_ snapshot: Snapshot, sequence: UInt64) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let body = try Array(encoder.encode(snapshot))
    self.init(sequence: sequence, made: snapshot.made, body: body[...])
  }

  /// Returns the snapshot in a file's JSON, or nil if it is not a snapshot or exceeds the limits.
  ///
  /// A text was measured when it was received, and is longer now if characters in it were replaced.
  static func decode(_ body: ArraySlice<UInt8>, _ limits: ViewLimits) -> Snapshot? {
    var limits = limits
    limits.textBytes = .max
    let decoder = JSONDocumentDecoder(userInfo: [.viewBudget: ViewBudget(limits)])
    return try? decoder.decode(Snapshot.self, from: body)
  }
}
