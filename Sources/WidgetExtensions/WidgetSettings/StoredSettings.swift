import WidgetKitCore
package import WidgetPlatform

/// The settings of a widget that were set in the program: a file of its own below the state folder.
package struct StoredSettings {
  private let folder: String
  private static let byteLimit = 1 << 20
  /// The ending of the files.
  package static let ending = ".settings"

  package init(_ folders: StateFolders) {
    folder = folders.settings
  }

  private func path(_ id: ExtensionIdentity) -> String { "\(folder)/\(Self.name(id))" }

  /// The name of the file of a widget.
  package static func name(_ id: ExtensionIdentity) -> String { id.fileName + ending }

  /// The values of a widget; none if there is no file, or if it is not the program's.
  func read(_ id: ExtensionIdentity) -> [JSONTree.Member] {
    guard let bytes = DurableFile.read(path(id), byteLimit: Self.byteLimit),
      let value = try? JSON5File(bytes, path: path(id)).value, case .object(let values) = value
    else { return [] }
    return values
  }

  /// Sets values, and removes those that are nil, all at once.
  ///
  /// - Throws: ``HostError`` that names the file, with `busy` if another program is changing it; nothing is changed
  ///   then.
  func set(_ changes: [String: JSONTree?], of id: ExtensionIdentity) throws(HostError) {
    try OwnFolder.whileLocked(folder, of: "settings") { _ throws(HostError) in
      var values = read(id)
      for (name, value) in changes { values[name] = value }
      guard !values.isEmpty else {
        DurableFile.remove(path(id))
        return
      }
      try DurableFile.write(JSONTree.object(values.byName).json + [0x0A], to: path(id))
    }
  }
}
