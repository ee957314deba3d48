import WidgetKitCore
import WidgetPlatform

/// The name of the user's time zone in the tz database.
nonisolated enum TimeZoneName {
  /// Returns `TZ`, else the target of the link `/etc/localtime`, else the content of `/etc/timezone`,
  /// else `UTC`.
  ///
  /// Where `TZ` is a path, such as `:/etc/localtime`, it is the zone to which that leads. Where it is empty, or
  /// names no zone, the zone is UTC, as for all programs (tzset(3)).
  static func current(_ environment: [String: String]) -> String {
    if let text = environment["TZ"] {
      let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
      guard LocalTime.isZone(name, of: environment) else { return "UTC" }
      return name.hasPrefix("/") ? zone(at: name) ?? name : name
    }
    if let name = zone(at: "/etc/localtime") { return name }
    guard case .whole(let bytes) = UserFile.contents("/etc/timezone", byteLimit: 256) else {
      return "UTC"
    }
    let name = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return name.isEmpty ? "UTC" : name
  }

  /// The zone of a file of the database, or of a link to one.
  private static func zone(at path: String) -> String? {
    let path = SymbolicLink.target(path) ?? path
    return path.firstRange(of: "/zoneinfo/").map { String(path[$0.upperBound...]) }
  }
}
