import CalendarFormats
import FoundationEssentials
import WidgetKitCore

/// A calendar on a server: a file, or the calendars of a CalDAV server (RFC 4791).
struct CalendarServer: Hashable, Sendable {
  /// How it is asked.
  enum Kind: String, Sendable {
    /// For a file.
    case ics
    /// For the events of some days.
    case caldav
  }

  /// What identifies the copy that is there already.
  struct Version: Codable, Hashable, Sendable {
    var entityTag: String?
    var lastModified: String?
  }

  /// A file as the server gave it.
  struct Copy: Hashable, Sendable {
    var file: [UInt8]
    var version: Version
  }

  private static let calendarLimit = 20
  private static let daysAhead = 62

  let address: ServerAddress
  let kind: Kind
  /// User and password with a colon; nil for none.
  let credentials: String?
  /// When an answer is of no use any more.
  var deadline: ContinuousClock.Instant?

  /// Gets the calendar; nil if it is the one of `version` still.
  func copy(after version: Version?, now: Date) async throws(ServerError) -> Copy? {
    var limited = self
    // The host waits 30 s for an update, in which several requests may be made.
    limited.deadline = .now + .seconds(25)
    switch kind {
    case .ics: return try await limited.file(after: version)
    case .caldav: return Copy(file: try await limited.events(now: now), version: Version())
    }
  }

  // MARK: - A file

  private func file(after version: Version?) async throws(ServerError) -> Copy? {
    var run = request(address)
    if let tag = version?.entityTag { run.headers.append("If-None-Match: \(tag)") }
    if let date = version?.lastModified { run.headers.append("If-Modified-Since: \(date)") }
    let answer = try await run.run()
    if answer.status == 304, version != nil { return nil }
    guard (200...299).contains(answer.status) else { throw ServerError.status(answer.status) }
    guard CalendarFile.isCalendar(answer.body) else {
      throw ServerError("the server sent no calendar (BEGIN:VCALENDAR is missing)")
    }
    let new = Version(entityTag: answer.entityTag, lastModified: answer.lastModified)
    return Copy(file: answer.body, version: new)
  }

  // MARK: - CalDAV

  private static let namespaces = #"xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav""#
  private static let properties = """
    <?xml version="1.0" encoding="utf-8"?>
    <d:propfind \(namespaces)><d:prop><d:resourcetype/><d:current-user-principal/>\
    <c:calendar-home-set/></d:prop></d:propfind>
    """

  /// The events of the next days in all calendars, as one file.
  private func events(now: Date) async throws(ServerError) -> [UInt8] {
    var file: [UInt8] = []
    for calendar in try await calendars().prefix(Self.calendarLimit) {
      for part in try await report(Self.query(now: now), to: calendar).parts {
        guard let data = part.data, CalendarFile.isCalendar(Array(data.utf8)) else { continue }
        file += Array(data.utf8) + [UInt8(ascii: "\n")]
        guard file.count <= CurlRun.byteLimit else {
          throw ServerError("the calendars are larger than 8 MiB")
        }
      }
    }
    return file.isEmpty ? Array("BEGIN:VCALENDAR\nEND:VCALENDAR\n".utf8) : file
  }

  /// The calendars at the address, or those of the user if it is another one of the server.
  private func calendars() async throws(ServerError) -> [ServerAddress] {
    var place = address
    // The address, the user, and the user's calendars.
    for _ in 0..<3 {
      let parts = try await propfind(place).parts
      let found = parts.filter(\.isCalendar).compactMap { place.resolving($0.href) }
      // An address of one calendar is that calendar alone.
      if let one = found.first(where: { Self.isSame($0, place) }) { return [one] }
      if !found.isEmpty { return found }
      let next = parts.compactMap(\.home).first ?? parts.compactMap(\.principal).first
      guard let next, let address = place.resolving(next), address != place else { break }
      place = address
    }
    throw ServerError("the server has no calendars at \(place.path)")
  }

  private static func isSame(_ one: ServerAddress, _ other: ServerAddress) -> Bool {
    func bare(_ path: String) -> Substring { path.hasSuffix("/") ? path.dropLast() : path[...] }
    return one.origin == other.origin && bare(one.path) == bare(other.path)
  }

  private func propfind(_ place: ServerAddress) async throws(ServerError) -> MultiStatus {
    var run = request(place)
    run.method = "PROPFIND"
    run.body = Self.properties
    run.headers = ["Depth: 1", "Content-Type: application/xml; charset=utf-8"]
    return try await multiStatus(run)
  }

  private func report(
    _ query: String,
    to place: ServerAddress
  ) async throws(ServerError) -> MultiStatus {
    var run = request(place)
    run.method = "REPORT"
    run.body = query
    run.headers = ["Depth: 1", "Content-Type: application/xml; charset=utf-8"]
    return try await multiStatus(run)
  }

  private func multiStatus(_ run: CurlRun) async throws(ServerError) -> MultiStatus {
    let answer = try await run.run()
    guard answer.status == 207 else {
      throw (200...299).contains(answer.status)
        ? ServerError("the server does not speak CalDAV") : ServerError.status(answer.status)
    }
    return MultiStatus(parsing: answer.body)
  }

  private func request(_ place: ServerAddress) -> CurlRun {
    var run = CurlRun(url: place.url, credentials: credentials)
    if let deadline {
      let rest = ContinuousClock.now.duration(to: deadline) / .seconds(1)
      run.seconds = Int(min(max(rest, 1), Double(run.seconds)))
    }
    return run
  }

  private static func query(now: Date) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <c:calendar-query \(namespaces)><d:prop><c:calendar-data/></d:prop><c:filter>\
    <c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range \
    start="\(time(now, days: -1))" end="\(time(now, days: daysAhead))"/></c:comp-filter></c:comp-filter>\
    </c:filter></c:calendar-query>
    """
  }

  /// Midnight of a day in the form of iCalendar: `20261124T000000Z`.
  private static func time(_ now: Date, days: Int) -> String {
    let day = Agenda.day(of: now, in: "UTC") ?? CivilDate(daysSince1970: 0)
    let date = day.adding(days: days)
    func padded(_ number: Int, _ digits: Int) -> String {
      String(repeating: "0", count: max(0, digits - "\(number)".utf8.count)) + "\(number)"
    }
    return padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2) + "T000000Z"
  }
}

extension CalendarFile {
  /// Whether a file begins as a calendar does; an error page of a server does not.
  static func isCalendar(_ bytes: [UInt8]) -> Bool {
    var start = bytes[...]
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
    start = start.drop { $0 <= 0x20 }
    return String(decoding: start.prefix(15), as: UTF8.self).uppercased() == "BEGIN:VCALENDAR"
  }
}
