import WidgetKitCore

/// Shows the lines of a text in order, and returns them.
///
///     __NAME__/build
///     git branch | today --widgets __NAME__/__NAME__.appex act --with __NAME__
@main final class __NAME__: ActionExtension {
  private var lines: [String] = []
  private var ignoresCase = false

  /// Evaluated after each method, and sent if it has changed.
  var body: some View {
    let shown = Array(sortedLines.prefix(rows).enumerated())
    ForEach(shown, id: \.offset) { Text($0.element) }
    if lines.count > shown.count {
      Text("… \(lines.count - shown.count) more").foregroundStyle(.secondary)
    }
    Toggle("Ignore case", isOn: ignoresCase, action: "ignore-case")
    Button("Sort", action: "sort")
  }

  /// Called when the view is on the screen. An error cancels the request, and the content stays as it was.
  func beginRequest() async throws {
    let text = try await extensionContext.inputItems[0].attachments[0].loadText("public.text")
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // Of a text that ends with a line break, the last part is empty.
    if lines.last == "" { lines.removeLast() }
  }

  func perform(action: String, value: Bool?) async throws {
    if action == "ignore-case" {
      ignoresCase = value ?? false
    } else {
      // What is returned takes the place of the content, and the view is closed.
      let result = sortedLines.map { "\($0)\n" }.joined()
      try await extensionContext.completeRequest(returning: [.text(result)])
    }
  }

  private var sortedLines: [String] {
    guard ignoresCase else { return lines.sorted() }
    return lines.sorted { $0.lowercased() < $1.lowercased() }
  }

  private var rows: Int { Int(extensionContext.configuration.number("rows") ?? 10) }
}
