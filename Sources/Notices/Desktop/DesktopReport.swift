/// What the program `notice-agent` reports.
enum DesktopReport: Hashable {
  /// What it does, in a word and in words.
  case state(DesktopState, String)
  /// A notification that was sent to the daemon of the desktop.
  case posted(DesktopNotification)
  /// A notification was closed, for a reason.
  case closed(DesktopNumber, CloseReason)
  /// An action of a notification was chosen, by its key.
  case acted(DesktopNumber, key: String)
  /// So many reports were left out, as nobody has read them in time.
  case omitted(Int)

  /// Why a notification was closed (Desktop Notifications Specification, `NotificationClosed`).
  enum CloseReason: Int {
    case expired = 1
    /// By the user.
    case dismissed = 2
    /// By the application.
    case closed = 3
    case undefined = 4
  }
}

/// What the program `notice-agent` does.
package enum DesktopState: String, Sendable {
  /// It waits for the end of another one, which reports.
  case waiting
  /// Nobody shows notifications.
  case idle
  /// It listens to the notifications that another program shows.
  case watching
  /// It is the daemon of notifications itself.
  case own
  /// There is no bus, or no library for it.
  case absent
}

/// The number of a notification, with what distinguishes it from those of other daemons and sessions.
struct DesktopNumber: Hashable {
  var scope: String
  var id: UInt32

  /// The scope of the notifications that are sent to `notice-agent` itself.
  static let ownScope = "own"
  private static let prefix = "desktop"

  init(scope: String, id: UInt32) {
    (self.scope, self.id) = (scope, id)
  }

  /// Whether it was sent to `notice-agent` itself.
  var isOwn: Bool { scope == Self.ownScope }

  /// The tag of its notice, by which a later notification of the same number takes its place: `desktop own 7`.
  var tag: String { "\(Self.prefix) \(scope) \(id)" }

  /// The number in the tag of a notice; nil if there is none.
  init?(tag: String) {
    let parts = tag.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == Self.prefix, let id = UInt32(parts[2]) else { return nil }
    self.init(scope: String(parts[1]), id: id)
  }
}

/// Takes reports from the bytes that the program writes: the number of texts, and each of them, all ended by a NUL.
struct DesktopReportReader {
  private var rest: [UInt8] = []
  private var fields: [String] = []
  /// How many texts the present report has; nil before the first one.
  private var count: Int?

  init() {}

  /// Takes bytes; returns the reports that are complete.
  mutating func take(_ bytes: [UInt8]) -> [DesktopReport] {
    rest += bytes
    var reports: [DesktopReport] = []
    var start = 0
    while let end = rest[start...].firstIndex(of: 0) {
      let text = String(decoding: rest[start..<end], as: UTF8.self)
      start = end + 1
      guard let count else {
        count = Int(text)
        continue
      }
      fields.append(text)
      guard fields.count == count else { continue }
      if let report = DesktopReport(fields) { reports.append(report) }
      (self.count, fields) = (nil, [])
    }
    rest.removeFirst(start)
    return reports
  }
}

extension DesktopReport {
  /// Reads a report; nil if it is none that is known.
  init?(_ fields: [String]) {
    switch fields.first {
    case "state" where fields.count == 3:
      guard let state = DesktopState(rawValue: fields[1]) else { return nil }
      self = .state(state, fields[2])
    case "posted":
      guard let notification = DesktopNotification(fields.dropFirst()) else { return nil }
      self = .posted(notification)
    case "closed" where fields.count == 4:
      guard let number = Self.number(fields), let reason = Int(fields[3]) else { return nil }
      self = .closed(number, CloseReason(rawValue: reason) ?? .undefined)
    case "acted" where fields.count == 4:
      guard let number = Self.number(fields) else { return nil }
      self = .acted(number, key: fields[3])
    case "omitted" where fields.count == 2:
      guard let count = Int(fields[1]), count > 0 else { return nil }
      self = .omitted(count)
    default: return nil
    }
  }

  private static func number(_ fields: [String]) -> DesktopNumber? {
    UInt32(fields[2]).map { DesktopNumber(scope: fields[1], id: $0) }
  }
}
