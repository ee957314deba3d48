import CPlatform
import FoundationEssentials
import Glibc
import WidgetKitCore
import WidgetPlatform

/// The snapshots of all cards on disk, two files for each key: the newest one, and one that is synced.
///
/// A new snapshot replaces the newest one by a rename, without waiting for the disk: after a kill,
/// either the new or the previous one exists. From time to time the newest is synced and only then
/// replaces the synced one: a power failure may leave anything of an unsynced file, but that one is
/// complete. Several programs do this at the same time; a lock on the card's folder serialises them.
nonisolated struct SnapshotGenerations: Sendable {
  /// The folder that contains a folder for each card.
  let folder: String
  let limits: HostLimits

  static let ending = ".snapshot"
  static let newestEnding = ".snapshot.new"
  /// The limit on the keys of one widget, which are the display modes and locales that it was shown in.
  static let keysPerWidget = 8
  /// The shortest time in seconds between two syncs of a key's snapshot by any program.
  static let syncPause = 30
  /// How long to wait for another program that writes for the same card.
  static let lockPatience: Duration = .milliseconds(250)

  /// The result of a search for a snapshot.
  enum Reading {
    case absent
    /// There is a file, but it cannot be used; the text says why.
    case odd(path: String, String)
    case found(Snapshot)
  }

  /// The result of writing a snapshot.
  enum Writing {
    case written
    /// Another program has written a newer one.
    case superseded
    /// The widget no longer has anything to show.
    case unwanted
  }

  // MARK: - Reading

  /// Returns the newest usable snapshot of a key.
  ///
  /// - Parameters:
  ///   - key: The key of the snapshot.
  ///   - isWanted: Decides from the date of a snapshot whether to read it.
  /// - Returns: The result of the search.
  func read(_ key: Snapshot.Key, where isWanted: (Date) -> Bool = { _ in true }) -> Reading {
    let path = folder(of: key)
    guard let folder = try? OwnFolder.open(path) else { return .absent }
    var files: [SnapshotFile] = []
    var fault: Reading?
    for ending in [Self.newestEnding, Self.ending] {
      let name = key.variant + ending
      let contents: DurableFile.Contents
      do throws(FileFault) {
        let file = try folder.file(name, O_RDONLY)
        // Usually the snapshot on the disk is known already.
        if let header = SnapshotFile.Header(file.read(SnapshotFile.headerLimit)[...]),
          !isWanted(header.made)
        {
          continue
        }
        contents = DurableFile.Contents(file, byteLimit: SnapshotFile.byteLimit(limits))
      } catch {
        contents = DurableFile.Contents(error)
      }
      switch contents {
      case .absent: break
      case .odd(let reason): fault = fault ?? .odd(path: "\(path)/\(name)", reason)
      case .whole(let bytes):
        if let file = SnapshotFile(bytes) {
          files.append(file)
        } else {
          fault = fault ?? .odd(path: "\(path)/\(name)", "it is cut off, or not a snapshot")
        }
      }
    }
    for file in files.sorted(by: { $0.sequence > $1.sequence }) {
      let snapshot = SnapshotFile.decode(file.body, limits.view)
      if let snapshot, snapshot.key == key { return .found(snapshot) }
      fault =
        fault ?? .odd(path: path, "it is not a snapshot of this widget, or larger than the limits")
    }
    return fault ?? .absent
  }

  // MARK: - Writing

  /// Writes a snapshot, unless there is a newer one.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - now: The current time.
  ///   - isWanted: Whether the widget has something to show; called while no other program writes.
  /// - Returns: The result.
  /// - Throws: ``HostError`` if it cannot be written.
  func write(_ snapshot: Snapshot, now: Date, where isWanted: () -> Bool) throws -> Writing {
    let path = folder(of: snapshot.key)
    do throws(FileFault) {
      do throws(FileFault) {
        return try write(snapshot, in: path, now: now, where: isWanted)
      } catch .absent {
        // Another program has just removed the folder.
        return try write(snapshot, in: path, now: now, where: isWanted)
      }
    } catch {
      throw HostError.file("write", path, error)
    }
  }

  private func write(
    _ snapshot: Snapshot,
    in path: String,
    now: Date,
    where isWanted: () -> Bool
  ) throws(FileFault) -> Writing {
    guard isWanted() else { return .unwanted }
    let folder = try OwnFolder.open(path, makes: true)
    let lock = FolderLock(folder, patience: Self.lockPatience)
    defer { withExtendedLifetime(lock) {} }
    // This is checked again under the lock, so that removed snapshots are not written again.
    guard isWanted() else { return .unwanted }
    let newest = snapshot.key.variant + Self.newestEnding
    let headers = [newest, snapshot.key.variant + Self.ending].map { header($0, in: folder) }
    if let present = headers.compactMap(\.self).max(by: { $0.sequence < $1.sequence }),
      Snapshot.isNewer(present.made, than: snapshot.made, now: now),
      case .found(let other) = read(snapshot.key),
      Snapshot.isNewer(other.made, than: snapshot.made, now: now)
    {
      return .superseded
    }
    let last = headers.compactMap { $0?.sequence }.max() ?? 0
    let bytes: [UInt8]
    do {
      bytes = try SnapshotFile(snapshot, sequence: last + 1).bytes
    } catch {
      throw .refused("\(error)")
    }
    try folder.replace(newest, with: bytes, waitsForDisk: false)
    if headers.allSatisfy({ $0 == nil }) {
      SnapshotFolder.removeOldest(in: folder, besides: snapshot.key.variant)
    }
    return .written
  }

  private func header(_ name: String, in folder: borrowing OwnFolder) -> SnapshotFile.Header? {
    guard let file = try? folder.file(name, O_RDONLY) else { return nil }
    return SnapshotFile.Header(file.read(SnapshotFile.headerLimit)[...])
  }

  private func whole(_ name: String, in folder: borrowing OwnFolder) -> SnapshotFile? {
    guard let file = try? folder.file(name, O_RDONLY),
      case .whole(let bytes) = DurableFile.Contents(
        file,
        byteLimit: SnapshotFile.byteLimit(limits)
      )
    else { return nil }
    return SnapshotFile(bytes)
  }

  // MARK: - Syncing

  /// Waits until the newest snapshot is on the disk, and replaces the synced one by it.
  ///
  /// An incomplete one, as after a power failure, is removed.
  ///
  /// - Parameters:
  ///   - name: Its name in the card's folder.
  ///   - path: The card's folder.
  ///   - pause: The smallest number of seconds since the last sync of this key.
  /// - Returns: Whether nothing is left to do; false if it is too early.
  @discardableResult
  func sync(_ name: String, in path: String, pause: Int = syncPause) -> Bool {
    guard name.hasSuffix(Self.newestEnding), let folder = try? OwnFolder.open(path),
      let file = try? folder.file(name, O_RDONLY), let status = file.status()
    else { return true }
    let synced = String(name.dropLast(Self.newestEnding.count)) + Self.ending
    let before = folder.status(synced)
    // A rename changes the file's status (rename(2)), so this is the time of the sync.
    if let before, (0..<pause).contains(Self.age(before.st_ctim)) { return false }
    guard
      case .whole(let bytes) = DurableFile.Contents(
        file,
        byteLimit: SnapshotFile.byteLimit(limits)
      )
    else { return true }
    let snapshot = SnapshotFile(bytes)
    if snapshot != nil, fsync(file.number) != 0 { return false }
    let lock = FolderLock(folder, patience: Self.lockPatience)
    defer { withExtendedLifetime(lock) {} }
    // A file that another program has put there meanwhile is not synced.
    guard let present = folder.status(name), present.st_ino == status.st_ino else { return false }
    let last = whole(synced, in: folder)?.sequence ?? 0
    if let snapshot, snapshot.sequence >= last {
      try? folder.rename(name, to: synced)
      // If there are two names for two complete files, either may be on the disk; a first name must be.
      if before == nil { fsync(folder.number) }
    } else {
      folder.remove(name)
    }
    return true
  }

  /// Starts to write the newest snapshot of a key to the disk, without waiting.
  func beginSync(_ key: Snapshot.Key) {
    guard let folder = try? OwnFolder.open(folder(of: key)),
      let file = try? folder.file(key.variant + Self.newestEnding, O_RDONLY)
    else { return }
    platform_begin_writeback(file.number)
  }

  /// Syncs the files that programs have left unsynced when they ended.
  ///
  /// - Parameters:
  ///   - pause: The smallest number of seconds since the last sync of a key.
  ///   - start: A time of ``fileTime``: what was written since is not left over; nil to sync all.
  func syncLeftovers(pause: Int = syncPause, writtenBefore start: timespec? = nil) {
    guard let root = try? OwnFolder.open(folder) else { return }
    for card in root.names() {
      guard let folder = try? root.folder(card) else { continue }
      for name in folder.names() where name.hasSuffix(Self.newestEnding) {
        if let start, let status = folder.status(name),
          (status.st_ctim.tv_sec, status.st_ctim.tv_nsec) >= (start.tv_sec, start.tv_nsec)
        {
          continue
        }
        sync(name, in: "\(self.folder)/\(card)", pause: pause)
      }
    }
  }

  /// The present time of the clock that files have.
  static var fileTime: timespec {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return now
  }

  /// Returns the age in whole seconds of a wall-clock time; negative after the clock was set back.
  private static func age(_ time: timespec) -> Int {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec - time.tv_sec
  }

  // MARK: - Names

  /// The folder of a card's snapshots.
  func folder(of id: ExtensionIdentity) -> String { "\(folder)/\(id.fileName)" }

  func folder(of key: Snapshot.Key) -> String { folder(of: key.identity) }
}
