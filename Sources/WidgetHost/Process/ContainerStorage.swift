import Dispatch
import WidgetKitCore

/// What widgets' own containers hold of the disk.
nonisolated enum ContainerStorage {
  /// So many files and folders are counted, in 64 folders within each other; a container of more is
  /// as good as full.
  static let entryLimit = 100_000

  /// Measures containers off the main thread.
  static func measure(_ folders: StateFolders) -> ResourceWatch.StorageMeasure {
    { ids, completion in
      Worker.background.async {
        var bytes: [CardID: UInt64] = [:]
        for id in ids {
          let containers = folders.containers(of: id)
          bytes[id] = Self.bytes(below: [containers.data, containers.cache])
        }
        DispatchQueue.main.async { [bytes] in MainActor.assumeIsolated { completion(bytes) } }
      }
    }
  }

  /// The bytes that files and folders take, as the disk counts them; the largest number where there
  /// are more of them than are counted.
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
