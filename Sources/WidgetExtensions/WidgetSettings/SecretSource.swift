import WidgetKitCore

/// Where a secret is stored: never in config.json or in a file of the program.
package enum SecretSource: Hashable, Sendable {
  /// The first line of a file.
  case file(String)
  /// The first line that a program writes to its standard output.
  case command([String])
  /// An environment variable of the host.
  case environment(String)

  /// Reads `{ file: PATH }`, `{ command: [PROGRAM, …] }` or `{ environment: NAME }`; nil for anything
  /// else.
  init?(_ value: JSONTree) {
    guard case .object(let members) = value, members.count == 1 else { return nil }
    switch (members[0].name, members[0].value) {
    case ("file", .string(let path)) where path.hasPrefix("/") || path.hasPrefix("~/"):
      self = .file(path)
    case ("command", .array(let values)):
      let words = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
      guard words.count == values.count, (1...100).contains(words.count), words[0] != "",
        words.allSatisfy({ !$0.utf8.contains(0) && $0.utf8.count <= 4096 })
      else { return nil }
      self = .command(words)
    case ("environment", .string(let name))
    where !name.isEmpty && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "=") }:
      self = .environment(name)
    default: return nil
    }
  }
}
