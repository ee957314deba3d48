extension Picture {
  /// Adds the target of a node that can be pressed; what it holds comes after it and so before it
  /// where both are hit.
  mutating func addTarget(of box: LayoutBox, _ frame: Rect, elementID: String?) {
    let node = box.node
    guard node.action != nil || node.link != nil else { return }
    var newValue: Bool?
    if case .toggle(let toggle) = node.content { newValue = !toggle.isOn }
    add(
      PressTarget(
        frame: frame,
        elementID: elementID,
        action: node.action,
        link: node.link,
        newValue: newValue,
        label: box.isRedacted ? "" : node.words
      )
    )
  }
}

extension ViewNode {
  /// The words of a node, for somebody who cannot see it.
  var words: SafeText {
    if let accessibilityLabel { return accessibilityLabel }
    var parts: [String] = []
    collectWords(into: &parts)
    return SafeText(parts.joined(separator: " "))
  }

  private func collectWords(into parts: inout [String]) {
    if let accessibilityLabel {
      parts.append(accessibilityLabel.string)
      return
    }
    func add(_ text: SafeText?) {
      if let text, !text.isEmpty { parts.append(text.string) }
    }
    func add(_ nodes: [ViewNode]) {
      for node in nodes { node.collectWords(into: &parts) }
    }
    switch content {
    case .text(let text): parts.append(text.spans.map(\.text.string).joined())
    case .ansi(let ansi): parts.append(ansi.spans.map(\.text.string).joined())
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
