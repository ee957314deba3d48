import WidgetKitCore

/// Puts a margin before each line of a text.
///
///     __NAME__/build
///     git log -1 | today --widgets __NAME__/__NAME__.appex act --with __NAME__
@main struct __NAME__: ActionExtension {
  /// Called as soon as the request begins. An error cancels it, and the content stays as it was.
  func beginRequest() async throws {
    let text = try await extensionContext.inputItems[0].attachments[0].loadText("public.text")
    let margin = extensionContext.configuration.string("margin") ?? "> "
    // Of a text that ends with a line break, the last part is empty.
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    let result = lines.map { "\(margin)\($0)\n" }.joined()
    // What is returned takes the place of the content.
    try await extensionContext.completeRequest(returning: [.text(result)])
  }
}
