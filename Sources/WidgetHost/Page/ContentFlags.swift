import Glibc
import WidgetKitCore

/// Which widgets have nothing to show, over restarts: an empty file for each.
///
/// `$XDG_STATE_HOME/today/no-content/ID`. What is there is not shown and not started by anyone; it
/// has content again when the file goes.
public nonisolated struct ContentFlags: Sendable {
  let folder: String
  private let snapshots: String

  /// The flags of one user.
  public init(_ folders: StateFolders) {
    folder = folders.noContent
    snapshots = folders.snapshots
  }

  /// Whether a widget has something to show; true is the default.
  public func hasContent(_ identifier: String) -> Bool {
    DurableFile.isAbsent(path(identifier))
  }

  /// Which of some widgets have nothing to show, with the folder opened once.
  func withoutContent(among identifiers: [String]) -> Set<String> {
    guard let open = try? OwnFolder.open(folder) else { return [] }
    var found: Set<String> = []
    for identifier in identifiers where open.hasFile(StateFolders.fileName(CardID(identifier))) {
      found.insert(identifier)
    }
    return found
  }

  /// Says whether a widget has something to show; false drops its snapshots.
  ///
  /// - Throws: ``HostError`` where it cannot be kept.
  public func set(_ hasContent: Bool, for identifier: String) throws(HostError) {
    if hasContent {
      let path = path(identifier)
      guard !DurableFile.remove(path) else { return }
      let number = errno
      guard DurableFile.isAbsent(path) else { throw .file("remove", path, number) }
    } else {
      try DurableFile.write([UInt8](), to: path(identifier))
      SnapshotFolder.remove("\(snapshots)/\(StateFolders.fileName(CardID(identifier)))")
    }
  }

  private func path(_ identifier: String) -> String {
    "\(folder)/\(StateFolders.fileName(CardID(identifier)))"
  }
}
