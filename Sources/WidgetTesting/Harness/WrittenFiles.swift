import FoundationEssentials
import WidgetKitCore

/// The files in the folders that a widget may write to, to find out which it has written.
nonisolated struct WrittenFiles {
  private var stamps: [String: Stamp] = [:]

  private struct Stamp: Hashable {
    var size: Int
    var date: Date
    var number: Int
  }

  /// Looks at the files.
  init(_ containers: Containers) {
    look("data", containers.data)
    look("cache", containers.cache)
    for (name, path) in containers.groups { look("groups/\(name)", path) }
  }

  private mutating func look(_ name: String, _ folder: String) {
    let files = FileManager.default
    for path in (try? files.subpathsOfDirectory(atPath: folder)) ?? [] {
      // What the host keeps in the folder of a group is not the widget's.
      guard !path.split(separator: "/").contains(where: { $0.hasPrefix(".today") }),
        let attributes = try? files.attributesOfItem(atPath: "\(folder)/\(path)"),
        attributes[.type] as? FileAttributeType != .typeDirectory
      else { continue }
      stamps["\(name)/\(path)"] = Stamp(
        size: attributes[.size] as? Int ?? 0,
        date: attributes[.modificationDate] as? Date ?? .distantPast,
        number: attributes[.systemFileNumber] as? Int ?? 0
      )
    }
  }

  /// The files that are new or have changed since `old`, in order.
  func changes(since old: WrittenFiles) -> [String] {
    stamps.filter { old.stamps[$0.key] != $0.value }.map(\.key).sorted()
  }
}
