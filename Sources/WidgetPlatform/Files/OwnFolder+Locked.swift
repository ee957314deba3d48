extension OwnFolder {
  /// Changes files in a folder of the program while no other program does.
  ///
  /// - Parameters:
  ///   - path: The folder, which is made if it is not there.
  ///   - noun: What is in it, for the error: `settings`.
  ///   - patience: How long another program is waited for.
  ///   - work: The change.
  /// - Returns: What `work` returns.
  /// - Throws: ``HostError`` that names the folder, with `busy` if another program is changing it; and what
  ///   `work` throws.
  package static func whileLocked<Result>(
    _ path: String,
    of noun: String,
    patience: Duration = .seconds(2),
    _ work: (borrowing OwnFolder) throws(HostError) -> Result
  ) throws(HostError) -> Result {
    let folder: OwnFolder
    do throws(FileFault) {
      folder = try OwnFolder.open(path, makes: true)
    } catch {
      throw .file("use", path, error)
    }
    guard let lock = FolderLock(folder, patience: patience) else {
      throw HostError(
        code: .busy,
        description: "another program is changing the \(noun) in \(path); try again"
      )
    }
    defer { _ = lock }
    return try work(folder)
  }
}
