import CPlatform
import FoundationEssentials
import Glibc
import WidgetKitCore

/// The snapshots of all cards on disk, for each key two files: the newest, and one that is synced.
///
/// A new snapshot takes the place of the newest one with a rename and without waiting for the disk:
/// after a kill there is the new one or the one before. Now and then the newest is synced and only
/// then takes the place of the synced one: after a power cut, which may leave anything of what was
/// not synced, that one is whole. Several programs do all that at the same time; a lock on the card's
/// folder puts them in order.
nonisolated struct SnapshotGenerations: Sendable {
  /// The folder that holds one for each card.
  let folder: String
  let limits: HostLimits

  static let ending = ".snapshot"
  static let newestEnding = ".snapshot.new"
  /// The most keys of one widget: display modes and locales that it was shown in.
  static let keysPerWidget = 8
  /// The least time between two times that a snapshot of a key is synced, by whichever program.
  static let syncPause = 30
  /// How long another program that writes for the same card is waited for.
  static let lockPatience: Duration = .milliseconds(250)

  /// What looking for a snapshot came to.
  enum Reading {
    case absent
    /// There is something, and nothing of it can be used; in words.
    case odd(path: String, String)
    case found(Snapshot)
  }

  /// What writing a snapshot came to.
  enum Writing {
    case written
    /// Another program has written a newer one.
    case superseded
    /// The widget has nothing to show any more.
    case unwanted
  }

  // MARK: - Reading

  /// The newest snapshot of a key that can be used.
  ///
  /// - Parameters:
  ///   - key: What it is for.
  ///   - isWanted: Says of the date when one was made whether it is to be read at all.
  /// - Returns: What was found.
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
        // Most often what is there is known already.
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
          fault = fault ?? .odd(path: "\(path)/\(name)", "it is cut off, or no snapshot")
        }
      }
    }
    for file in files.sorted(by: { $0.sequence > $1.sequence }) {
      let snapshot = SnapshotFile.decode(file.body, limits.view)
      if let snapshot, snapshot.key == key { return .found(snapshot) }
      fault =
        fault ?? .odd(path: path, "it is no snapshot of this widget, or larger than the limits")
    }
    return fault ?? .absent
  }

  // MARK: - Writing

  /// Writes a snapshot, unless there is a newer one.
  ///
  /// - Parameters:
  ///   - snapshot: What is to be written.
  ///   - now: The present moment.
  ///   - isWanted: Whether the widget has something to show; asked while no other program writes.
  /// - Returns: What became of it.
  /// - Throws: ``HostError`` where it cannot be written.
  func write(_ snapshot: Snapshot, now: Date, where isWanted: () -> Bool) throws -> Writing {
    let path = folder(of: snapshot.key)
    do throws(FileFault) {
      do throws(FileFault) {
        return try write(snapshot, in: path, now: now, where: isWanted)
      } catch .absent {
        // Another program has removed the folder just now.
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
    // Asked again now that nobody removes anything: what is removed stays away.
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

  /// Waits until the newest snapshot is on the disk, and puts it in the place of the synced one.
  ///
  /// One that is cut off, as after a power cut, is removed.
  ///
  /// - Parameters:
  ///   - name: Its name in the card's folder.
  ///   - path: The card's folder.
  ///   - pause: The least number of seconds since one of this key was synced last.
  /// - Returns: Whether nothing is left to do; false where it is too early.
  @discardableResult
  func sync(_ name: String, in path: String, pause: Int = syncPause) -> Bool {
    guard name.hasSuffix(Self.newestEnding), let folder = try? OwnFolder.open(path),
      let file = try? folder.file(name, O_RDONLY), let status = file.status()
    else { return true }
    let synced = String(name.dropLast(Self.newestEnding.count)) + Self.ending
    let before = folder.status(synced)
    // A rename is a change of the file (rename(2)), so this is when it was synced.
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
    // What another program has put there meanwhile is not on the disk.
    guard let present = folder.status(name), present.st_ino == status.st_ino else { return false }
    let last = whole(synced, in: folder)?.sequence ?? 0
    if let snapshot, snapshot.sequence >= last {
      try? folder.rename(name, to: synced)
      // Of two names for two whole files either may be on the disk; a first name has to be.
      if before == nil { fsync(folder.number) }
    } else {
      folder.remove(name)
    }
    return true
  }

  /// Has the disk begin with the newest snapshot of a key, and does not wait for it.
  func beginSync(_ key: Snapshot.Key) {
    guard let folder = try? OwnFolder.open(folder(of: key)),
      let file = try? folder.file(key.variant + Self.newestEnding, O_RDONLY)
    else { return }
    platform_begin_writeback(file.number)
  }

  /// Syncs what programs that have ended have left.
  func syncLeftovers(pause: Int = syncPause) {
    guard let root = try? OwnFolder.open(folder) else { return }
    for card in root.names() {
      guard let folder = try? root.folder(card) else { continue }
      for name in folder.names() where name.hasSuffix(Self.newestEnding) {
        sync(name, in: "\(self.folder)/\(card)", pause: pause)
      }
    }
  }

  /// Whole seconds since a moment of the wall clock; less than none after the clock was set back.
  private static func age(_ time: timespec) -> Int {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec - time.tv_sec
  }

  // MARK: - Names

  /// The folder of a card's snapshots.
  func folder(of id: CardID) -> String { "\(folder)/\(StateFolders.fileName(id))" }

  func folder(of key: Snapshot.Key) -> String {
    folder(of: CardID(key.bundleIdentifier, instance: key.instance))
  }
}
