internal import FoundationEssentials

/// Creates boxes from nodes: inherits styles, formats dates, redacts private content.
struct BoxBuilder {
  let environment: LayoutEnvironment

  /// Makes the box of `node` and of all nodes inside it.
  func box(
    _ node: ViewNode,
    in container: LayoutBox.Container,
    style inherited: CellStyle,
    isRedacted isInsideRedacted: Bool
  ) -> LayoutBox {
    let style = inherited.applying(node.style)
    let isRedacted = isInsideRedacted || (node.privacySensitive && environment.redactsPrivate)
    var nextChange: Double?
    let kind = kind(of: node, style, isRedacted, container, &nextChange)
    return LayoutBox(
      node: node,
      kind: kind,
      container: container,
      style: style,
      isRedacted: isRedacted,
      nextChange: nextChange
    )
  }

  private func kind(
    of node: ViewNode,
    _ style: CellStyle,
    _ isRedacted: Bool,
    _ container: LayoutBox.Container,
    _ nextChange: inout Double?
  ) -> LayoutBox.Kind {
    func boxes(_ nodes: [ViewNode], in inner: LayoutBox.Container) -> [LayoutBox] {
      nodes.map { box($0, in: inner, style: style, isRedacted: isRedacted) }
    }
    func control(_ label: ViewNode, _ mark: String, _ end: String) -> LayoutBox.Kind {
      .control(
        box(Self.inOneLine(label), in: .layers, style: style, isRedacted: isRedacted),
        mark: Glyph.glyphs(of: mark),
        end: Glyph.glyphs(of: end)
      )
    }
    switch node.content {
    case .text(let content):
      return text(content, style, isRedacted)
    case .date(let content):
      let words = environment.dates.words(
        for: content,
        at: environment.now,
        minus: environment.glyphs == .unicode ? "−" : "-"
      )
      nextChange = words.nextChange?.timeIntervalSince1970
      let span = TextSpan(SafeText(words.text))
      return text(TextContent(spans: [span], lineLimit: 1), style, isRedacted)
    case .ansi(let content):
      return .ansi(
        flow(content.spans, isRedacted),
        styles: content.spans.map { style.applying($0.style) }
      )
    case .vstack(let stack):
      return .column(
        boxes(stack.children, in: .column),
        spacing: (stack.spacing ?? 0).boundedExtent,
        stack.alignment
      )
    case .hstack(let stack):
      return .row(
        boxes(stack.children, in: .row),
        spacing: (stack.spacing ?? 1).boundedExtent,
        stack.alignment
      )
    case .zstack(let layers):
      return .layers(boxes(layers.children, in: .layers), layers.alignment)
    case .grid(let grid):
      return .grid(GridBoxes(rows: grid.rows.map { boxes($0, in: .grid) }, content: grid))
    case .spacer(let minLength):
      return .spacer(minLength: minLength.boundedExtent)
    case .divider:
      return .divider
    case .gauge(let gauge):
      return .gauge(
        GaugeFigure(
          gauge,
          label: gauge.label.map { flow([TextSpan($0)], isRedacted) },
          value: gauge.valueLabel.map { flow([TextSpan($0)], isRedacted) },
          isRedacted: isRedacted
        )
      )
    case .sparkline(let sparkline):
      return .sparkline(isRedacted ? sparkline.covered : sparkline)
    case .chart(let chart):
      return .chart(ChartFigure(chart, style, glyphs: environment.glyphs, isRedacted: isRedacted))
    case .image(let image):
      let rows = image.height?.boundedExtent
      guard let alt = image.alt else { return .picture(nil, rows: rows) }
      var words = ViewNode(.text(TextContent(spans: [TextSpan(alt)], lineLimit: rows)))
      words.style.dim = true
      return .picture(
        box(words, in: .layers, style: style, isRedacted: isRedacted),
        rows: rows
      )
    case .button(let button):
      return control(button.label, "[ ", " ]")
    case .toggle(let toggle):
      let mark = environment.glyphs == .unicode ? "✓" : "x"
      let state = isRedacted ? coverText : toggle.isOn ? mark : " "
      return control(toggle.label, "[\(state)] ", "")
    case .unknown(let unknown):
      if let alt = unknown.alt {
        return text(TextContent(spans: [TextSpan(alt)]), style, isRedacted)
      }
      guard !unknown.children.isEmpty else { return .empty }
      return .column(boxes(unknown.children, in: .column), spacing: 0, .leading)
    }
  }

  private func text(
    _ content: TextContent,
    _ style: CellStyle,
    _ isRedacted: Bool
  ) -> LayoutBox.Kind {
    .text(
      flow(content.spans, isRedacted),
      styles: content.spans.map { style.applying($0.style) },
      content
    )
  }

  private func flow(_ spans: [TextSpan], _ isRedacted: Bool) -> TextFlow {
    var flow = TextFlow(spans.lazy.map(\.text))
    if isRedacted, let cover = Glyph.glyphs(of: coverText).first { flow.redact(with: cover) }
    return flow
  }

  /// The character for redacted text.
  private var coverText: String { environment.glyphs == .ascii ? "*" : "▒" }

  /// Keeps the text of a button in one line, which is cut if there is no room.
  private static func inOneLine(_ label: ViewNode) -> ViewNode {
    guard case .text(var content) = label.content, content.lineLimit == nil else { return label }
    content.lineLimit = 1
    var label = label
    label.content = .text(content)
    return label
  }
}

extension SparklineContent {
  /// The sparkline with its size and without its values.
  var covered: SparklineContent { SparklineContent(values: [], height: height) }
}
