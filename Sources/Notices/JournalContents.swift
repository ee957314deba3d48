import Glibc
import Synchronization
import WidgetPlatform

/// The bytes of a journal whose lines have been looked at, for those that are read later.
///
/// A class because it owns the open file, which stays the same when the journal is written anew.
final class JournalContents: Sendable {
  private let file: Descriptor
  /// The part of the file that was read last, as many lines are read one after another.
  private let window = Mutex(Window())

  private struct Window {
    var start = 0
    var bytes: [UInt8] = []
  }

  private static let windowSize = 128 << 10

  init(_ file: consuming Descriptor) {
    self.file = file
  }

  /// A line; nil if it is not what it was, as when another program has changed the file.
  func line(_ place: NoticeJournal.Place) -> (bytes: [UInt8], line: JournalLine)? {
    window.withLock { window in
      let range = place.range
      if range.lowerBound < window.start || range.upperBound > window.start + window.bytes.count {
        let count = max(Self.windowSize, range.count)
        window = Window(start: range.lowerBound, bytes: file.read(count, from: range.lowerBound))
      }
      let start = range.lowerBound - window.start
      guard start + range.count <= window.bytes.count else { return nil }
      let bytes = Array(window.bytes[start..<start + range.count])
      return JournalLine(bytes, bytes.indices).map { (bytes, $0) }
    }
  }
}
