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

  /// More bytes than any character has that is read as one.
  private static let characterBytes = 256

  /// A text of at most so many bytes of UTF-8: the whole one, or its first characters and an ellipsis.
  static func beginning(_ words: String, bytes limit: Int) -> String {
    guard words.utf8.count > limit else { return words }
    let mark = "…"
    var room = limit - mark.utf8.count
    var end = words.startIndex
    var kept = ""
    while end < words.endIndex {
      let next = words.index(after: end)
      let bytes = words.utf8.distance(from: end, to: next)
      guard bytes <= room else {
        // What is stacked on a sign without end is cut too.
        let first = words[end].unicodeScalars.prefix(bytes > characterBytes && room > 3 ? 1 : 0)
        kept = words[..<end] + String(String.UnicodeScalarView(first))
        break
      }
      room -= bytes
      end = next
    }
    return limit < mark.utf8.count ? "" : kept + mark
  }

  /// Rows below each other.
  static func stack(_ rows: [ViewNode]) -> ViewNode {
    ViewNode(.vstack(StackContent(children: rows)))
  }
}
