import FoundationEssentials
import WidgetKitCore

/// Appends what is shared to a file of its own.
///
///     __NAME__/build
///     git diff | today --widgets __NAME__/__NAME__.appex share --with __NAME__
@main struct __NAME__: ShareExtension {
  /// What the sheet shows; rows with choices are its `configurationItems`.
  var compose: ComposeSheet { ComposeSheet(placeholder: "Say something about it") }

  func charactersRemaining(in text: String) -> Int? { 200 - text.count }

  func isContentValid(_ text: String) -> Bool { text.count <= 200 }

  /// Called after Post. An error cancels the request, and the user reads its description.
  func didSelectPost(_ text: String) async throws {
    let name = extensionContext.configuration.string("file") ?? "shared.txt"
    let path = "\(extensionContext.containers.data)/\(name)"
    var words = FileManager.default.contents(atPath: path) ?? Data()
    if !text.isEmpty { words += Data("\(text)\n".utf8) }
    for attachment in extensionContext.inputItems[0].attachments {
      words += Data("\(try await attachment.loadText("public.text"))\n".utf8)
    }
    try words.write(to: URL(filePath: path), options: .atomic)
    // What is returned is printed.
    try await extensionContext.completeRequest(returning: [.text(path)])
  }
}
