/// Wishes from outside the program that a widget be updated now: an empty file for each widget.
///
/// `$XDG_STATE_HOME/today/reload/ID`. Whoever removes the file makes the update, so that of many
/// hosts one does; where no host runs, the file waits for the next `today refresh --due`.
public nonisolated struct ReloadRequests: Sendable {
  /// The folder of the files.
  public let folder: String

  /// The requests of one user.
  public init(_ folders: StateFolders) {
    folder = folders.reloads
  }

  /// Asks for an update of a widget.
  ///
  /// - Throws: ``HostError`` where the file cannot be made.
  public func ask(_ id: CardID) throws(HostError) {
    // The new name is what a running host hears.
    try DurableFile.write([], to: path(id), waitsForDisk: false)
  }

  /// Takes the request for a widget; true for the one host that is to make the update.
  public func take(_ id: CardID) -> Bool {
    DurableFile.remove(path(id))
  }

  /// Takes the requests for some widgets, with the folder opened once; returns those that there were.
  func take(among ids: [CardID]) -> [CardID] {
    guard let open = try? OwnFolder.open(folder) else { return [] }
    var taken: [CardID] = []
    for id in ids where open.remove(StateFolders.fileName(id)) { taken.append(id) }
    return taken
  }

  /// Whether an update of the widget was asked for and not made yet.
  public func isPending(_ id: CardID) -> Bool {
    !DurableFile.isAbsent(path(id))
  }

  private func path(_ id: CardID) -> String { "\(folder)/\(StateFolders.fileName(id))" }
}
