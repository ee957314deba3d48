/// Something that the program can be asked to do.
protocol Command {
  /// Does it, on the main actor, and says what a script should know.
  func run() async throws(CommandError) -> ExitCode
}

/// What every command takes.
nonisolated struct CommonOptions: Sendable {
  /// The user's environment.
  var environment: [String: String]
  /// Folders given with `--widgets`.
  var widgetFolders: [String] = []
  /// The file given with `--trace`.
  var tracePath: String?

  /// Takes an option that every command has; false where it is another one.
  mutating func take(
    _ option: String,
    from reader: inout ArgumentReader
  ) throws(CommandError) -> Bool {
    switch option {
    case "--widgets": widgetFolders.append(try reader.value(of: option))
    case "--trace": tracePath = try reader.value(of: option)
    default: return false
    }
    return true
  }
}
