import Glibc
import Synchronization

/// The time zones of this system, by name, and the zone of this process.
///
/// The C library has one zone at a time, the one of `TZ`, and no function to ask for another. Setting
/// `TZ` is a data race with every `getenv` in another thread, so the tz database is read here.
///
/// A zone is kept after its first use. A changed file is noticed at the first question a second or
/// more after the last look at it.
final class ZoneDatabase: Sendable {
  /// The zones of this system, for this process.
  static let system = ZoneDatabase(
    environment: { name in getenv(name).map { String(cString: $0) } }
  )

  /// How long answers are given without looking for changes.
  static let pause = Duration.seconds(1)
  /// More zones than any page has; above it, all are forgotten.
  static let zoneLimit = 512

  /// Where a zone is described.
  private enum Source: Hashable, Sendable {
    /// In a file; without a stamp if there is none.
    case file(path: String, ZoneFile.Stamp?)
    /// In the value of `TZ`.
    case rule(String)

    static func file(_ path: String) -> Source { .file(path: path, ZoneFile.stamp(of: path)) }

    var table: ZoneTable? {
      switch self {
      case .file(_, nil): nil
      case .file(let path, _): ZoneFile.table(at: path)
      case .rule(let text):
        ZoneRule(parsing: text.utf8).map { rule in
          ZoneTable(initialOffset: rule.standardOffset, rule: rule)
        }
      }
    }
  }

  private struct Entry: Sendable {
    var source: Source
    /// Nil if there is no such zone.
    var table: ZoneTable?
    var checked: ContinuousClock.Instant
    /// The last question and its answer: a page asks for the present time of each of its clocks.
    var answer: (seconds: Int, displacement: Int)?

    /// The table's answer for a moment.
    mutating func displacement(at seconds: Int) -> Int? {
      if let answer, answer.seconds == seconds { return answer.displacement }
      guard let displacement = table?.displacement(at: seconds) else { return nil }
      answer = (seconds, displacement)
      return displacement
    }
  }

  /// The entries by name; the empty name is the zone of the process.
  private let entries = Mutex<[String: Entry]>([:])
  private let environment: @Sendable (String) -> String?
  private let localPath: String
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Creates a database.
  ///
  /// - Parameters:
  ///   - environment: Returns the value of an environment variable: `TZ` or `TZDIR`.
  ///   - localPath: The file with the zone of the system.
  ///   - now: Returns the present time.
  init(
    environment: @escaping @Sendable (String) -> String?,
    localPath: String = "/etc/localtime",
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.environment = environment
    self.localPath = localPath
    self.now = now
  }

  /// Returns the zone with a name of the tz database, such as `Asia/Tokyo`; nil if there is none.
  ///
  /// The zone of the process also has the name that `TZ` gives to it: a path or a rule.
  func zone(named name: String) -> ZoneTable? {
    if !name.isEmpty, let table = entry(name, source: { source(of: name) }, \.table) {
      return table
    }
    if name == "UTC" || name == "GMT" { return .utc }
    return !name.isEmpty && name == localName ? entry("", source: localSource, \.table) : nil
  }

  /// The zone of the process: that of `TZ`, else that of the system, else UTC.
  ///
  /// `TZ` is the name of a zone or an absolute path, with or without a colon before it, or a rule
  /// (tzset(3)).
  var local: ZoneTable {
    entry("", source: localSource, \.table) ?? .utc
  }

  /// Returns the seconds from a moment to the same number in the local time of a zone; nil if there is no
  /// such zone.
  func displacement(inZone name: String, at seconds: Int) -> Int? {
    if !name.isEmpty,
      let known = entry(name, source: { source(of: name) }, { $0.displacement(at: seconds) })
    {
      return known
    }
    return zone(named: name)?.displacement(at: seconds)
  }

  /// Returns the seconds from a moment to the same number in the local time of this process.
  func localDisplacement(at seconds: Int) -> Int {
    entry("", source: localSource) { $0.displacement(at: seconds) } ?? 0
  }

  // MARK: - Sources

  /// What `TZ` says, without the colon before it.
  private var localName: String? {
    environment("TZ").map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
  }

  /// Where a zone with a name of the tz database is described; nil for what is not a name.
  private func source(of name: String) -> Source? {
    Self.isName(name) ? .file(path(of: name)) : nil
  }

  private func localSource() -> Source? {
    guard let name = localName else { return .file(localPath) }
    if name.hasPrefix("/") { return .file(name) }
    if Self.isName(name) {
      let path = path(of: name)
      if let stamp = ZoneFile.stamp(of: path) { return .file(path: path, stamp) }
    }
    return .rule(name)
  }

  /// The folder of the database.
  var folder: String { environment("TZDIR") ?? "/usr/share/zoneinfo" }

  /// Whether there is a database at all; a small system may have none.
  var hasFolder: Bool { access(folder, R_OK | X_OK) == 0 }

  private func path(of name: String) -> String { folder + "/" + name }

  /// Whether a text can be the name of a zone: a path below the folder of the database.
  private static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "-")...UInt8(ascii: "9"): true
      case UInt8(ascii: "+"), UInt8(ascii: "_"): true
      default: false
      }
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 64, name.utf8.first != UInt8(ascii: "/") else {
      return false
    }
    return !name.split(separator: "/").contains("..")
  }

  // MARK: - Entries

  /// Returns what `body` makes of the entry of a name, which is brought up to date before.
  private func entry<Result: Sendable>(
    _ name: String,
    source: () -> Source?,
    _ body: (inout Entry) -> Result?
  ) -> Result? {
    let now = now()
    return entries.withLock { entries in
      if let known = entries[name], now - known.checked < Self.pause {
        return body(&entries[name, default: known])
      }
      let known = entries[name]
      guard let source = source() else { return nil }
      let table = if let known, known.source == source { known.table } else { source.table }
      if known == nil, entries.count >= Self.zoneLimit { entries.removeAll(keepingCapacity: true) }
      var entry = Entry(source: source, table: table, checked: now)
      defer { entries[name] = entry }
      return body(&entry)
    }
  }
}
