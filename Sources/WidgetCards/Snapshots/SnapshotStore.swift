import FoundationEssentials
package import WidgetKitCore
package import WidgetPlatform

/// The last good view of every card on disk: written in the background, read when the page opens.
///
/// A view is kept in memory until it is on disk, so that nothing is lost while the program runs if the
/// disk is full, read-only or gone.
package final class SnapshotStore {
  private let generations: SnapshotGenerations
  private let past: PastStore
  /// Whether contents are kept for a look back; not while the page is locked.
  package var keepsPast = true
  private let clock: any HostClock
  /// The thread is created when needed, so a store that only reads starts none.
  private var writer: Worker { .writing }
  /// It is separate from the writer, which must not wait for the disk.
  private var syncer: Worker { .background }
  private var unwritten: [Snapshot.Key: Snapshot] = [:]
  private var unsynced: Set<Snapshot.Key> = []
  private var syncTimer: (any HostTimer)?
  /// Called once with the reason why views cannot be written, and with nil when they can be again.
  package var onWriteTrouble: (String?) -> Void = { _ in }
  /// Called with a description of the first file that cannot be used.
  package var onOddFile: (String) -> Void = { _ in }
  /// Called for a view that was not written because another program has written a newer one.
  package var onSuperseded: (Snapshot.Key) -> Void = { _ in }
  /// Whether a widget has something to show; called on any thread.
  ///
  /// No views of a widget without content are written.
  package var hasContent: @Sendable (_ id: ExtensionIdentity) -> Bool = { _ in true }
  /// Views that could not be written at the last attempt.
  private var failed: Set<Snapshot.Key> = []
  /// Cards whose files are being removed; what is still on the disk is ignored.
  private var beingRemoved: Set<ExtensionIdentity> = []
  private var hasSeenOddFile = false

  /// Creates the store in a folder, which is created with the first file.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - limits: The limits on what widgets send, and so on what is read.
  ///   - clock: The clock, or nil for the system's.
  package init(folder: String, limits: HostLimits = HostLimits(), clock: (any HostClock)? = nil) {
    generations = SnapshotGenerations(folder: folder, limits: limits)
    past = PastStore(generations)
    self.clock = clock ?? SystemClock()
  }

  /// Returns the last view that was saved under exactly this key; an invalid file counts as none.
  package func snapshot(for key: Snapshot.Key) -> Snapshot? {
    if let snapshot = unwritten[key] { return snapshot }
    guard !beingRemoved.contains(key.identity) else {
      return nil
    }
    switch generations.read(key) {
    case .absent: return nil
    case .odd(let path, let reason):
      noteOddFile(path, reason)
      return nil
    case .found(let snapshot): return snapshot
    }
  }

  /// Returns the last view that a program has written under this key, if it is newer than `date`.
  func snapshot(for key: Snapshot.Key, newerThan date: Date) -> Snapshot? {
    let now = clock.date
    let reading = generations.read(key) { Snapshot.isNewer($0, than: date, now: now) }
    if case .found(let snapshot) = reading { return snapshot }
    return nil
  }

  /// The contents of a card in one form during the last day.
  package func past(of key: Snapshot.Key) -> PastContents {
    past.contents(of: key, now: clock.date)
  }

  /// Whether the bytes of a file are a complete snapshot.
  package static func isWhole(_ bytes: [UInt8]) -> Bool {
    SnapshotFile(bytes).map { decode(Array($0.body)) != nil } ?? false
  }

  /// Reads the JSON of a snapshot; returns nil if the bytes are not one.
  package static func decode(_ bytes: [UInt8], limits: ViewLimits = .standard) -> Snapshot? {
    SnapshotFile.decode(bytes[...], limits)
  }

  /// Saves a view; the file is written soon, off the main thread.
  package func keep(_ snapshot: Snapshot) {
    unwritten[snapshot.key] = snapshot
    write(snapshot)
  }

  /// Tries again to write what could not be written.
  package func retry() {
    for key in failed {
      if let snapshot = unwritten[key] { write(snapshot) }
    }
  }

  private func write(_ snapshot: Snapshot) {
    let past = keepsPast ? past : nil
    writer.async { [weak self, generations, hasContent, now = clock.date] in
      let outcome = Result {
        try generations.write(snapshot, now: now) { hasContent(snapshot.key.identity) }
      }
      if case .success(.written) = outcome { past?.note(snapshot, now: now) }
      MainQueue.perform { self?.didWrite(snapshot, outcome) }
    }
  }

  /// Removes all views of a card.
  package func remove(_ id: ExtensionIdentity) {
    unwritten = unwritten.filter { $0.key.identity != id }
    let folder = generations.folder(of: id)
    beingRemoved.insert(id)
    writer.async { [weak self] in
      SnapshotFolder.remove(folder)
      MainQueue.perform { _ = self?.beingRemoved.remove(id) }
    }
  }

  /// Removes files that hosts have left that were killed while writing, and syncs unsynced snapshots;
  /// soon, off the main thread.
  package func cleanUp() {
    writer.async { [generations, past] in
      SnapshotFolder.removeStrays(below: generations.folder)
      past.shortenAll()
    }
    // What this program writes meanwhile is synced later.
    syncer.async { [generations, start = SnapshotGenerations.fileTime] in
      generations.syncLeftovers(writtenBefore: start)
    }
  }

  /// Calls a function after all pending writes, off the main thread.
  package func afterWriting(_ work: @escaping @Sendable () -> Void) {
    writer.async { work() }
  }

  /// Waits until everything is written; the kernel writes it to the disk later.
  package func drain() {
    writer.drain()
  }

  /// Waits until everything written by any program is on the disk.
  package func syncAll() {
    drain()
    syncer.async { [generations] in generations.syncLeftovers(pause: 0) }
    syncer.drain()
  }

  /// Starts to sync what was written, without waiting; for a program that ends.
  package func beginSync() {
    syncTimer?.cancel()
    for key in unsynced { generations.beginSync(key) }
  }

  private func didWrite(
    _ snapshot: Snapshot,
    _ outcome: Result<SnapshotGenerations.Writing, any Error>
  ) {
    let wasInTrouble = !failed.isEmpty
    let writing: SnapshotGenerations.Writing
    do {
      writing = try outcome.get()
    } catch {
      failed.insert(snapshot.key)
      if !wasInTrouble { onWriteTrouble("\(error)") }
      return
    }
    let wasFailed = failed.remove(snapshot.key) != nil
    if let kept = unwritten[snapshot.key], kept.made == snapshot.made, kept.view == snapshot.view {
      unwritten[snapshot.key] = nil
    }
    switch writing {
    case .written: syncLater(snapshot.key)
    case .superseded: onSuperseded(snapshot.key)
    case .unwanted: break
    }
    guard wasInTrouble else { return }
    // Writing works again, so the other views are tried; one that fails again waits.
    if failed.isEmpty { onWriteTrouble(nil) } else if !wasFailed { retry() }
  }

  /// Syncs everything that is written from now on together.
  private func syncLater(_ key: Snapshot.Key) {
    unsynced.insert(key)
    guard syncTimer == nil else { return }
    let pause = Duration.seconds(SnapshotGenerations.syncPause)
    syncTimer = clock.schedule(after: pause) { [weak self] in self?.sync() }
  }

  private func sync() {
    syncTimer = nil
    let keys = unsynced
    unsynced = []
    syncer.async { [weak self, generations] in
      let early = keys.filter {
        let name = $0.variant + SnapshotGenerations.newestEnding
        return !generations.sync(name, in: generations.folder(of: $0))
      }
      guard !early.isEmpty else { return }
      MainQueue.perform { for key in early { self?.syncLater(key) } }
    }
  }

  private func noteOddFile(_ path: String, _ reason: String) {
    guard !hasSeenOddFile else { return }
    hasSeenOddFile = true
    onOddFile("\(path) cannot be used: \(reason)")
  }
}
