import FoundationEssentials
import Glibc
import WidgetCards
import WidgetExtensions
import WidgetKitCore
package import WidgetPlatform

/// Removal of all stored data of a widget whose bundle is no longer on the disk.
package nonisolated enum OrphanedState {
  /// Whether a widget's bundle is gone although the folder that contained it is the same one and can be
  /// read.
  ///
  /// An unmounted disk leaves another folder in its place, a link remains when its target is
  /// unavailable, and a file that cannot be read is not known to be gone. In none of these cases may a
  /// user lose data.
  static func isGone(_ entry: PageRecord.Entry, below folders: [String]) -> Bool {
    guard let path = entry.path, let folder = folders.first(where: { path.hasPrefix($0 + "/") }),
      let number = entry.folderNumber, self.number(ofFolder: folder) == number,
      (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil
    else { return false }
    return isAbsent(path)
  }

  /// Whether there is nothing at a path; false if that cannot be found out.
  package static func isAbsent(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// The inode number of a folder, which distinguishes it from one that is mounted over it.
  package static func number(ofFolder path: String) -> UInt64? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Removes an extension's snapshots, settings, permissions, secrets in files, flags, requests, history, logs and containers,
  /// and those of its instances.
  package static func erase(_ id: ExtensionIdentity, from folders: StateFolders) {
    if let names = (try? OwnFolder.open(folders.snapshots))?.names() {
      for name in names where id.owns(fileName: name) {
        SnapshotFolder.remove("\(folders.snapshots)/\(name)")
      }
    }
    let own = OwnPath.split(folders.containers(of: id).data).name
    for path in [folders.containers, folders.cacheContainers] {
      guard let folder = try? OwnFolder.open(path) else { continue }
      for name in folder.names() where name == own || id.owns(fileName: name) {
        folder.removeTree(name)
      }
    }
    for path in [
      folders.logs, folders.noContent, folders.schedules, folders.reloads, folders.locks,
      folders.settings, folders.permissions, folders.blocks, folders.secrets, folders.folds,
    ] {
      guard let folder = try? OwnFolder.open(path) else { continue }
      for file in folder.names() where id.owns(fileName: file, endings: endings) {
        folder.remove(file)
      }
    }
  }

  /// Removes what is stored for the app of a widget that is gone, if the app is gone too.
  ///
  /// The identifier of a widget begins with that of its app, whose answers say where it was.
  static func eraseApp(of entry: PageRecord.Entry, from folders: StateFolders) {
    guard let path = entry.path, let end = path.firstRange(of: ".app/PlugIns/") else { return }
    let place = path[..<end.lowerBound] + ".app"
    var status = stat()
    guard unsafe lstat(String(place), &status) != 0, errno == ENOENT else { return }
    let labels = entry.id.bundleIdentifier.split(separator: ".")
    for count in labels.indices.dropFirst() {
      let app = labels[..<count].joined(separator: ".")
      if StoredPermissions(folders).read(app).place == String(place) {
        erase(ExtensionIdentity(app), from: folders)
      }
    }
  }

  private static let endings: Set = [
    ".log", ".log.1", ".runs", ".runs.1", ".json", ".lock", ".settings", ".permissions",
    ".secrets",
  ]

  /// Removes widgets from all pages; returns the current page's record.
  package static func erase(
    _ identifiers: Set<String>,
    fromPagesIn folders: StateFolders,
    present: String
  ) -> PageRecord? {
    let names = (try? OwnFolder.open(folders.pages))?.names() ?? []
    for path in names.filter({ $0.hasSuffix(".json") }).map({ "\(folders.pages)/\($0)" }) {
      _ = try? PageRecord.change(path) { record in
        var record = record ?? PageRecord()
        record.erase(identifiers)
        return record
      }
    }
    return PageRecord.read(present)
  }
}
