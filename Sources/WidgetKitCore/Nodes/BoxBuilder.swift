/// Creates boxes from nodes: inherits styles, redacts private content, and puts words in place of figures.
struct BoxBuilder {
  let environment: LayoutEnvironment

  /// Makes the box of `node` and of all nodes inside it.
  func box(
    _ node: ViewNode,
    in container: LayoutBox.Container,
    style inherited: CellStyle,
    isRedacted isInsideRedacted: Bool
  ) -> LayoutBox {
    var origin = LayoutBox.Origin(
      node: node,
      container: container,
      style: inherited,
      isRedacted: isInsideRedacted
    )
    if node.hasTraits {
      origin.style = inherited.applying(node.style)
      origin.isRedacted = isInsideRedacted || (node.privacySensitive && environment.redactsPrivate)
    }
    // What can be pressed is seen without colours too; other elements have marks.
    if case .text = node.content, node.action != nil || node.link != nil {
      origin.style.attributes.insert(.underline)
    }
    guard environment.showsLabels, let label = words(origin) else {
      return node.content.payload.box(origin, self)
    }
    // The words need other room than what they represent.
    origin.node.frame = .open
    return text(origin, TextContent(spans: [TextSpan(label)]))
  }

  /// What stands for a node where it is not shown itself; nil if it is.
  private func words(_ origin: LayoutBox.Origin) -> SafeText? {
    let node = origin.node
    // Words for the whole may have those of a private part.
    if environment.redactsPrivate, !origin.isRedacted, node.hasPrivateContent { return nil }
    let isBesideText = origin.container == .row || origin.container == .grid
    return node.accessibilityLabel ?? node.content.payload.words(isBesideText: isBesideText)
  }

  // MARK: - For the types of nodes

  /// Makes the box of a node inside another one.
  func box(
    _ node: ViewNode,
    in container: LayoutBox.Container,
    of origin: LayoutBox.Origin
  ) -> LayoutBox {
    box(node, in: container, style: origin.style, isRedacted: origin.isRedacted)
  }

  /// Makes the boxes of the children of a node.
  func boxes(
    _ nodes: [ViewNode],
    in container: LayoutBox.Container,
    of origin: LayoutBox.Origin
  ) -> [LayoutBox] {
    nodes.map { box($0, in: container, of: origin) }
  }

  /// Makes the box of a label, whose text is kept in one line, which is cut if there is no room.
  func line(_ label: ViewNode, of origin: LayoutBox.Origin) -> LayoutBox {
    var label = label
    if case .text(var content) = label.content, content.lineLimit == nil {
      content.lineLimit = 1
      label.content = .text(content)
    }
    return box(label, in: .layers, of: origin)
  }

  /// Makes the box of a node that is drawn as text.
  func text(
    _ origin: LayoutBox.Origin,
    _ content: TextContent,
    wraps: Bool = true,
    change: SecondsOfChange? = nil,
    end: SecondsOfChange? = nil
  ) -> LayoutBox {
    TextBox(origin, content, flow(content.spans, origin), wraps: wraps, change: change, end: end)
  }

  /// The glyphs of a text, which are covered if the node is redacted.
  func flow(_ spans: [TextSpan], _ origin: LayoutBox.Origin) -> TextFlow {
    var flow = TextFlow(spans)
    if origin.isRedacted, let cover = Glyph.glyphs(of: coverText).first { flow.redact(with: cover) }
    return flow
  }

  /// The character for redacted text.
  var coverText: String { environment.glyphs == .ascii ? "*" : "▒" }

  /// Whether lines and marks can have any character.
  var isUnicode: Bool { environment.glyphs == .unicode }
}
