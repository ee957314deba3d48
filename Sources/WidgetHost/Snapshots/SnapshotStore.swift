import Dispatch
import FoundationEssentials
import WidgetKitCore

/// The last good view of every card on disk: written behind the page's back, read at its start.
final class SnapshotStore {
  /// The largest file that is read back; a view's line has the same limit.
  private static let byteLimit = 512 * 1024

  private let folder: String
  private let writer = DispatchQueue(label: "snapshots", qos: .utility)
  private var newest: [CardID: Snapshot] = [:]
  /// Told of the first write that failed.
  var onFailure: (String) -> Void = { _ in }
  private var hasFailed = false

  init(folder: String) {
    self.folder = folder
  }

  /// The last view that was kept under exactly this key; anything odd is as good as none.
  func snapshot(for key: Snapshot.Key) -> Snapshot? {
    guard let bytes = DurableFile.read(path(key), byteLimit: Self.byteLimit) else { return nil }
    let decoder = JSONDecoder()
    decoder.userInfo[.viewBudget] = ViewBudget(.standard)
    guard let snapshot = try? decoder.decode(Snapshot.self, from: Data(bytes)),
      snapshot.key == key, Size.limit.contains(snapshot.rows)
    else { return nil }
    return snapshot
  }

  /// Keeps a view; the file is written soon, off the main queue.
  func keep(_ snapshot: Snapshot) {
    let path = path(snapshot.key)
    writer.async { [weak self] in
      let failure = Self.write(snapshot, path)
      guard let failure else { return }
      DispatchQueue.main.async {
        MainActor.assumeIsolated { self?.report(failure) }
      }
    }
  }

  /// Waits until everything is on disk.
  func drain() {
    writer.sync {}
  }

  private func report(_ failure: String) {
    guard !hasFailed else { return }
    hasFailed = true
    onFailure(failure)
  }

  private nonisolated static func write(_ snapshot: Snapshot, _ path: String) -> String? {
    do {
      try DurableFile.write(JSONEncoder().encode(snapshot), to: path)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func path(_ key: Snapshot.Key) -> String {
    let id = CardID(key.bundleIdentifier, instance: key.instance)
    return "\(folder)/\(StateFolders.fileName(id))/\(key.width).\(key.displayMode.rawValue).json"
  }
}
