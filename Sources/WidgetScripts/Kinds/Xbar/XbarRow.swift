import WidgetKitCore

/// A line of a menu as a row of a card.
struct XbarRow {
  private let dialect: XbarDialect
  /// Whether the background is dark.
  private let isDark: Bool

  init(_ dialect: XbarDialect, isDark: Bool) {
    (self.dialect, self.isDark) = (dialect, isDark)
  }

  /// The pixels that a picture may have in base64, which has to fit into a view.
  private static let pictureBytes = 16 * 1024

  /// The bytes of a badge that are shown.
  private static let badgeBytes = 1_024

  /// Makes the row of a line; what a press on it does comes from `href`, `bash` and `refresh`.
  func node(_ line: XbarMenu.Line, isTitle: Bool) -> ViewNode {
    if let picture = picture(line) { return picture }
    var style = TextStyle()
    style.foreground = line.parameters["color"].map(forBackground).flatMap(XbarColor.color)
    let font = line.parameters["font"]?.lowercased() ?? ""
    let size = line.parameters["size"].flatMap(Double.init) ?? 0
    if isTitle || font.contains("bold") || size >= 16 { style.bold = true }
    if font.contains("italic") || font.contains("oblique") { style.italic = true }
    if line.isTrue("disabled") == true { style.foreground = .secondary }
    var spans = styled(line)
    if line.isTrue("checked") == true { spans.insert(TextSpan("✓ "), at: 0) }
    if let badge = line.parameters["badge"], !badge.isEmpty {
      let words = ScriptWords.beginning(badge, bytes: Self.badgeBytes)
      spans.append(TextSpan(" \(SafeText(words))", style: TextStyle(dim: true)))
    }
    switch press(line, isTitle: isTitle) {
    case .link(let url): for index in spans.indices { spans[index].link = url }
    case .action(let action): for index in spans.indices { spans[index].action = action }
    case nil: break
    }
    let lineFeeds = spans.reduce(0) { $0 + $1.text.string.count { $0 == "\n" } }
    let limit = min(1 + lineFeeds, Self.lineLimit)
    var node = ViewNode(.text(TextContent(spans: spans, lineLimit: limit)))
    node.style = style
    return node
  }

  /// The part of `light,dark` for the background; a text without a comma is for both.
  private func forBackground(_ text: String) -> String {
    let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
    return (isDark && parts.count > 1 ? parts[1] : parts[0]).filter { !$0.isWhitespace }
  }

  // MARK: - Presses

  /// Whether a press on a row of the menu does something.
  func canBePressed(_ line: XbarMenu.Line) -> Bool { press(line, isTitle: false) != nil }

  private enum Press {
    case link(String)
    case action(String)
  }

  private func press(_ line: XbarMenu.Line, isTitle: Bool) -> Press? {
    guard line.isTrue("disabled") != true else { return nil }
    if let link = line.parameters["href"], !link.isEmpty { return .link(link) }
    if let command = XbarCommand.command(of: line, dialect) { return .action(command.action) }
    return !isTitle && line.isTrue("refresh") == true ? .action("refresh") : nil
  }

  // MARK: - Text

  /// The text of a line in spans, at least one.
  private func styled(_ line: XbarMenu.Line) -> [TextSpan] {
    var text = XbarEscapes.text(of: line, dialect)
    if line.isTrue("trim") != false {
      text = String(text.drop(while: \.isWhitespace))
      while text.last?.isWhitespace == true { text.removeLast() }
    }
    if line.isTrue("emojize") != false { text = XbarEmoji.replaced(in: text) }
    if dialect == .swiftbar, line.isTrue("symbolize") != false {
      text = XbarEmoji.withoutSymbols(text)
    }
    if text.isEmpty, line.parameters["image"] ?? line.parameters["templateimage"] != nil {
      text = "(picture)"
    }
    var spans = markup(text, line) ?? colored(text, line)
    if line.isTrue("md") == true { spans = spans.flatMap(XbarMarkdown.spans) }
    if let length = line.parameters["length"].flatMap(Int.init), length > 0 {
      spans = Self.cut(spans, to: length)
    }
    return spans.isEmpty ? [TextSpan(" ")] : spans
  }

  /// The text of a line of Argos with the markup of Pango; nil for others, and for one with colour sequences.
  private func markup(_ text: String, _ line: XbarMenu.Line) -> [TextSpan]? {
    guard dialect == .argos, line.isTrue("usemarkup") != false, !text.contains("\u{1B}") else {
      return nil
    }
    return PangoText.spans(text)
  }

  private func colored(_ text: String, _ line: XbarMenu.Line) -> [TextSpan] {
    let rows = AnsiContent.rows(of: text).map(\.spans)
    let spans = Array(rows.joined(separator: [TextSpan("\n")]))
    return line.isTrue("ansi") ?? dialect.showsColors ? spans : spans.map { TextSpan($0.text) }
  }

  /// The most lines of a text with line feeds.
  private static let lineLimit = 20

  /// The first characters of spans, and an ellipsis if there are more.
  private static func cut(_ spans: [TextSpan], to length: Int) -> [TextSpan] {
    guard spans.reduce(0, { $0 + $1.text.string.count }) > length else { return spans }
    var room = length - 1
    var kept: [TextSpan] = []
    for span in spans where room > 0 {
      kept.append(TextSpan(SafeText(String(span.text.string.prefix(room))), style: span.style))
      room -= span.text.string.count
    }
    return kept + [TextSpan("…")]
  }

  // MARK: - Pictures

  /// The picture of a line that has one and nothing else to say.
  ///
  /// Beside a text it would be a sign of one row, which a terminal cannot draw well.
  private func picture(_ line: XbarMenu.Line) -> ViewNode? {
    guard line.text.allSatisfy(\.isWhitespace),
      let given = line.parameters["image"] ?? line.parameters["templateimage"],
      case let data = forBackground(given), !data.isEmpty,
      data.utf8.count <= Self.pictureBytes
    else { return nil }
    let content = ImageContent(data: data, alt: "(picture)", height: 4)
    return ViewNode(.image(content))
  }
}
