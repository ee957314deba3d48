/// Where a secret is stored: never in config.json or in a file of the program.
nonisolated enum SecretSource: Hashable, Sendable {
  /// The first line of a file.
  case file(String)
  /// The first line that a program writes to its standard output.
  case command([String])
  /// An environment variable of the host.
  case environment(String)

  /// Reads `{ file: PATH }`, `{ command: [PROGRAM, …] }` or `{ environment: NAME }`; nil for anything
  /// else.
  init?(_ value: SettingValue) {
    guard case .group(let members) = value, members.count == 1, let member = members.first else {
      return nil
    }
    switch (member.key, member.value) {
    case ("file", .text(let path)) where path.hasPrefix("/") || path.hasPrefix("~/"):
      self = .file(path)
    case ("command", .list(let values)):
      let words = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
      guard words.count == values.count, (1...100).contains(words.count), words[0] != "",
        words.allSatisfy({ !$0.utf8.contains(0) && $0.utf8.count <= 4096 })
      else { return nil }
      self = .command(words)
    case ("environment", .text(let name))
    where !name.isEmpty && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") }:
      self = .environment(name)
    default: return nil
    }
  }
}
