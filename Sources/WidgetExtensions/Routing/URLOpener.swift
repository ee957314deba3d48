/// A command of the user that opens the URLs of a scheme.
public struct URLOpener: Hashable, Sendable {
  /// The program and its arguments; `{url}` is replaced by the URL.
  public var command: [String]
  /// Whether the program gets the screen; otherwise it runs on its own.
  public var usesTerminal: Bool

  /// Creates a command.
  public init(_ command: [String], usesTerminal: Bool = false) {
    self.command = command
    self.usesTerminal = usesTerminal
  }

  /// Where the URL is put in an argument.
  private static let placeholder = "{url}"

  /// Whether a name can be a scheme (RFC 3986, 3.1), in lower case.
  package static func isScheme(_ name: String) -> Bool {
    CheckedURL("\(name):")?.scheme == name
  }

  /// The program and its arguments with the URL in its place; the last one where it has none.
  func command(for url: String) -> [String] {
    let arguments = command.dropFirst()
    let hasPlace = arguments.contains { $0.contains(Self.placeholder) }
    return command.prefix(1)
      + (hasPlace ? arguments.map { $0.replacing(Self.placeholder, with: url) } : arguments + [url])
  }
}
