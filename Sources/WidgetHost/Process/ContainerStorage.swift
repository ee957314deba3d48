import Dispatch
import FoundationEssentials
import Glibc
import WidgetKitCore

/// What widgets' own containers hold of the disk.
nonisolated enum ContainerStorage {
  /// So many files and folders are counted; a container of more is as good as full.
  static let entryLimit = 100_000

  /// Not a global queue, which would have Dispatch tick (see ``WidgetSession``'s reading).
  private static let queue = DispatchQueue(label: "container storage", qos: .utility)

  /// Measures containers off the main queue.
  static func measure(_ folders: StateFolders) -> ResourceWatch.StorageMeasure {
    { ids, completion in
      queue.async {
        var bytes: [CardID: UInt64] = [:]
        for id in ids {
          let containers = folders.containers(of: id)
          bytes[id] = Self.bytes(below: [containers.data, containers.cache])
        }
        DispatchQueue.main.async { [bytes] in MainActor.assumeIsolated { completion(bytes) } }
      }
    }
  }

  /// The bytes that files and folders take, as the disk counts them.
  ///
  /// A file of holes is no larger than what was written. Links count themselves and are not
  /// followed.
  static func bytes(below folders: [String]) -> UInt64 {
    var left = folders
    var total: UInt64 = 0
    var count = 0
    while let folder = left.popLast() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        count += 1
        guard count <= entryLimit else { return .max }
        let path = "\(folder)/\(name)"
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { continue }
        total += UInt64(max(0, status.st_blocks)) * 512
        if status.st_mode & S_IFMT == S_IFDIR { left.append(path) }
      }
    }
    return total
  }
}
