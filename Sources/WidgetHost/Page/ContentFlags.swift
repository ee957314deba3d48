import Glibc
import WidgetKitCore

/// The widgets that have nothing to show, stored across restarts as an empty file for each.
///
/// The files are `$XDG_STATE_HOME/today/no-content/ID`. A widget that has a file is not shown, and no
/// host starts it; it has content again when the file is removed.
public nonisolated struct ContentFlags: Sendable {
  let folder: String
  private let snapshots: String

  /// Creates the flags of one user.
  public init(_ folders: StateFolders) {
    folder = folders.noContent
    snapshots = folders.snapshots
  }

  /// Whether a widget has something to show; true is the default.
  public func hasContent(_ identifier: String) -> Bool {
    DurableFile.isAbsent(path(identifier))
  }

  /// Returns the identifiers of the widgets without content; it opens the folder once.
  func withoutContent(among identifiers: [String]) -> Set<String> {
    guard let open = try? OwnFolder.open(folder) else { return [] }
    var found: Set<String> = []
    for identifier in identifiers where open.hasFile(ExtensionIdentity(identifier).fileName) {
      found.insert(identifier)
    }
    return found
  }

  /// Sets whether a widget has something to show; false removes its snapshots.
  ///
  /// - Throws: ``HostError`` if the flag cannot be written.
  public func set(_ hasContent: Bool, for identifier: String) throws(HostError) {
    if hasContent {
      let path = path(identifier)
      guard !DurableFile.remove(path) else { return }
      let number = errno
      guard DurableFile.isAbsent(path) else { throw .file("remove", path, number) }
    } else {
      try DurableFile.write([UInt8](), to: path(identifier))
      SnapshotFolder.remove("\(snapshots)/\(ExtensionIdentity(identifier).fileName)")
    }
  }

  private func path(_ identifier: String) -> String {
    "\(folder)/\(ExtensionIdentity(identifier).fileName)"
  }
}
