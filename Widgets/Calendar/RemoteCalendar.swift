import CalendarFormats
import FoundationEssentials

/// The calendar of a server with its last good copy, which is shown while the server is away.
struct RemoteCalendar {
  /// The calendar; nil before the first copy.
  private(set) var file: CalendarFile?
  /// When the copy was the newest one.
  private(set) var date: Date?
  /// Why the server gave no newer one, as text for the card.
  private(set) var trouble: String?
  /// The host, for texts.
  let name: String

  private let server: CalendarServer?
  private let folder: String
  private var version: CalendarServer.Version?

  /// What is stored beside the copy.
  private struct Stored: Codable {
    var url: String
    var kind: String
    var user: String?
    var date: Double
    var version: CalendarServer.Version
  }

  /// Creates the calendar at an address, with a folder for its copy; nil without an address.
  init?(url: String?, kind: String?, user: String?, password: String?, cache folder: String) {
    guard let url, !url.isEmpty else { return nil }
    self.folder = folder
    let made: Result<CalendarServer, ServerError>
    do throws(ServerError) {
      made = .success(
        try CalendarServer(url: url, kind: kind, user: user ?? "", password: password ?? "")
      )
    } catch {
      made = .failure(error)
    }
    switch made {
    case .success(let server):
      self.server = server
      name = server.address.host
    case .failure(let error):
      server = nil
      name = "Calendar"
      trouble = error.description
    }
    readCopy()
  }

  /// Asks the server for a newer copy.
  ///
  /// - Returns: Whether there is something else to show.
  mutating func refresh(now: Date) async -> Bool {
    guard let server else { return false }
    let before = (file, trouble)
    do throws(ServerError) {
      if let copy = try await server.copy(after: file == nil ? nil : version, now: now) {
        file = CalendarFile(parsing: copy.file)
        version = copy.version
        store(copy.file, at: now)
      } else {
        store(nil, at: now)
      }
      date = now
      trouble = nil
    } catch {
      trouble = error.description
    }
    return before.0 != file || before.1 != trouble
  }

  /// Whether both are the calendar of the same address and user.
  func isSame(as other: RemoteCalendar) -> Bool { server == other.server }

  // MARK: - The copy

  private var copyPath: String { folder + "/server.ics" }
  private var statePath: String { folder + "/server.json" }

  private mutating func readCopy() {
    guard let server, let data = FileManager.default.contents(atPath: statePath),
      data.count <= 16 * 1024, let stored = try? JSONDecoder().decode(Stored.self, from: data),
      stored.url == server.address.url, stored.kind == server.kind.rawValue,
      stored.user == server.user, (0...1e11).contains(stored.date),
      let copy = FileManager.default.contents(atPath: copyPath), copy.count <= CurlRun.byteLimit
    else { return }
    file = CalendarFile(parsing: copy)
    date = Date(timeIntervalSince1970: stored.date)
    version = stored.version
  }

  /// Stores a copy, or that the one that is stored is still the newest.
  private func store(_ copy: [UInt8]?, at now: Date) {
    guard let server else { return }
    let stored = Stored(
      url: server.address.url,
      kind: server.kind.rawValue,
      user: server.user,
      date: now.timeIntervalSince1970,
      version: version ?? CalendarServer.Version()
    )
    do {
      if let copy {
        // In this order: without its description, a copy is not read.
        try? FileManager.default.removeItem(atPath: statePath)
        try Data(copy).write(to: URL(filePath: copyPath), options: .atomic)
      }
      try JSONEncoder().encode(stored).write(to: URL(filePath: statePath), options: .atomic)
    } catch {
      // Without a copy, the next start asks the server.
    }
  }
}

extension CalendarServer {
  /// Creates one from the settings.
  fileprivate init(
    url: String,
    kind: String?,
    user: String,
    password: String
  ) throws(ServerError) {
    if user.contains(":") { throw ServerError("a user name has no colon") }
    self.init(
      address: try ServerAddress(parsing: url),
      kind: Kind(rawValue: kind ?? "") ?? .ics,
      credentials: user.isEmpty && password.isEmpty ? nil : user + ":" + password
    )
  }

  /// The user whose calendar it is.
  fileprivate var user: String? {
    credentials.map { String($0.prefix { $0 != ":" }) }
  }
}
