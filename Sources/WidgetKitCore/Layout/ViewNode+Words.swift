extension ViewNode {
  /// The text of a node, for screen readers.
  var words: SafeText {
    if let accessibilityLabel { return accessibilityLabel }
    var words = Words()
    collectWords(into: &words)
    return SafeText(joining: words.parts, with: " ")
  }

  /// The texts that were found.
  ///
  /// Their number is limited, because each of several nested nodes that can be pressed collects all of
  /// them again.
  private struct Words {
    var parts: [SafeText] = []
    private var bytes = 0

    var isFull: Bool { bytes >= 1_000 }

    mutating func append(_ text: SafeText) {
      guard !isFull else { return }
      let part = text.string.utf8.count > 1_000 ? text.prefix(1_000) : text
      bytes += part.string.utf8.count + 1
      parts.append(part)
    }
  }

  private func collectWords(into words: inout Words) {
    guard !words.isFull else { return }
    if let accessibilityLabel {
      words.append(accessibilityLabel)
      return
    }
    func add(_ text: SafeText?) {
      if let text, !text.isEmpty { words.append(text) }
    }
    func add(_ nodes: [ViewNode]) {
      for node in nodes where !words.isFull { node.collectWords(into: &words) }
    }
    func add(_ spans: [TextSpan]) {
      if spans.count == 1 {
        words.append(spans[0].text)
      } else {
        words.append(SafeText(joining: spans.prefix(1_000).map(\.text), with: ""))
      }
    }
    switch content {
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
    case .unknown(let unknown):
      add(unknown.alt)
      if unknown.alt == nil { add(unknown.children) }
    case .date, .spacer, .divider, .sparkline: break
    }
  }
}
