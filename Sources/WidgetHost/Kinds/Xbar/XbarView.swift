import FoundationEssentials
import WidgetKitCore

/// The menu of a plugin as a card: the title, and below it the menu, with submenus as folds.
nonisolated struct XbarView {
  /// The action of rows that run the plugin again.
  static let refresh = "refresh"

  private let dialect: XbarDialect
  /// How many rows may still be made.
  private var room: Int

  private init(_ dialect: XbarDialect, rows: Int) {
    self.dialect = dialect
    room = rows
  }

  /// The most rows of a menu, with those in folds.
  private static let rowLimit = 400

  /// Returns the view of a menu.
  static func view(of menu: XbarMenu, _ dialect: XbarDialect) -> ViewNode {
    var maker = XbarView(dialect, rows: rowLimit)
    var rows = menu.titles.map { maker.row($0, isTitle: true) }
    let items = maker.rows(menu.items, path: "")
    if !rows.isEmpty, !items.isEmpty { rows.append(ViewNode(.divider)) }
    rows += items
    if rows.isEmpty { rows = [maker.row(XbarMenu.Line(text: "no output"), isTitle: false)] }
    return ViewNode(.vstack(StackContent(children: rows)))
  }

  private mutating func rows(_ items: [XbarMenu.Item], path: String) -> [ViewNode] {
    var rows: [ViewNode] = []
    for (index, item) in items.enumerated() {
      guard room > 0 else {
        rows.append(note("… \(items.count - index) more"))
        break
      }
      switch item.kind {
      case .separator:
        // Two in a row, and those at the edges, would separate nothing.
        if let last = rows.last, last.content != .divider, index < items.count - 1 {
          rows.append(ViewNode(.divider))
        }
      case .line(let line):
        // What stands for the entry above it while a key is held, or for the title alone.
        if line.isTrue("alternate") == true || line.isTrue("dropdown") == false { continue }
        room -= 1
        let label = row(line, isTitle: false)
        guard !item.children.isEmpty else {
          rows.append(label)
          continue
        }
        let name = "\(path)/\(index) \(line.text)"
        var fold = ViewNode(
          .fold(FoldContent(label: label, children: self.rows(item.children, path: name)))
        )
        fold.id = name
        rows.append(fold)
      }
    }
    return rows
  }

  // MARK: - Rows

  private func row(_ line: XbarMenu.Line, isTitle: Bool) -> ViewNode {
    var style = TextStyle()
    style.foreground = line.parameters["color"].flatMap(Self.color)
    let font = line.parameters["font"]?.lowercased() ?? ""
    let size = line.parameters["size"].flatMap(Double.init) ?? 0
    if isTitle || font.contains("bold") || size >= 16 { style.bold = true }
    if font.contains("italic") || font.contains("oblique") { style.italic = true }
    if line.isTrue("disabled") == true { style.foreground = .secondary }
    var spans = styled(line)
    if line.isTrue("checked") == true { spans.insert(TextSpan("✓ "), at: 0) }
    if let badge = line.parameters["badge"], !badge.isEmpty {
      spans.append(TextSpan(" \(SafeText(badge))", style: TextStyle(dim: true)))
    }
    if let link = line.parameters["href"], !link.isEmpty, line.isTrue("disabled") != true {
      spans = spans.map { TextSpan($0.text, style: $0.style, link: link) }
    } else if !isTitle, line.isTrue("refresh") == true, line.parameters["bash"] == nil,
      line.parameters["shell"] == nil
    {
      spans = spans.map { TextSpan($0.text, style: $0.style, action: Self.refresh) }
    }
    var node = ViewNode(.text(TextContent(spans: spans, lineLimit: 1)))
    node.style = style
    return node
  }

  /// The text of a line in spans, at least one.
  private func styled(_ line: XbarMenu.Line) -> [TextSpan] {
    var text = line.text
    if line.isTrue("trim") != false {
      text = String(text.drop(while: \.isWhitespace))
      while text.last?.isWhitespace == true { text.removeLast() }
    }
    let hasPicture = line.parameters["image"] != nil || line.parameters["templateimage"] != nil
    if text.isEmpty, hasPicture { text = "(picture)" }
    var spans = AnsiContent.rows(of: text).first?.spans ?? []
    if !(line.isTrue("ansi") ?? dialect.showsColors) { spans = spans.map { TextSpan($0.text) } }
    if let length = line.parameters["length"].flatMap(Int.init), length > 0 {
      spans = Self.cut(spans, to: length)
    }
    return spans.isEmpty ? [TextSpan(" ")] : spans
  }

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

  private func note(_ words: SafeText) -> ViewNode {
    var node = ViewNode(.text(TextContent(spans: [TextSpan(words)], lineLimit: 1)))
    node.style = TextStyle(foreground: .secondary)
    return node
  }

  // MARK: - Colours

  /// Reads a colour; nil for any other text.
  ///
  /// It is `#RGB`, `#RGBA`, `#RRGGBB`, `#RRGGBBAA` or a name; of `light,dark` the first counts.
  private static func color(_ text: String) -> Color? {
    let name = text.split(separator: ",").first.map { $0.lowercased() } ?? ""
    guard name.hasPrefix("#") else { return names[name] }
    let digits = name.dropFirst()
    switch digits.count {
    case 3, 4: return Color(hex: "#" + digits.prefix(3).map { "\($0)\($0)" }.joined())
    case 6, 8: return Color(hex: "#" + digits.prefix(6))
    default: return nil
    }
  }

  /// The names of CSS for which every theme has a readable colour, and those that plugins use besides.
  private static let names: [String: Color] = [
    "red": .red, "darkred": .red, "crimson": .red, "tomato": .red, "orange": .orange,
    "darkorange": .orange, "yellow": .yellow, "gold": .yellow, "green": .green, "lime": .green,
    "darkgreen": .green, "forestgreen": .green, "lightgreen": .mint, "teal": .teal, "cyan": .cyan,
    "aqua": .cyan, "blue": .blue, "navy": .blue, "dodgerblue": .blue, "indigo": .indigo,
    "purple": .purple, "violet": .purple, "magenta": .purple, "fuchsia": .purple, "pink": .pink,
    "brown": .brown, "gray": .gray, "grey": .gray, "darkgray": .gray, "darkgrey": .gray,
    "lightgray": .secondary, "lightgrey": .secondary, "silver": .secondary, "white": .label,
    "black": .label,
  ]
}
