import Dispatch
import FoundationEssentials
package import WidgetKitCore

/// The last good view of every card on disk: written behind the page's back, read at its start.
///
/// A view is kept in memory until it is on disk, so that a disk that is full, read-only or gone
/// costs nothing while the program runs.
package final class SnapshotStore {
  private let generations: SnapshotGenerations
  private let clock: any HostClock
  /// A store that only reads starts no thread.
  private var writer: Worker { .writing }
  /// Apart from the writer, which must not wait for the disk.
  private var syncer: Worker { .background }
  private var unwritten: [Snapshot.Key: Snapshot] = [:]
  private var unsynced: Set<Snapshot.Key> = []
  private var syncTimer: (any HostTimer)?
  /// Told in words what keeps views from being written, once until it is over; then told nil.
  package var onWriteTrouble: (String?) -> Void = { _ in }
  /// Told in words of the first file that was there and could not be used.
  package var onOddFile: (String) -> Void = { _ in }
  /// Told of what was not written because another program has written a newer one.
  package var onSuperseded: (Snapshot.Key) -> Void = { _ in }
  /// Whether a widget has something to show, asked on any thread.
  ///
  /// Of one that has nothing no view is written.
  package var hasContent: @Sendable (_ bundleIdentifier: String) -> Bool = { _ in true }
  /// Views whose last writing failed.
  private var failed: Set<Snapshot.Key> = []
  /// Cards whose files are being removed; what is still on the disk does not count.
  private var beingRemoved: Set<CardID> = []
  private var hasSeenOddFile = false

  /// Makes the store in a folder, which is made with the first file.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - limits: What widgets may send, which is what can be read back.
  ///   - clock: Where time comes from; nil is the system's.
  package init(folder: String, limits: HostLimits = HostLimits(), clock: (any HostClock)? = nil) {
    generations = SnapshotGenerations(folder: folder, limits: limits)
    self.clock = clock ?? SystemClock()
  }

  /// The last view that was kept under exactly this key; anything odd is as good as none.
  package func snapshot(for key: Snapshot.Key) -> Snapshot? {
    if let snapshot = unwritten[key] { return snapshot }
    guard !beingRemoved.contains(CardID(key.bundleIdentifier, instance: key.instance)) else {
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

  /// The last view that a program has written under this key, where it is newer than one of a date.
  func snapshot(for key: Snapshot.Key, newerThan date: Date) -> Snapshot? {
    let now = clock.date
    let reading = generations.read(key) { Snapshot.isNewer($0, than: date, now: now) }
    if case .found(let snapshot) = reading { return snapshot }
    return nil
  }

  /// Whether a file is a whole snapshot.
  package static func isWhole(_ bytes: [UInt8]) -> Bool {
    SnapshotFile(bytes).map { decode(Array($0.body)) != nil } ?? false
  }

  /// Reads the JSON of a snapshot; nil where its bytes are anything else.
  package static func decode(_ bytes: [UInt8], limits: ViewLimits = .standard) -> Snapshot? {
    SnapshotFile.decode(bytes[...], limits)
  }

  /// Keeps a view; the file is written soon, off the main thread.
  package func keep(_ snapshot: Snapshot) {
    unwritten[snapshot.key] = snapshot
    write(snapshot)
  }

  /// Tries once more to write what could not be written.
  package func retry() {
    for key in failed {
      if let snapshot = unwritten[key] { write(snapshot) }
    }
  }

  private func write(_ snapshot: Snapshot) {
    writer.async { [weak self, generations, hasContent, now = clock.date] in
      let outcome = Result {
        try generations.write(snapshot, now: now) { hasContent(snapshot.key.bundleIdentifier) }
      }
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.didWrite(snapshot, outcome) }
      }
    }
  }

  /// Forgets all views of a card.
  package func remove(_ id: CardID) {
    unwritten = unwritten.filter {
      $0.key.bundleIdentifier != id.bundleIdentifier || $0.key.instance != id.instance
    }
    let folder = generations.folder(of: id)
    beingRemoved.insert(id)
    writer.async { [weak self] in
      SnapshotFolder.remove(folder)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { _ = self?.beingRemoved.remove(id) }
      }
    }
  }

  /// Removes what hosts that were killed while writing have left, and syncs what others have not;
  /// soon, off the main thread.
  package func cleanUp() {
    writer.async { [generations] in SnapshotFolder.removeStrays(below: generations.folder) }
    syncer.async { [generations] in generations.syncLeftovers() }
  }

  /// Does something behind all that is still to be written, off the main thread.
  package func afterWriting(_ work: @escaping @Sendable () -> Void) {
    writer.async { work() }
  }

  /// Waits until everything is written; it is on the disk when the kernel has got to that.
  package func drain() {
    writer.drain()
  }

  /// Waits until all that is written is on the disk, whoever has written it.
  package func syncAll() {
    drain()
    syncer.async { [generations] in generations.syncLeftovers(pause: 0) }
    syncer.drain()
  }

  /// Has the disk begin with what was written and not synced, without waiting; for a program that
  /// ends.
  func beginSync() {
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
    // The disk takes something again, so the rest may have its turn; what fails once more waits.
    if failed.isEmpty { onWriteTrouble(nil) } else if !wasFailed { retry() }
  }

  /// Syncs what is written from now on in one go.
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
      DispatchQueue.main.async {
        MainActor.assumeIsolated { for key in early { self?.syncLater(key) } }
      }
    }
  }

  private func noteOddFile(_ path: String, _ reason: String) {
    guard !hasSeenOddFile else { return }
    hasSeenOddFile = true
    onOddFile("\(path) cannot be used: \(reason)")
  }
}
