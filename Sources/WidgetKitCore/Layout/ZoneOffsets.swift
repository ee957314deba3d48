internal import Glibc
internal import Synchronization

/// How far from Greenwich the clocks of a place are, asked of the C library.
///
/// FoundationEssentials knows no zone but GMT, and the C library has one zone at a time, the one of
/// `TZ`. So a question about another zone sets `TZ` and sets it back, under one lock, and its answer
/// is kept: offsets only change on quarter hours, so one question serves a quarter of an hour.
enum ZoneOffsets {
  /// A zone in a certain quarter of an hour; an empty name is the user's own.
  private struct Key: Hashable {
    var zone: String
    var quarter: Int
  }

  private static let cache = Mutex<[Key: Int?]>([:])

  /// More answers than any page has clocks; above it the cache begins again.
  private static let cacheLimit = 512

  /// Returns the seconds east of Greenwich at a moment in the user's zone.
  static func local(at secondsSince1970: Int) -> Int {
    offset(of: "", at: secondsSince1970) ?? 0
  }

  /// Returns the seconds east of Greenwich at a moment in the zone called `name`; nil for a zone
  /// that this system does not have.
  static func named(_ name: String, at secondsSince1970: Int) -> Int? {
    name.isEmpty ? nil : offset(of: name, at: secondsSince1970)
  }

  private static func offset(of zone: String, at seconds: Int) -> Int? {
    let key = Key(zone: zone, quarter: seconds >= 0 ? seconds / 900 : (seconds - 899) / 900)
    return cache.withLock { cache in
      if let known = cache[key] { return known }
      let answer = zone.isEmpty ? ask(at: seconds) : ask(zone: zone, at: seconds)
      if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
      cache[key] = .some(answer)
      return answer
    }
  }

  private static func ask(at seconds: Int) -> Int? {
    var moment = time_t(seconds)
    var parts = tm()
    tzset()
    return localtime_r(&moment, &parts) == nil ? nil : Int(parts.tm_gmtoff)
  }

  private static func ask(zone: String, at seconds: Int) -> Int? {
    guard exists(zone) else { return nil }
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", ":" + zone, 1)
    defer {
      if let before {
        setenv("TZ", before, 1)
      } else {
        unsetenv("TZ")
      }
      tzset()
    }
    return ask(at: seconds)
  }

  /// Whether the tz database has the zone; of one that it lacks the C library makes UTC in silence.
  private static func exists(_ zone: String) -> Bool {
    let isName = zone.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x5F: true
      default: false
      }
    }
    guard isName, zone.utf8.count <= 64, zone.utf8.first != 0x2F else { return false }
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    var status = stat()
    return stat(folder + "/" + zone, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
