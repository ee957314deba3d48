import ExtensionContent
import WidgetHost
import WidgetKitCore

/// What a person sees of content before it is given to an extension: what it is, and its first lines.
nonisolated struct ContentPreview: Hashable, Sendable {
  /// Name, type and size on one line.
  let summary: SafeText
  /// The first lines of a text, or a line for each of several files.
  let lines: [SafeText]
  /// How many lines there are besides; nil if that is not known.
  let more: Int?

  /// The most rows.
  static let rowLimit = 8
  /// The bytes that are looked at.
  private static let byteLimit = 64 * 1024

  init(summary: SafeText, lines: [SafeText] = [], more: Int? = 0) {
    (self.summary, self.lines, self.more) = (summary, lines, more)
  }

  /// Makes the preview of attachments.
  ///
  /// - Parameters:
  ///   - attachments: What extensions are told of the content.
  ///   - contents: The content of each.
  ///   - table: The types that are known.
  ///   - charset: The charset of text that is not in UTF-8.
  init(
    _ attachments: [ItemAttachment],
    _ contents: [RequestSpool],
    _ table: TypeTable,
    charset: TextCharset? = nil
  ) {
    let words = attachments.map { Self.words(of: $0, table) }
    guard let content = contents.first, contents.count == 1 else {
      let size = contents.reduce(0) { $0 + $1.size }
      summary = SafeText("\(contents.count) files · \(Self.words(ofSize: size))")
      lines = Array(words.prefix(Self.rowLimit))
      more = max(0, words.count - Self.rowLimit)
      return
    }
    summary = words[0]
    let bytes = content.beginning(Self.byteLimit)
    let isWhole = content.size <= bytes.count
    let text = TextCharset.text(bytes[...], isWhole: isWhole, charset: charset)
    guard let text else {
      let picture = ImageHeader(bytes).map { SafeText("\($0.width) × \($0.height) pixels") }
      (lines, more) = (picture.map { [$0] } ?? [], 0)
      return
    }
    var all = text.split(separator: "\n", omittingEmptySubsequences: false)
    if all.last?.isEmpty == true { all.removeLast() }
    lines = all.prefix(Self.rowLimit).map { line in
      SafeText(String(line.prefix(400)).replacing("\t", with: "    ")).onOneLine
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
  static func words(ofSize bytes: Int) -> String {
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

  /// The rows that it takes at a height.
  func rows(limit: Int) -> Int { min(lines.count + (hasMore(limit) ? 1 : 0), limit) }

  private func hasMore(_ limit: Int) -> Bool { more != 0 || lines.count > limit }

  /// Draws it, with a line that counts what is cut.
  func draw(on canvas: inout Canvas, in area: Rect, _ look: PaneLook) {
    let limit = area.size.rows
    let hasMore = hasMore(limit)
    let shown = hasMore ? min(lines.count, max(0, limit - 1)) : lines.count
    for (index, line) in lines.prefix(shown).enumerated() {
      let text = TextLine(line).truncated(to: area.size.columns, glyphSet: look.glyphs)
      canvas.write(
        text,
        style: CellStyle(foreground: .secondary),
        at: Position(column: area.minColumn, row: area.minRow + index),
        in: area
      )
    }
    guard hasMore, limit > 0 else { return }
    let words = more.map { more in
      let count = more + lines.count - shown
      return count == 1 ? "1 more line" : "\(count) more lines"
    }
    canvas.write(
      SafeText("\(look.glyphs == .ascii ? "..." : "…") \(words ?? "more")"),
      style: CellStyle(foreground: .tertiary),
      at: Position(column: area.minColumn, row: area.minRow + shown),
      in: area
    )
  }
}
