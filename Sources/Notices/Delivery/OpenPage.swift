import Glibc
import WidgetPlatform

/// A page that is open, with its file.
///
/// A class because it owns the descriptor whose lock says that the page lives.
package final class OpenPage {
  /// Whether the terminal of a page has the focus.
  package enum Focus: Hashable, Sendable {
    /// The terminal says so.
    case here
    /// The terminal says that it has not.
    case elsewhere
    /// The terminal has said nothing: it counts for a while after a key.
    case unknown
  }

  let name: String
  private(set) var entry: PageEntry
  private var file: Int32
  /// The notices that are being told of.
  private var claims: Set<Int> = []
  private var written: [UInt8] = []

  init(file: Int32, name: String, process: PageProcess) {
    (self.file, self.name) = (file, name)
    entry = PageEntry(name: name)
    entry.process = process
    write()
  }

  deinit { close() }

  /// Says whether the terminal has the focus; with ``Focus/unknown``, that a key was typed.
  package func set(_ focus: Focus, at now: Int = PageEntry.now) {
    // A key writes at most once in some seconds.
    if focus == entry.focus, focus != .unknown || now - entry.since < PageEntry.shortestStep {
      return
    }
    entry.focus = focus
    entry.since = now
    write()
  }

  func claim(_ ids: [Int]) {
    claims.formUnion(ids)
    claimsDidChange()
  }

  /// A notice was told of.
  package func finish(_ id: Int) {
    claims.remove(id)
    claimsDidChange()
  }

  private func claimsDidChange() {
    if let first = claims.min(), let last = claims.max() {
      entry.claimed = first...last
    } else {
      entry.claimed = nil
    }
    write()
  }

  private func write() {
    let bytes = entry.bytes
    guard file >= 0, bytes != written else { return }
    written = bytes
    // One call: a kill leaves the old or the new text.
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
  }

  func close() {
    guard file >= 0 else { return }
    flock(file, LOCK_UN)
    Glibc.close(file)
    file = -1
  }
}

/// What the file of a page says.
struct PageEntry: Hashable {
  var name: String
  var focus = OpenPage.Focus.unknown
  /// When the focus changed or a key was typed, in milliseconds since the machine was started.
  var since = PageEntry.now
  /// The notices that it is telling of.
  var claimed: ClosedRange<Int>?
  /// Its process; nil if the file does not say.
  var process: PageProcess?

  static let size = 128
  /// How long a terminal that says nothing counts as one with the focus after a key.
  private static let keyTime = 60_000
  static let shortestStep = 5_000

  init(name: String) {
    self.name = name
  }

  /// Reads the bytes of a file; those that cannot be read are of a page that never had the focus.
  init(_ bytes: [UInt8], name: String) {
    self.init(name: name)
    (focus, since) = (.elsewhere, 0)
    let parts = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard parts.count == 7, parts[0] == "1", let since = Int(parts[2]), since >= 0 else { return }
    self.since = since
    switch parts[1] {
    case "f": focus = .here
    case "k": focus = .unknown
    default: focus = .elsewhere
    }
    if let first = Int(parts[3]), let last = Int(parts[4]), 0 < first, first <= last {
      claimed = first...last
    }
    if let number = Int(parts[5]), number > 0, let start = Int(parts[6]) {
      process = PageProcess(number: number, start: start)
    }
  }

  var first: Int? { claimed?.lowerBound }

  /// As it is written.
  var bytes: [UInt8] {
    let letter =
      switch focus {
      case .here: "f"
      case .elsewhere: "u"
      case .unknown: "k"
      }
    let (first, last) = (claimed?.lowerBound ?? 0, claimed?.upperBound ?? 0)
    let (number, start) = (process?.number ?? 0, process?.start ?? 0)
    let text = Array("1 \(letter) \(since) \(first) \(last) \(number) \(start)".utf8)
    return text + [UInt8](repeating: UInt8(ascii: " "), count: Self.size - 1 - text.count) + [
      UInt8(ascii: "\n")
    ]
  }

  var hasFocus: Bool {
    switch focus {
    case .here: true
    case .elsewhere: false
    case .unknown: Self.now - since < Self.keyTime
    }
  }

  /// Of pages without the focus, the one that had it last has the highest rank.
  var rank: Rank { Rank(since: since, name: name) }

  struct Rank: Comparable {
    var since: Int
    var name: String

    static func < (one: Rank, other: Rank) -> Bool {
      (one.since, one.name) < (other.since, other.name)
    }
  }

  /// Milliseconds of a clock that all programs of the machine have, and that nobody sets.
  static var now: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
