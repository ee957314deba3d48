import WidgetKitCore

/// The disk usage of widgets' own containers.
package enum ContainerStorage {
  /// The limit on files and folders that are counted, nested up to 64 deep; a container with more
  /// counts as full.
  static let entryLimit = 100_000

  /// Measures containers off the main thread.
  package static func measure(_ folders: StateFolders) -> ResourceWatch.StorageMeasure {
    { widgets, completion in
      Worker.background.async {
        var bytes: [ExtensionIdentity: UInt64] = [:]
        let members = ProcessGroups.members(of: Set(widgets.values.compactMap(\.self)))
        for (id, run) in widgets {
          let containers = folders.containers(of: id)
          let places = [containers.data, containers.cache]
          bytes[id] = Self.bytes(below: places)
            .addingSaturated(deletedBytes(below: places, run.flatMap { members[$0] } ?? []))
        }
        MainQueue.perform { [bytes] in completion(bytes) }
      }
    }
  }

  /// Returns the bytes of deleted files that processes still use.
  private static func deletedBytes(below folders: [String], _ pids: [Int32]) -> UInt64 {
    pids.isEmpty ? 0 : HeldResources(of: pids).deletedBytes(below: folders, pids)
  }

  /// Returns the bytes that files and folders use on the disk, or the largest number if there are more
  /// of them than the limit.
  static func bytes(below folders: [String]) -> UInt64 {
    var extent = FolderExtent(entryLimit: entryLimit)
    for path in folders {
      let place = OwnPath.split(path)
      guard let parent = try? OwnFolder.open(place.folder),
        let folder = try? parent.anyFolder(place.name)
      else { continue }
      extent.add(folder)
      if extent.isCutOff { return .max }
    }
    return extent.bytes
  }
}
