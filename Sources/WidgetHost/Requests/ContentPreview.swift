package import ExtensionContent
package import WidgetKitCore

/// The host's own small view of an attachment.
package nonisolated enum ContentPreview {
  /// The most rows.
  package static let rowLimit = 8

  /// The first lines of a text, or what is known of other content; at most ``rowLimit`` rows, with a count of the rest.
  ///
  /// Of a pipe only what was read to know its type is looked at.
  package static func view(
    of provider: ItemProvider,
    _ table: TypeTable,
    charset: TextCharset? = nil
  ) -> ViewNode {
    let isText = provider.types.contains { table.conforms($0, to: .text) || $0 == .url }
    if isText, let lines = lines(of: provider, charset ?? .ofLocale) { return stack(lines) }
    var words: [String] = []
    if let name = provider.suggestedName { words.append(name) }
    if let type = provider.types.first { words.append(table.words(for: type) ?? type.identifier) }
    if let size = provider.size { words.append("\(size) bytes") }
    return stack([words.joined(separator: " · ")])
  }

  /// The first lines, and how many there are besides, as far as that is known.
  private static func lines(of provider: ItemProvider, _ charset: TextCharset?) -> [String]? {
    guard let source = provider.representations.first?.source else { return nil }
    let bytes = beginning(of: source)
    let isWhole = provider.size.map { $0 <= bytes.count } ?? false
    let text = TextCharset.text(bytes[...], isWhole: isWhole, charset: charset)
    guard let text else { return nil }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(
      String.init
    )
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count > rowLimit || !isWhole else { return lines }
    let shown = Array(lines.prefix(rowLimit - 1))
    let rest = lines.count - shown.count
    return shown + [isWhole ? "… \(rest) more lines" : "… more than \(rest) more lines"]
  }

  private static func beginning(of source: ItemProvider.Source) -> [UInt8] {
    switch source {
    case .spool(let spool): spool.beginning(ContentSample.byteLimit)
    case .pipe(let pipe): pipe.beginning
    case .file(let path): (try? ContentFile(path))?.sample.bytes ?? []
    }
  }

  private static func stack(_ lines: [String]) -> ViewNode {
    let rows = lines.map { line in
      ViewNode(.text(TextContent(spans: [TextSpan(SafeText(line))], lineLimit: 1)))
    }
    return ViewNode(.vstack(StackContent(children: rows)))
  }
}
