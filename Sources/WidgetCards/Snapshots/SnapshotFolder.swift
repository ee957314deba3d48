import Glibc
package import WidgetPlatform

/// Removal of old files among the snapshots.
package nonisolated enum SnapshotFolder {
  /// Removes a card's folder with the files in it.
  package static func remove(_ path: String) {
    let place = OwnPath.split(path)
    guard let parent = try? OwnFolder.open(place.folder) else { return }
    if let folder = try? parent.folder(place.name) {
      // A program that is writing at this moment has already checked whether the widget has something
      // to show.
      let lock = FolderLock(folder, patience: SnapshotGenerations.lockPatience)
      for name in folder.names() { folder.remove(name) }
      _ = consume lock
    }
    parent.removeFolder(place.name)
  }

  /// Removes the folders of all cards below `path` but those of some.
  package static func removeOthers(than cards: Set<ExtensionIdentity>, below path: String) {
    guard let folder = try? OwnFolder.open(path) else { return }
    let kept = Set(cards.map(\.fileName))
    for name in folder.names() where !kept.contains(name) { remove("\(path)/\(name)") }
  }

  /// Removes temporary files in the folders below `path` whose writers have ended, and snapshots of
  /// earlier versions of the program.
  ///
  /// It is called on the writer's own queue, so that no file of this process is being written.
  static func removeStrays(below path: String) {
    guard let folder = try? OwnFolder.open(path) else { return }
    for name in folder.names() {
      guard let widget = try? folder.folder(name) else { continue }
      widget.removeStrays()
      for name in widget.names() where name.hasSuffix(".json") { widget.remove(name) }
    }
  }

  /// Removes the keys that were written longest ago if a card has more than the limit.
  ///
  /// - Parameters:
  ///   - folder: The card's folder.
  ///   - variant: The key that has just been written, as its part of the file name.
  static func removeOldest(in folder: borrowing OwnFolder, besides variant: String) {
    var keys: [String: Duration] = [:]
    for name in folder.names() {
      guard let key = Self.variant(of: name), key != variant else { continue }
      keys[key] = max(keys[key] ?? .zero, changed(name, in: folder))
    }
    let oldest = keys.sorted { $0.value > $1.value }.dropFirst(
      SnapshotGenerations.keysPerWidget - 1
    )
    for (key, _) in oldest {
      folder.remove(key + SnapshotGenerations.ending)
      folder.remove(key + SnapshotGenerations.newestEnding)
      folder.remove(key + PastStore.ending)
    }
  }

  private static func variant(of name: String) -> String? {
    for ending in [SnapshotGenerations.newestEnding, SnapshotGenerations.ending]
    where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return nil
  }

  private static func changed(_ name: String, in folder: borrowing OwnFolder) -> Duration {
    let time = folder.status(name)?.st_mtim ?? timespec()
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
