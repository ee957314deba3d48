public import FoundationEssentials
import Glibc
import Synchronization
package import WidgetKitCore
package import WidgetPlatform

/// The results of a widget's updates: all that ``RefreshPolicy`` needs to know, stored for all hosts.
///
/// The file is `$XDG_STATE_HOME/today/schedule/ID.json`.
public struct RefreshHistory: Codable, Hashable, Sendable {
  /// When the last update ended, or nil if there was none.
  public var lastUpdate: Date?
  /// When an update last returned newData or noData, so that the shown content was correct.
  public var lastGood: Date?
  /// The number of consecutive failed updates.
  public var failures = 0
  /// The interval in seconds that the widget requested in `refreshAfter`.
  public var wish: Double?
  /// What the widget's timeline says about the next update, or nil if there is none.
  public var reload: Reload?
  /// Until when updates off the screen have used up their budget, or nil if there was none.
  ///
  /// ``HiddenBudget`` computes it: each update moves it by the budget's spacing.
  public var budgetSpentUntil: Date?
  /// Whether the widget's `initialize` lists `widgetPerformUpdate`; nil if it has never run.
  public var takesUpdates: Bool?

  /// The snapshot that has been shown since the last update, or was shown then; nil if there is none.
  ///
  /// A host that does not have this snapshot must not count the update as made.
  package var picture: Picture?

  /// The identity of a snapshot of a widget.
  package struct Picture: Codable, Hashable, Sendable {
    /// The part of the snapshot's key that distinguishes it from other snapshots of the widget.
    package var key: String
    /// When the widget sent it.
    package var made: Date

    /// Creates it with its values.
    package init(key: String, made: Date) {
      self.key = key
      self.made = made
    }
  }

  /// Creates the history of a widget that has never run.
  public init() {}

  /// When a timeline requests an update of its widget.
  public enum Reload: Codable, Hashable, Sendable {
    /// At this date or later.
    case at(Date)
    /// Only on request.
    case never
  }

  /// Reads a history; returns nil if the bytes are not one, or contain a number that no host has
  /// written.
  package static func decode(_ bytes: [UInt8]) -> RefreshHistory? {
    guard let history = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
      history.isPlausible
    else { return nil }
    return history
  }

  /// Whether all numbers are in the ranges that a host writes.
  private var isPlausible: Bool {
    if case .at(let date) = reload, !StoredNumber.isDate(date) { return false }
    return StoredNumber.isDate(lastUpdate) && StoredNumber.isDate(lastGood)
      && StoredNumber.isCount(failures) && StoredNumber.isSeconds(wish)
      && StoredNumber.isDate(budgetSpentUntil)
  }

  /// Adds an update.
  ///
  /// - Parameters:
  ///   - outcome: The result of the update.
  ///   - budget: The budget that is charged, or nil if the update is free because its card was on the
  ///     screen or the user requested it.
  ///   - date: When the update ended.
  package mutating func note(
    _ outcome: CompletedUpdate,
    chargedTo budget: HiddenBudget?,
    at date: Date
  ) {
    lastUpdate = date
    if let budget { budgetSpentUntil = budget.charge(budgetSpentUntil, at: date) }
    guard outcome.result != .failed else {
      failures += 1
      return
    }
    failures = 0
    lastGood = date
    wish = outcome.refreshAfter?.seconds
    // The widget's timeline is valid until the widget sends new data.
    if outcome.result == .newData { reload = outcome.timeline.map(Reload.init) }
  }
}

extension RefreshHistory {
  /// The history of the same widget as if its last update had brought another picture.
  ///
  /// - Parameters:
  ///   - picture: The picture; nil if nothing is shown.
  ///   - date: When the widget sent it.
  ///   - timeline: The timeline that came with it.
  /// - Returns: A history without failures, with the widget's properties and its budget.
  package func describing(_ picture: Picture?, made date: Date?, timeline: Timeline?)
    -> RefreshHistory
  {
    var history = RefreshHistory()
    history.takesUpdates = takesUpdates
    history.wish = wish
    history.budgetSpentUntil = budgetSpentUntil
    history.lastUpdate = date
    history.lastGood = date
    history.reload = timeline.map(Reload.init)
    history.picture = picture
    return history
  }
}

extension RefreshHistory.Reload {
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
/// This is a class because it records which of the files it has written; any queue may write.
package final class RefreshHistories: Sendable {
  private static let byteLimit = 64 * 1024
  let folder: String
  private let ownFiles = Mutex<[String: FileIdentity]>([:])

  package init(_ folders: StateFolders) {
    folder = folders.schedules
  }

  /// Whether this host wrote the file of this name last, so that it contains no news.
  package func wroteLast(_ name: String) -> Bool {
    guard let own = ownFiles.withLock({ $0[name] }) else { return false }
    return Self.identity("\(folder)/\(name)") == own
  }

  private static func identity(_ path: String) -> FileIdentity? {
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.open(place.folder) else { return nil }
    return folder.status(place.name).map { FileIdentity($0) }
  }

  /// Returns a widget's history; an invalid file counts as none.
  package func read(_ id: ExtensionIdentity) -> RefreshHistory {
    DurableFile.read(path(id), byteLimit: Self.byteLimit).flatMap(RefreshHistory.decode)
      ?? RefreshHistory()
  }

  /// Writes a history atomically, without waiting for the disk; it need not survive a power failure.
  package func write(_ history: RefreshHistory, of id: ExtensionIdentity) {
    guard let bytes = try? JSONEncoder().encode(history) else { return }
    let name = id.fileName + ".json"
    let folder = try? OwnFolder.open(folder, makes: true)
    let identity = try? folder?.replace(name, with: Array(bytes), waitsForDisk: false)
    ownFiles.withLock { $0[name] = identity }
  }

  /// Writes a history again, so that other hosts load a snapshot that came without an update.
  package func announce(_ picture: RefreshHistory.Picture, of id: ExtensionIdentity) {
    let name = id.fileName + ".json"
    guard let folder = try? OwnFolder.open(folder, makes: true) else { return }
    let (before, found) = Self.contents(name, in: folder)
    var history = before
    if history.picture.map({ $0.key == picture.key && $0.made < picture.made }) ?? true {
      history.picture = picture
    }
    guard let bytes = try? JSONEncoder().encode(history) else { return }
    let identity = try? folder.replace(name, with: Array(bytes), waitsForDisk: false)
    // A file of another host may contain an update that is not known yet; then the new one does, too.
    ownFiles.withLock { files in
      if let found, files[name] == found { files[name] = identity }
    }
  }

  /// Returns the history in a file, and the identity of the file, nil if it cannot be read.
  private static func contents(
    _ name: String,
    in folder: borrowing OwnFolder
  ) -> (RefreshHistory, FileIdentity?) {
    guard let file = try? folder.file(name, O_RDONLY), let status = file.status(),
      case .whole(let bytes) = DurableFile.Contents(file, byteLimit: byteLimit)
    else { return (RefreshHistory(), nil) }
    return (RefreshHistory.decode(bytes) ?? RefreshHistory(), FileIdentity(status))
  }

  private func path(_ id: ExtensionIdentity) -> String { "\(folder)/\(id.fileName).json" }
}
