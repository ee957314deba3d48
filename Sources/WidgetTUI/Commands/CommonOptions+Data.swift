import FoundationEssentials

extension CommonOptions {
  /// Lets the widgets have data of their own, with settings and content, which are kept in a folder.
  ///
  /// - Parameter path: The folder, which is made if it is missing.
  /// - Throws: ``CommandError`` if it could not be made.
  mutating func keepData(in path: String) throws(CommandError) {
    let folder =
      path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    for (variable, name) in [
      ("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache"),
    ] {
      do {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)",
          withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700]
        )
      } catch {
        throw .unavailable(
          "\(folder)/\(name) could not be made; choose a folder that you can write to"
        )
      }
      environment[variable] = "\(folder)/\(name)"
    }
  }
}
