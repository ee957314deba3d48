import WidgetPlatform

/// Names of files that are not UTF-8, which no command can be given.
enum UnreadableNames {
  /// The error for the first one of some paths of the arguments; nil if all are UTF-8.
  static func error(in paths: [String]) -> CommandError? {
    for argument in HostProcess.unreadableArguments() {
      let isPath = paths.contains(argument.text)
      // --output=OUT
      guard isPath || paths.contains(where: { argument.text.hasSuffix("=\($0)") }) else { continue }
      let words = isPath ? argument.words[...] : argument.words.drop { $0 != "=" }.dropFirst()
      return .missing(
        "\(words): the name is not UTF-8; rename the file, or give its content on standard input"
      )
    }
    return nil
  }
}
