public import WidgetPlatform

/// Requests by other programs to update a widget now: an empty file for each widget.
///
/// The files are `$XDG_STATE_HOME/today/reload/ID`. The host that removes the file makes the update, so
/// that only one does. If no host runs, the file remains until the next `today refresh --due`.
public nonisolated struct ReloadRequests: Sendable {
  /// The folder of the files.
  public let folder: String

  /// Creates the requests of one user.
  public init(_ folders: StateFolders) {
    folder = folders.reloads
  }

  /// Requests an update of a widget.
  ///
  /// - Throws: ``HostError`` if the file cannot be created.
  public func ask(_ id: ExtensionIdentity) throws(HostError) {
    // A running host is notified of the new name.
    try DurableFile.write([], to: path(id), waitsForDisk: false)
  }

  /// Removes the request for a widget; returns true for the one host that must make the update.
  public func take(_ id: ExtensionIdentity) -> Bool {
    DurableFile.remove(path(id))
  }

  /// Removes the requests for some widgets, opening the folder once; returns those that existed.
  package func take(among ids: [ExtensionIdentity]) -> [ExtensionIdentity] {
    guard let open = try? OwnFolder.open(folder) else { return [] }
    var taken: [ExtensionIdentity] = []
    for id in ids where open.remove(id.fileName) { taken.append(id) }
    return taken
  }

  /// Whether an update of the widget was requested and is not made yet.
  public func isPending(_ id: ExtensionIdentity) -> Bool {
    !DurableFile.isAbsent(path(id))
  }

  private func path(_ id: ExtensionIdentity) -> String { "\(folder)/\(id.fileName)" }
}
