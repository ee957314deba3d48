import FoundationEssentials
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
    if let offset = Self.offset(name) {
      return .defined(ZoneDefinition(name: name, offset: offset))
    }
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
      let spelled = spelled(rest)
      if rest.contains("/"), spelled != rest, exists(spelled) { return spelled }
      // `Eastern Standard Time 1`, as a calendar calls a second zone of that name.
      let isNumbered = rest.last?.isNumber == true && rest.dropLast().last == " "
      let name = isNumbered ? String(rest.dropLast(2)) : rest
      if let zone = WindowsZones.zone(named: name), exists(zone) { return zone }
      if ["UTC", "GMT", "Z"].contains(rest.uppercased()) { return "UTC" }
    }
    if let seconds = offset(name), seconds % 3600 == 0 {
      let zone = "Etc/GMT\(seconds < 0 ? "+" : "-")\(abs(seconds) / 3600)"
      if exists(zone) { return zone }
    }
    return displayed(name)
  }

  /// A name in the capitals and with the underscores of the tz database: `europe/berlin`, `America/New York`.
  private static func spelled(_ name: String) -> String {
    var result = ""
    var word = ""
    func end() {
      // `Port-au-Prince`, `Dar_es_Salaam`, `Isle_of_Man`
      let isSmall = ["au", "du", "es", "of"].contains(word)
      result += isSmall ? word : word.prefix(1).uppercased() + word.dropFirst()
      word = ""
    }
    for character in name.lowercased() {
      guard " _-/".contains(character) else {
        word.append(character)
        continue
      }
      end()
      result.append(character == " " ? "_" : character)
    }
    end()
    return result
  }

  /// The zone that a list of Windows calls `(UTC+01:00) Amsterdam, Berlin, Bern`: that of the first city with this offset;
  /// also `Eastern Time (US & Canada)` without it.
  private static func displayed(_ name: String) -> String? {
    guard name.hasPrefix("("), let end = name.firstIndex(of: ")") else {
      let known = regions[name.lowercased()] ?? abbreviations[name.uppercased()]
      // `US-Eastern`
      let country = name.hasPrefix("US-") ? "US/" + name.dropFirst(3) : nil
      return [known, country].lazy.compactMap(\.self).first(where: exists)
    }
    let zone = String(name[name.index(after: name.startIndex)..<end])
    guard let offset = ["UTC", "GMT"].contains(zone.uppercased()) ? 0 : offset(zone) else {
      return nil
    }
    let places = name[name.index(after: end)...].split { $0 == "," || $0 == "/" }
    for place in places.prefix(8).map({ String($0).trimmed }) {
      if let zone = regions[place.lowercased()], standardOffset(zone) == offset { return zone }
      let city = spelled(place)
      let zone = continents.lazy.map { "\($0)/\(city)" }.first { standardOffset($0) == offset }
      if let zone { return zone }
    }
    return nil
  }

  private static let continents = [
    "Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian",
  ]

  /// Abbreviations that are no names of the tz database, and stand for one zone where calendars use them.
  private static let abbreviations = [
    "AKDT": "America/Anchorage", "AKST": "America/Anchorage", "PDT": "America/Los_Angeles",
    "PST": "America/Los_Angeles", "MDT": "America/Denver", "CDT": "America/Chicago",
    "EDT": "America/New_York", "BST": "Europe/London", "WEST": "Europe/Lisbon",
    "CEST": "Europe/Berlin", "EEST": "Europe/Helsinki", "MSK": "Europe/Moscow",
    "SAST": "Africa/Johannesburg", "HKT": "Asia/Hong_Kong", "SGT": "Asia/Singapore",
    "JST": "Asia/Tokyo", "KST": "Asia/Seoul", "AWST": "Australia/Perth",
    "ACST": "Australia/Adelaide", "ACDT": "Australia/Adelaide", "AEST": "Australia/Sydney",
    "AEDT": "Australia/Sydney", "NZST": "Pacific/Auckland", "NZDT": "Pacific/Auckland",
  ]

  /// What is no city in the lists of Windows.
  private static let regions = [
    "eastern time": "America/New_York", "central time": "America/Chicago",
    "mountain time": "America/Denver", "pacific time": "America/Los_Angeles",
    "eastern time (us & canada)": "America/New_York",
    "central time (us & canada)": "America/Chicago",
    "mountain time (us & canada)": "America/Denver",
    "pacific time (us & canada)": "America/Los_Angeles", "arizona": "America/Phoenix",
    "atlantic time (canada)": "America/Halifax", "newfoundland": "America/St_Johns",
    "alaska": "America/Anchorage", "hawaii": "Pacific/Honolulu", "edinburgh": "Europe/London",
    "bern": "Europe/Zurich", "beijing": "Asia/Shanghai", "osaka": "Asia/Tokyo",
    "chennai": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "new delhi": "Asia/Kolkata",
    "canberra": "Australia/Sydney", "wellington": "Pacific/Auckland",
    "brasilia": "America/Sao_Paulo", "abu dhabi": "Asia/Dubai", "islamabad": "Asia/Karachi",
    "st. petersburg": "Europe/Moscow", "jerusalem": "Asia/Jerusalem", "hanoi": "Asia/Bangkok",
    "coordinated universal time": "Etc/UTC",
  ]

  /// The seconds east of UTC without summer time; nil for no zone.
  private static func standardOffset(_ zone: String) -> Int? {
    // In January and in July of 2026.
    let offsets = [1_768_478_400.0, 1_784_116_800].compactMap {
      LocalTime.secondsFromGMT(in: zone, at: Date(timeIntervalSince1970: $0))
    }
    return offsets.min()
  }

  private static func exists(_ name: String) -> Bool {
    LocalTime.secondsFromGMT(in: name) != nil
  }

  /// The seconds east of UTC in `UTC+1`, `GMT-05:00`, `GMT+0530`; the names of the tz database count to the west.
  private static func offset(_ name: String) -> Int? {
    let text = name.uppercased()
    guard text.hasPrefix("UTC") || text.hasPrefix("GMT") else { return nil }
    let rest = text.dropFirst(3)
    guard let sign = rest.first, sign == "+" || sign == "-" || sign == "−" else { return nil }
    let digits = rest.dropFirst().map { $0 == "." ? ":" : $0 }
    var parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 1, digits.count == 4 { parts = [digits[..<2], digits[2...]] }
    guard (1...2).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.count) }),
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
    else { return nil }
    let numbers = parts.compactMap { Int(String($0)) }
    guard numbers.count == parts.count, numbers[0] <= 14, numbers.count < 2 || numbers[1] < 60
    else { return nil }
    let seconds = numbers[0] * 3600 + (numbers.count > 1 ? numbers[1] * 60 : 0)
    return sign == "+" ? seconds : -seconds
  }
}
