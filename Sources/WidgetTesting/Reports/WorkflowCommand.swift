import WidgetKitCore

/// Commands of GitHub's jobs (docs.github.com, “Workflow commands for GitHub Actions”).
nonisolated enum WorkflowCommand {
  /// An annotation.
  ///
  /// - Parameters:
  ///   - kind: `error`, `warning` or `notice`.
  ///   - file: The path of a file in the repository; nil for none.
  ///   - place: Where it is in the file.
  ///   - title: Its heading.
  ///   - words: The message.
  /// - Returns: The line of the command.
  static func annotation(
    _ kind: String,
    file: String? = nil,
    place: TextPlace? = nil,
    title: String,
    _ words: String
  ) -> String {
    var properties = file.map { ["file=\(property($0))"] } ?? []
    if let place { properties += ["line=\(place.line)", "col=\(place.column)"] }
    properties.append("title=\(property(title))")
    return "::\(kind) \(properties.joined(separator: ","))::\(escaped(words))"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
