import Dispatch
import WidgetKitCore

/// The disk usage of widgets' own containers.
nonisolated enum ContainerStorage {
  /// The limit on files and folders that are counted, nested up to 64 deep; a container with more
  /// counts as full.
  static let entryLimit = 100_000

  /// Measures containers off the main thread.
  static func measure(_ folders: StateFolders) -> ResourceWatch.StorageMeasure {
    { ids, completion in
      Worker.background.async {
        var bytes: [ExtensionIdentity: UInt64] = [:]
        for id in ids {
          let containers = folders.containers(of: id)
          bytes[id] = Self.bytes(below: [containers.data, containers.cache])
        }
        DispatchQueue.main.async { [bytes] in MainActor.assumeIsolated { completion(bytes) } }
      }
    }
  }

  /// Returns the bytes that files and folders use on the disk, or the largest number if there are more
  /// of them than the limit.
  static func bytes(below folders: [String]) -> UInt64 {
    var extent = OwnFolder.Extent()
    for path in folders {
      let place = OwnPath.split(path)
      guard let parent = try? OwnFolder.open(place.folder),
        let folder = try? parent.anyFolder(place.name)
      else { continue }
      folder.measure(into: &extent, entryLimit: entryLimit)
      if extent.isCutOff { return .max }
    }
    return extent.bytes
  }
}
