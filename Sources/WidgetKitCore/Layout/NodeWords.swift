/// The texts of a node and of the nodes inside it, for screen readers.
///
/// Their number is limited, because each of several nested nodes that can be pressed collects all of
/// them again.
struct NodeWords {
  private var parts: [SafeText] = []
  private var bytes = 0

  private init() {}

  /// Returns the text of `node`: its accessibility label, or else all texts in it.
  static func text(of node: ViewNode) -> SafeText {
    if let label = node.accessibilityLabel { return label }
    var words = NodeWords()
    words.collect(node)
    return SafeText(joining: words.parts, with: " ")
  }

  private var isFull: Bool { bytes >= 1_000 }

  private mutating func collect(_ node: ViewNode) {
    guard !isFull else { return }
    if let label = node.accessibilityLabel {
      append(label)
      return
    }
    switch node.content {
    case .text(let text): add(text.spans)
    case .ansi(let ansi): add(ansi.spans)
    case .vstack(let stack), .hstack(let stack): add(stack.children)
    case .zstack(let layers): add(layers.children)
    case .grid(let grid): for row in grid.rows { add(row) }
    case .gauge(let gauge):
      add(gauge.label)
      add(gauge.valueLabel)
    case .chart(let chart): for series in chart.series { add(series.name) }
    case .image(let image): add(image.alt)
    case .button(let button): add([button.label])
    case .toggle(let toggle): add([toggle.label])
    case .list(let list): add(list.rows.lazy.map(\.view))
    case .fold(let fold):
      add([fold.label])
      add(fold.children)
    case .field(let field):
      add(field.text)
      add(field.placeholder)
    case .unknown(let unknown):
      add(unknown.alt)
      if unknown.alt == nil { add(unknown.children) }
    case .date, .spacer, .divider, .sparkline: break
    }
  }

  private mutating func add(_ nodes: some Sequence<ViewNode>) {
    for node in nodes where !isFull { collect(node) }
  }

  private mutating func add(_ spans: [TextSpan]) {
    if spans.count == 1 {
      append(spans[0].text)
    } else {
      append(SafeText(joining: spans.prefix(1_000).map(\.text), with: ""))
    }
  }

  private mutating func add(_ text: SafeText?) {
    if let text, !text.isEmpty { append(text) }
  }

  private mutating func append(_ text: SafeText) {
    guard !isFull else { return }
    let part = text.string.utf8.count > 1_000 ? text.prefix(1_000) : text
    bytes += part.string.utf8.count + 1
    parts.append(part)
  }
}
