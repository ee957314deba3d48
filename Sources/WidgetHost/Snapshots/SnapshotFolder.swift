import Glibc

/// What is cleared away among the snapshots' files.
nonisolated enum SnapshotFolder {
  /// Removes a card's folder with the files in it.
  static func remove(_ path: String) {
    let place = OwnPath.split(path)
    guard let parent = try? OwnFolder.open(place.folder) else { return }
    if let folder = try? parent.folder(place.name) {
      for name in folder.names() { folder.remove(name) }
    }
    parent.removeFolder(place.name)
  }

  /// Removes temporary files in the folders below `path` whose writers are gone.
  ///
  /// Called from the writer's own queue, so that none of this process's is being written.
  static func removeStrays(below path: String) {
    guard let folder = try? OwnFolder.open(path) else { return }
    for name in folder.names() {
      if let widget = try? folder.folder(name) { widget.removeStrays() }
    }
  }

  /// Removes the files that were written longest ago, where there are more than `limit`.
  static func removeOldest(besides path: String, limit: Int) {
    let place = OwnPath.split(path)
    guard let folder = try? OwnFolder.open(place.folder) else { return }
    let names = folder.names().filter { $0.hasSuffix(".json") }
    guard names.count > limit else { return }
    let others = names.filter { $0 != place.name }
      .map { (name: $0, changed: changed($0, in: folder)) }.sorted { $0.changed > $1.changed }
    for file in others.dropFirst(limit - 1) { folder.remove(file.name) }
  }

  private static func changed(_ name: String, in folder: borrowing OwnFolder) -> Duration {
    let time = folder.status(name)?.st_mtim ?? timespec()
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
