package import ExtensionContent
package import WidgetKitCore

/// What a person sees of content before it is given to an extension: what it is, and its first lines.
package nonisolated struct ContentPreview: Hashable, Sendable {
  /// Name, type and size on one line.
  package let summary: SafeText
  /// The first lines of a text, or a line for each of several files.
  package let lines: [SafeText]
  /// How many lines there are besides; nil if that is not known.
  package let more: Int?

  /// The most rows.
  package static let rowLimit = 8
  /// The most characters of a line.
  private static let lineLimit = 400

  package init(summary: SafeText, lines: [SafeText] = [], more: Int? = 0) {
    (self.summary, self.lines, self.more) = (summary, lines, more)
  }

  /// Makes the preview of attachments.
  ///
  /// - Parameters:
  ///   - attachments: What extensions know of the content.
  ///   - beginnings: The first ``ContentSample/byteLimit`` bytes of each, or all if there are fewer.
  ///   - table: The types that are known.
  ///   - charset: The charset of text that is not in UTF-8.
  package init(
    _ attachments: [ItemAttachment],
    _ beginnings: [[UInt8]],
    _ table: TypeTable,
    charset: TextCharset? = nil
  ) {
    let words = attachments.map { Self.words(of: $0, table) }
    guard let bytes = beginnings.first, beginnings.count == 1 else {
      let size = attachments.reduce(0) { $0 + ($1.size ?? 0) }
      summary = SafeText("\(attachments.count) files · \(Self.words(ofSize: size))")
      lines = Array(words.prefix(Self.rowLimit))
      more = max(0, words.count - Self.rowLimit)
      return
    }
    summary = words[0]
    let isWhole = attachments[0].size.map { $0 <= bytes.count } ?? false
    let text = TextCharset.text(bytes[...], isWhole: isWhole, charset: charset)
    guard let text else {
      let picture = ImageHeader(bytes).map { SafeText("\($0.width) × \($0.height) pixels") }
      (lines, more) = (picture.map { [$0] } ?? [], 0)
      return
    }
    var all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if all.last?.isEmpty == true { all.removeLast() }
    lines = all.prefix(Self.rowLimit).map { line in
      SafeText(String(line.prefix(Self.lineLimit)).replacing("\t", with: "    ")).onOneLine
    }
    more = isWhole ? max(0, all.count - Self.rowLimit) : nil
  }

  private static func words(of attachment: ItemAttachment, _ table: TypeTable) -> SafeText {
    let type = attachment.types.first ?? .data
    let last = type.identifier.split(separator: ".").last
    let name = last.map { String($0).replacing("-", with: " ") }
    let kind = table.words(for: type) ?? name ?? type.identifier
    let size = attachment.size.map { words(ofSize: $0) }
    let parts = [attachment.suggestedName, kind, size].compactMap(\.self)
    return SafeText(parts.joined(separator: " · ")).onOneLine
  }

  /// A size in words: `812 bytes`, `4.7 kB`, `12 MB`.
  package static func words(ofSize bytes: Int) -> String {
    guard bytes >= 1_000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var (value, unit) = (Double(bytes), 0)
    let units = ["kB", "MB", "GB", "TB"]
    repeat {
      value /= 1_000
      unit += 1
    } while value >= 999.5 && unit < units.count
    let tenths = Int((value * 10).rounded())
    let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    return "\(number) \(units[unit - 1])"
  }

  /// The lines that fit into some rows, and the words for those that are cut; nil if none are.
  package func shown(rows: Int) -> (lines: ArraySlice<SafeText>, rest: String?) {
    guard more != 0 || lines.count > rows else { return (lines[...], nil) }
    let shown = lines.prefix(max(0, rows - 1))
    guard let more else { return (shown, "more") }
    let count = more + lines.count - shown.count
    return (shown, count == 1 ? "1 more line" : "\(count) more lines")
  }
}

nonisolated extension ContentPreview {
  /// The preview of an attachment, of which nothing is made for it; at most ``rowLimit`` rows.
  static func view(
    of provider: ItemProvider,
    _ table: TypeTable,
    charset: TextCharset? = nil
  ) -> ViewNode {
    let attachment = ItemAttachment(
      id: "",
      types: provider.types,
      size: provider.size,
      suggestedName: provider.suggestedName
    )
    let beginning = provider.representations.first.map { Self.beginning(of: $0.source) } ?? []
    return ContentPreview([attachment], [beginning], table, charset: charset ?? .ofLocale).view
  }

  /// A row for each line; the summary if there are no lines.
  private var view: ViewNode {
    let (lines, rest) = shown(rows: Self.rowLimit)
    let rows =
      (lines.isEmpty ? [summary] : Array(lines)) + (rest.map { [SafeText("… \($0)")] } ?? [])
    let nodes = rows.map { row in
      ViewNode(.text(TextContent(spans: [TextSpan(row)], lineLimit: 1)))
    }
    return ViewNode(.vstack(StackContent(children: nodes)))
  }

  /// Of a pipe only what was read to know its type.
  private static func beginning(of source: ItemProvider.Source) -> [UInt8] {
    switch source {
    case .spool(let spool): spool.beginning(ContentSample.byteLimit)
    case .pipe(let pipe): pipe.beginning
    case .file(let path): (try? ContentFile(path))?.sample.bytes ?? []
    }
  }
}
