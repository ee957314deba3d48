import WidgetKitCore

/// A block of i3bar, as a status command or a blocklet of i3blocks prints it.
struct BarBlock: Hashable, Sendable {
  var fullText = ""
  /// What i3blocks writes before the text; nil if the block names none.
  var label: String?
  var color: Color?
  var background: Color?
  var name: String?
  var instance: String?
  var isUrgent = false
  var isPango = false

  init() {}

  /// Reads an object; nil if it has no `full_text`, or an empty one, which means to skip it.
  init?(_ tree: JSONTree) {
    guard let text = tree["full_text"], text != .null else { return nil }
    fullText = text.words
    guard !fullText.isEmpty else { return nil }
    color = tree["color"]?.string.flatMap(XbarColor.color)
    background = tree["background"]?.string.flatMap(XbarColor.color)
    label = tree["label"]?.string
    name = tree["name"]?.string
    instance = tree["instance"]?.words
    isUrgent = tree["urgent"]?.flag == true || tree["urgent"]?.string == "true"
    isPango = tree["markup"]?.string == "pango"
  }

  /// The row of the block; a press has `action`.
  func node(action: String?) -> ViewNode {
    var spans = isPango ? PangoText.spans(fullText) : [TextSpan(SafeText(fullText))]
    if let action { for index in spans.indices { spans[index].action = action } }
    var node = ViewNode(
      .text(TextContent(spans: spans.isEmpty ? [TextSpan(" ")] : spans, lineLimit: 1))
    )
    node.style = TextStyle(
      foreground: isUrgent ? .red : color,
      background: background,
      bold: isUrgent ? true : nil
    )
    return node
  }
}
