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
    let content = node.content.payload
    for text in content.texts where !text.isEmpty { append(text) }
    // The text of an unknown node is shown in place of its children.
    if case .unknown(let unknown) = node.content, unknown.alt != nil { return }
    for child in content.nodes where !isFull { collect(child) }
  }

  private mutating func append(_ text: SafeText) {
    guard !isFull else { return }
    let part = text.string.utf8.count > 1_000 ? text.prefix(1_000) : text
    bytes += part.string.utf8.count + 1
    parts.append(part)
  }
}
