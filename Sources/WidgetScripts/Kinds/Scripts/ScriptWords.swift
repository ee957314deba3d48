import WidgetKitCore

/// Rows that the views of several formats have.
enum ScriptWords {
  /// A row of text in a colour, which is cut at the edge of the card.
  static func text(_ words: String, _ color: Color? = nil, bold: Bool? = nil) -> ViewNode {
    var node = ViewNode(.text(TextContent(spans: [TextSpan(SafeText(words))], lineLimit: 1)))
    node.style = TextStyle(foreground: color, bold: bold)
    return node
  }

  /// Says that there is nothing.
  static var nothing: ViewNode { stack([text("nothing to show", .secondary)]) }

  /// Says how many rows are left out.
  static func more(_ count: Int) -> ViewNode {
    text(count == 1 ? "… 1 more line" : "… \(count) more lines", .secondary)
  }

  /// Rows below each other.
  static func stack(_ rows: [ViewNode]) -> ViewNode {
    ViewNode(.vstack(StackContent(children: rows)))
  }
}
