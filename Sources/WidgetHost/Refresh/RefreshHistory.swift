public import FoundationEssentials
import Glibc
import Synchronization
import WidgetKitCore

/// What came of a widget's updates: all that ``RefreshSchedule`` has to know, kept for all hosts.
///
/// `$XDG_STATE_HOME/today/schedule/ID.json`.
public nonisolated struct RefreshHistory: Codable, Hashable, Sendable {
  /// When the last update ended; nil where there was none.
  public var lastUpdate: Date?
  /// When an update last said newData or noData: what is shown was right then.
  public var lastGood: Date?
  /// Failed updates on end.
  public var failures = 0
  /// The seconds that the widget asked for in `refreshAfter`.
  public var wish: Double?
  /// What its timeline says of the next update; nil where it has none.
  public var reload: Reload?
  /// Until when the updates off the screen have used up their budget; nil where there was none.
  ///
  /// ``HiddenBudget`` makes it: each update moves it by the budget's spacing.
  public var budgetSpentUntil: Date?
  /// Whether its `initialize` lists `widgetPerformUpdate`; nil while it never ran.
  public var takesUpdates: Bool?

  /// The picture that is shown since the last update, or was then; nil where there is none.
  ///
  /// Who does not have that picture must not count its update as made.
  var picture: Picture?

  /// One of the pictures that a widget sent.
  struct Picture: Codable, Hashable, Sendable {
    /// What of its snapshot's key tells it from others of the widget.
    var key: String
    /// When it was sent.
    var made: Date
  }

  /// Creates the history of a widget that never ran.
  public init() {}

  /// When a timeline wants its widget to be asked.
  public enum Reload: Codable, Hashable, Sendable {
    /// At this date or later.
    case at(Date)
    /// Only when told.
    case never
  }

  /// Reads a history; nil where the bytes are none, or hold a number that no host has written.
  package static func decode(_ bytes: [UInt8]) -> RefreshHistory? {
    guard let history = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      history.isPlausible
    else { return nil }
    return history
  }

  /// Whether all numbers are such as a host writes.
  private var isPlausible: Bool {
    if case .at(let date) = reload, !StoredNumber.isDate(date) { return false }
    return StoredNumber.isDate(lastUpdate) && StoredNumber.isDate(lastGood)
      && StoredNumber.isCount(failures) && StoredNumber.isSeconds(wish)
      && StoredNumber.isDate(budgetSpentUntil)
  }

  /// Adds an update.
  ///
  /// - Parameters:
  ///   - outcome: What came of it.
  ///   - budget: What the update is charged to; nil where it is free: its card was on the screen, or
  ///     a person asked for it.
  ///   - date: When it ended.
  mutating func note(_ outcome: UpdateOutcome, chargedTo budget: HiddenBudget?, at date: Date) {
    lastUpdate = date
    if let budget { budgetSpentUntil = budget.charge(budgetSpentUntil, at: date) }
    guard outcome.result != .failed else {
      failures += 1
      return
    }
    failures = 0
    lastGood = date
    wish = outcome.refreshAfter?.seconds
    // What a widget said of its timeline holds until it sends new data.
    if outcome.result == .newData { reload = outcome.timeline.map(Reload.init) }
  }
}

nonisolated extension RefreshHistory.Reload {
  init(_ timeline: Timeline) {
    switch timeline.policy {
    case .never: self = .never
    case .after(let date): self = .at(date)
    case .atEnd: self = .at(timeline.entries.map(\.date).max() ?? .distantPast)
    }
  }
}

/// The histories on disk.
///
/// A class because it remembers which of the files are its own; any queue may write.
nonisolated final class RefreshHistories: Sendable {
  private static let byteLimit = 64 * 1024
  let folder: String
  private let ownFiles = Mutex<[String: FileIdentity]>([:])

  init(_ folders: StateFolders) {
    folder = folders.schedules
  }

  /// Whether the file of this name is the one that was written here last: no news then.
  func wroteLast(_ name: String) -> Bool {
    guard let own = ownFiles.withLock({ $0[name] }) else { return false }
    return Self.identity("\(folder)/\(name)") == own
  }

  private static func identity(_ path: String) -> FileIdentity? {
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.open(place.folder) else { return nil }
    return folder.status(place.name).map { FileIdentity($0) }
  }

  /// A widget's history; anything odd is as good as none.
  func read(_ id: CardID) -> RefreshHistory {
    DurableFile.read(path(id), byteLimit: Self.byteLimit).flatMap(RefreshHistory.decode)
      ?? RefreshHistory()
  }

  /// Writes a history, whole at every moment; that the last one outlives a power cut is not worth
  /// waiting for the disk.
  func write(_ history: RefreshHistory, of id: CardID) {
    guard let bytes = try? JSONEncoder().encode(history) else { return }
    try? DurableFile.write(bytes, to: path(id), waitsForDisk: false)
    let name = StateFolders.fileName(id) + ".json"
    ownFiles.withLock { $0[name] = Self.identity(path(id)) }
  }

  /// Writes a history anew, so that other hosts look for a picture that an update did not bring.
  func announce(_ picture: RefreshHistory.Picture, of id: CardID) {
    var history = read(id)
    if history.picture.map({ $0.key == picture.key && $0.made < picture.made }) ?? true {
      history.picture = picture
    }
    guard let bytes = try? JSONEncoder().encode(history) else { return }
    // Not noted as this host's own: it may hold an update of another one that was not heard of yet.
    try? DurableFile.write(bytes, to: path(id), waitsForDisk: false)
  }

  private func path(_ id: CardID) -> String { "\(folder)/\(StateFolders.fileName(id)).json" }
}
