import FoundationEssentials
import WidgetKitCore

/// A snapshot as a file: a line that tells which one it is and whether it is whole, and its JSON.
///
/// `today-snapshot 2 SEQUENCE MADE CHECKSUM`. Each snapshot of a card has a higher sequence number
/// than the one before, and the checksum covers the rest of the line and the JSON: after a power cut
/// a file that was not written yet may have any content.
nonisolated struct SnapshotFile {
  /// Which of a card's snapshots it is; the highest is the newest.
  var sequence: UInt64
  /// When the widget sent it.
  var made: Date
  /// The JSON.
  var body: ArraySlice<UInt8>

  private static let mark = "today-snapshot 2"
  /// A line is not longer.
  static let headerLimit = 128
  /// No snapshot has a higher number: a million a second would take 36,000 years.
  static let lastSequence: UInt64 = 1 << 60

  /// The largest file that is read where widgets may send so much.
  ///
  /// The view and the timeline may come in two lines, and JSON of a view can be longer than what the
  /// widget sent: up to 11 times for text with escape sequences, 9 times for children that are empty
  /// strings, 4 times for tabs and large numbers.
  static func byteLimit(_ limits: HostLimits) -> Int {
    let (bytes, overflows) = limits.lineBytes.multipliedReportingOverflow(by: 2 * 16)
    return overflows ? .max : max(bytes, 0).addingSaturated(64 * 1024)
  }

  /// Describes a file that is to be written.
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

  /// Reads a whole file; nil where its bytes are anything else.
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

  /// What the first line says; that the file is whole it does not say.
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
  /// Describes a snapshot that is to be written.
  init(_ snapshot: Snapshot, sequence: UInt64) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let body = try Array(encoder.encode(snapshot))
    self.init(sequence: sequence, made: snapshot.made, body: body[...])
  }

  /// The snapshot in a file's JSON; nil where it is anything else, or more than the limits allow.
  ///
  /// A text was measured when it came, and is longer now where something in it was replaced.
  static func decode(_ body: ArraySlice<UInt8>, _ limits: ViewLimits) -> Snapshot? {
    var limits = limits
    limits.textBytes = .max
    let decoder = JSONDocumentDecoder(userInfo: [.viewBudget: ViewBudget(limits)])
    return try? decoder.decode(Snapshot.self, from: body)
  }
}
