import Dispatch
import FoundationEssentials
import WidgetKitCore

/// The last good view of every card on disk: written behind the page's back, read at its start.
///
/// A view is kept in memory until it is on disk, so that a disk that is full, read-only or gone
/// costs nothing while the program runs.
package final class SnapshotStore {
  /// The largest file that is read back; a view's line has half of it at most.
  package nonisolated static let byteLimit = 512 * 1024
  /// The most files of one widget: widths and display modes that it was shown at.
  package nonisolated static let filesPerWidget = 8

  private let folder: String
  private let writer = DispatchQueue(label: "snapshots", qos: .utility)
  private var unwritten: [Snapshot.Key: Snapshot] = [:]
  /// Told in words what keeps views from being written, once until it is over; then told nil.
  package var onWriteTrouble: (String?) -> Void = { _ in }
  /// Told in words of the first file that was there and could not be used.
  package var onOddFile: (String) -> Void = { _ in }
  /// Views whose last writing failed.
  private var failed: Set<Snapshot.Key> = []
  private var hasSeenOddFile = false

  /// Makes the store in a folder, which is made with the first file.
  package init(folder: String) {
    self.folder = folder
  }

  /// The last view that was kept under exactly this key; anything odd is as good as none.
  package func snapshot(for key: Snapshot.Key) -> Snapshot? {
    if let snapshot = unwritten[key] { return snapshot }
    let path = path(key)
    let reading = DurableFile.contents(path, byteLimit: Self.byteLimit)
    switch reading {
    case .absent: return nil
    case .odd(let reason): noteOddFile(path, reason)
    case .whole(let bytes):
      let snapshot = Self.decode(bytes)
      // The same file under another locale or version is no news: its view is simply not wanted.
      if let snapshot, snapshot.key == key { return snapshot }
      if snapshot == nil { noteOddFile(path, "it is cut off, or no snapshot") }
    }
    return nil
  }

  /// Reads a snapshot's file; nil where its bytes are anything else.
  package static func decode(_ bytes: [UInt8]) -> Snapshot? {
    let decoder = JSONDecoder()
    decoder.userInfo[.viewBudget] = ViewBudget(.standard)
    guard let snapshot = try? decoder.decode(Snapshot.self, from: Data(bytes)),
      Size.limit.contains(snapshot.rows)
    else { return nil }
    return snapshot
  }

  /// Keeps a view; the file is written soon, off the main queue.
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
    let path = path(snapshot.key)
    writer.async { [weak self] in
      let failure = Self.write(snapshot, path)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.didWrite(snapshot, failure) }
      }
    }
  }

  /// Forgets all views of a card.
  package func remove(_ id: CardID) {
    unwritten = unwritten.filter {
      $0.key.bundleIdentifier != id.bundleIdentifier || $0.key.instance != id.instance
    }
    let folder = folder(of: id)
    writer.async { SnapshotFolder.remove(folder) }
  }

  /// Removes what hosts that were killed while writing have left; soon, off the main queue.
  package func cleanUp() {
    let folder = folder
    writer.async { SnapshotFolder.removeStrays(below: folder) }
  }

  /// Does something behind all that is still to be written, off the main queue.
  package func afterWriting(_ work: @escaping @Sendable () -> Void) {
    writer.async { work() }
  }

  /// Waits until everything is on disk.
  package func drain() {
    writer.sync {}
  }

  /// The folder of a card's snapshots, for who watches it.
  package func folder(of id: CardID) -> String { "\(folder)/\(StateFolders.fileName(id))" }

  private func didWrite(_ snapshot: Snapshot, _ failure: String?) {
    let wasInTrouble = !failed.isEmpty
    if let failure {
      failed.insert(snapshot.key)
      if !wasInTrouble { onWriteTrouble(failure) }
      return
    }
    let wasFailed = failed.remove(snapshot.key) != nil
    if let kept = unwritten[snapshot.key], kept.date == snapshot.date, kept.view == snapshot.view {
      unwritten[snapshot.key] = nil
    }
    guard wasInTrouble else { return }
    // The disk takes something again, so the rest may have its turn; what fails once more waits.
    if failed.isEmpty { onWriteTrouble(nil) } else if !wasFailed { retry() }
  }

  private func noteOddFile(_ path: String, _ reason: String) {
    guard !hasSeenOddFile else { return }
    hasSeenOddFile = true
    onOddFile("\(path) could not be used: \(reason)")
  }

  private nonisolated static func write(_ snapshot: Snapshot, _ path: String) -> String? {
    do {
      let isNew = DurableFile.isAbsent(path)
      try DurableFile.write(JSONEncoder().encode(snapshot), to: path)
      if isNew { SnapshotFolder.removeOldest(besides: path, limit: filesPerWidget) }
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func path(_ key: Snapshot.Key) -> String {
    let id = CardID(key.bundleIdentifier, instance: key.instance)
    return "\(folder(of: id))/\(key.width).\(key.displayMode.rawValue).json"
  }
}
