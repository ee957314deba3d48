import WidgetKitCore

/// Finds the time zone that a name in a file stands for.
struct ZoneNames: Sendable {
  /// The zones that the file defines itself, by name.
  private(set) var defined: [String: ZoneDefinition] = [:]
  /// What was found for each name; nil for a name of no zone.
  private var found: [String: Zone?] = [:]

  /// A zone.
  enum Zone: Hashable, Sendable {
    /// As the file defines it.
    case defined(ZoneDefinition)
    /// Of the tz database.
    case named(String)
  }

  /// Creates names without definitions.
  init() {}

  /// Creates the names of a file with these `VTIMEZONE`.
  init(_ components: [CalendarComponent]) {
    for component in components {
      guard let name = component.lines.first(where: { $0.name == "TZID" })?.value else { continue }
      defined[Self.plain(name)] = ZoneDefinition(component)
    }
  }

  /// Returns the zone of a name: of the file, else of the tz database, else of Windows; nil if there is none.
  mutating func zone(named text: String) -> Zone? {
    if let known = found[text] { return known }
    let zone = find(Self.plain(text))
    found[text] = .some(zone)
    return zone
  }

  private func find(_ name: String) -> Zone? {
    let definition = defined[name]
    if let definition, !definition.isDamaged { return .defined(definition) }
    if let known = Self.known(name) { return .named(known) }
    return definition.map { .defined($0) }
  }

  /// The name without the quotation marks and escapes of a parameter or a text.
  private static func plain(_ text: String) -> String {
    text.filter { $0 != "\"" && $0 != "\\" }.trimmed
  }

  /// The zone of the tz database for a name; nil if there is none.
  static func known(_ name: String) -> String? {
    // A path with more is no name of a zone, and each part costs a look at the files.
    guard name.utf8.count <= 200 else { return nil }
    let parts = name.split(separator: "/")
    // `/Europe/Vienna`, `/freeassociation.sourceforge.net/Tzfile/Europe/Vienna`, `tzone://Microsoft/Utc`
    for count in parts.indices.prefix(8) {
      let rest = parts[count...].joined(separator: "/")
      if exists(rest) { return rest }
      if let zone = WindowsZones.zone(named: rest), exists(zone) { return zone }
      if ["UTC", "GMT", "Z"].contains(rest.uppercased()) { return "UTC" }
    }
    return offset(name)
  }

  private static func exists(_ name: String) -> Bool {
    LocalTime.secondsFromGMT(in: name) != nil
  }

  /// `UTC+1` and `GMT-05:00`; the names of the tz database count to the west.
  private static func offset(_ name: String) -> String? {
    let text = name.uppercased()
    guard text.hasPrefix("UTC") || text.hasPrefix("GMT") else { return nil }
    let rest = text.dropFirst(3)
    guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
    let parts = rest.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard let hours = parts.first.flatMap({ $0.count <= 2 ? Int($0) : nil }),
      (0...14).contains(hours),
      parts.dropFirst().allSatisfy({ $0 == "00" }), parts.count <= 2
    else { return nil }
    let zone = "Etc/GMT\(sign == "+" ? "-" : "+")\(hours)"
    return exists(zone) ? zone : nil
  }
}
