import Glibc

/// One command of the program, with its arguments.
protocol Command {
  /// Runs the command on the main actor, and returns the exit status.
  func run() async throws(CommandError) -> ExitCode
}

/// The options that all commands have.
nonisolated struct CommonOptions: Sendable {
  /// The user's environment.
  var environment: [String: String]
  /// Folders given with `--widgets`.
  var widgetFolders: [String] = []
  /// The file given with `--trace`.
  var tracePath: String?

  /// Takes an option that every command has; false if it is another one.
  mutating func take(
    _ option: String,
    from reader: inout ArgumentReader
  ) throws(CommandError) -> Bool {
    switch option {
    case "--widgets":
      let folder = try reader.value(of: option)
      var status = stat()
      let kinds = [S_IFDIR, S_IFREG]
      guard unsafe stat(folder, &status) == 0, kinds.contains(status.st_mode & S_IFMT) else {
        throw .missing("\(option) \(folder): no such folder, bundle or script")
      }
      widgetFolders.append(folder)
    case "--trace": tracePath = try reader.value(of: option)
    default: return false
    }
    return true
  }
}
