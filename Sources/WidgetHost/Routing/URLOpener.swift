/// A command of the user that opens the URLs of a scheme: a program and its arguments.
nonisolated enum URLOpener {
  /// Where the URL is put in an argument.
  private static let placeholder = "{url}"

  /// Whether a name can be a scheme (RFC 3986, 3.1), in lower case.
  static func isScheme(_ name: String) -> Bool {
    CheckedURL("\(name):")?.scheme == name
  }

  /// The arguments of a command with the URL in its place; the last one where it has none.
  static func arguments(_ command: [String], url: String) -> [String] {
    let arguments = command.dropFirst()
    guard arguments.contains(where: { $0.contains(placeholder) }) else { return arguments + [url] }
    return arguments.map { $0.replacing(placeholder, with: url) }
  }
}
