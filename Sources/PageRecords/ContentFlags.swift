import Glibc
import WidgetCards
import WidgetKitCore
public import WidgetPlatform

/// The widgets that have nothing to show, stored across restarts as an empty file for each.
///
/// The files are `$XDG_STATE_HOME/today/no-content/ID`, `ID:NAME` for an instance. A widget that has a
/// file is not shown, and no host starts it; it has content again when the file is removed.
public nonisolated struct ContentFlags: Sendable {
  package let folder: String
  private let snapshots: String

  /// Creates the flags of one user.
  public init(_ folders: StateFolders) {
    folder = folders.noContent
    snapshots = folders.snapshots
  }

  /// Whether a widget has something to show; true is the default.
  public func hasContent(_ id: ExtensionIdentity) -> Bool {
    DurableFile.isAbsent(path(id))
  }

  /// Returns the widgets without content; it opens the folder once.
  package func withoutContent(among ids: [ExtensionIdentity]) -> Set<ExtensionIdentity> {
    guard let open = try? OwnFolder.open(folder) else { return [] }
    var found: Set<ExtensionIdentity> = []
    for id in ids where open.hasFile(id.fileName) { found.insert(id) }
    return found
  }

  /// Sets whether a widget has something to show; false removes its snapshots.
  ///
  /// - Throws: ``HostError`` if the flag cannot be written.
  public func set(_ hasContent: Bool, for id: ExtensionIdentity) throws(HostError) {
    if hasContent {
      let path = path(id)
      guard !DurableFile.remove(path) else { return }
      let number = errno
      guard DurableFile.isAbsent(path) else { throw .file("remove", path, number) }
    } else {
      try DurableFile.write([UInt8](), to: path(id))
      SnapshotFolder.remove("\(snapshots)/\(id.fileName)")
    }
  }

  private func path(_ id: ExtensionIdentity) -> String { "\(folder)/\(id.fileName)" }
}
