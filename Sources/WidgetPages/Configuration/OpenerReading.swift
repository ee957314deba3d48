import WidgetExtensions
import WidgetKitCore
import WidgetPlatform

/// Reads a member of `openers`.
nonisolated enum OpenerReading {
  /// A command that opens URLs: a list of texts, or an object with the list and whether it needs the
  /// screen.
  static var kind: SettingKind<URLOpener> {
    let words = SettingKind<[String]>.list(of: .text(upTo: 4096), "texts", upTo: 100)
    let expectation = "\(words.expectation), or { command: [...], terminal: true }"
    return SettingKind(
      expectation: expectation,
      range: "\(words.range), or an object,",
      text: { opener in
        let command = words.text(opener.command)
        return opener.usesTerminal ? "{command: \(command), terminal: true}" : command
      },
      value: { value, path throws(SettingFault) in
        switch value {
        case .array: return URLOpener(try words.value(value, path))
        case .object(let members):
          for name in members.map(\.name).sorted() where !["command", "terminal"].contains(name) {
            throw SettingFault(
              path: path.member(name),
              expectation: "command or terminal",
              isOfName: true
            )
          }
          guard let command = members["command"] else {
            throw SettingFault(path: path, expectation: expectation)
          }
          let terminal = try members["terminal"].map { value throws(SettingFault) in
            try SettingKind<Bool>.truth.value(value, path.member("terminal"))
          }
          return URLOpener(
            try words.value(command, path.member("command")),
            usesTerminal: terminal ?? false
          )
        default: throw SettingFault(path: path, expectation: expectation)
        }
      }
    )
  }
}
