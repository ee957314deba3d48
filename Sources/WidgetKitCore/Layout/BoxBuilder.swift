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
    return box(origin)
  }

  private func box(_ origin: LayoutBox.Origin) -> LayoutBox {
    // Words for the whole may have those of a private part.
    let tellsPrivate =
      environment.redactsPrivate && !origin.isRedacted && origin.node.hasPrivateContent
    if environment.showsLabels, !tellsPrivate, let label = words(origin) {
      var origin = origin
      // The words need other room than what they represent.
      origin.node.frame = .open
      return text(origin, TextContent(spans: [TextSpan(label)]))
    }
    switch origin.node.content {
    case .text(let content):
      return text(origin, content)
    case .date(let content):
      return date(origin, content)
    case .ansi(let content):
      return text(origin, TextContent(spans: content.spans), wraps: false)
    case .vstack(let stack):
      return ColumnBox(
        origin,
        boxes(stack.children, in: .column, of: origin),
        spacing: (stack.spacing ?? 0).boundedExtent,
        stack.alignment
      )
    case .hstack(let stack):
      return RowBox(
        origin,
        boxes(stack.children, in: .row, of: origin),
        spacing: (stack.spacing ?? 1).boundedExtent,
        stack.alignment
      )
    case .zstack(let layers):
      return LayersBox(
        origin,
        boxes(layers.children, in: .layers, of: origin),
        layers.alignment,
        turn: layers.turn(in: environment)
      )
    case .grid(let grid):
      return GridBox(origin, grid.rows.map { boxes($0, in: .grid, of: origin) }, grid)
    case .spacer(let minLength):
      return SpacerBox(origin, minLength: minLength.boundedExtent)
    case .divider:
      return DividerBox(origin)
    case .gauge(let gauge):
      return GaugeBox(
        origin,
        GaugeFigure(
          gauge,
          label: gauge.label.map { flow([TextSpan($0)], origin) },
          value: gauge.valueLabel.map { flow([TextSpan($0)], origin) },
          isRedacted: origin.isRedacted
        )
      )
    case .sparkline(let sparkline):
      return SparklineBox(origin, origin.isRedacted ? sparkline.covered : sparkline)
    case .chart(let chart):
      let figure = ChartFigure(
        chart,
        origin.style,
        glyphs: environment.glyphs,
        isRedacted: origin.isRedacted
      )
      return ChartBox(origin, figure)
    case .image(let image):
      return self.image(origin, image)
    case .button(let button):
      return control(origin, button.label, mark: "[ ", end: " ]")
    case .toggle(let toggle):
      let mark = environment.glyphs == .unicode ? "✓" : "x"
      let state = origin.isRedacted ? coverText : toggle.isOn ? mark : " "
      return control(origin, toggle.label, mark: "[\(state)] ", end: "")
    case .list(let list):
      return self.list(origin, list)
    case .field(let field):
      return self.field(origin, field)
    case .fold(let fold):
      return self.fold(origin, fold)
    case .unknown(let unknown):
      if let alt = unknown.alt { return text(origin, TextContent(spans: [TextSpan(alt)])) }
      guard !unknown.children.isEmpty else { return LayoutBox(origin) }
      return ColumnBox(
        origin,
        boxes(unknown.children, in: .column, of: origin),
        spacing: 0,
        .leading
      )
    }
  }

  /// What stands for a node where it is not shown itself; nil if it is.
  private func words(_ origin: LayoutBox.Origin) -> SafeText? {
    let isBesideText = origin.container == .row || origin.container == .grid
    return origin.node.accessibilityLabel
      ?? FigureWords.words(origin.node.content, isBesideText: isBesideText)
  }

  /// Makes the boxes of the children of a node.
  private func boxes(
    _ nodes: [ViewNode],
    in container: LayoutBox.Container,
    of origin: LayoutBox.Origin
  ) -> [LayoutBox] {
    nodes.map { box($0, in: container, style: origin.style, isRedacted: origin.isRedacted) }
  }

  private func date(_ origin: LayoutBox.Origin, _ content: DateContent) -> LayoutBox {
    let words = environment.dates.words(
      for: content,
      at: environment.now,
      minus: environment.glyphs == .unicode ? "−" : "-"
    )
    let span = TextSpan(SafeText(words.text))
    return text(
      origin,
      TextContent(spans: [span], lineLimit: 1),
      change: words.nextChange?.timeIntervalSince1970
    )
  }

  private func image(_ origin: LayoutBox.Origin, _ image: ImageContent) -> LayoutBox {
    let rows = image.height?.boundedExtent
    let found = image.source.flatMap { environment.images.found[$0] }
    let label = image.alt.map { alt in
      var words = ViewNode(.text(TextContent(spans: [TextSpan(alt)], lineLimit: rows)))
      words.style.dim = true
      return box(words, in: .layers, style: origin.style, isRedacted: origin.isRedacted)
    }
    return ImageBox(origin, found, alt: label, rows: rows, ready: environment.images.ready)
  }

  private func control(
    _ origin: LayoutBox.Origin,
    _ label: ViewNode,
    mark: String,
    end: String
  ) -> LayoutBox {
    let words = Self.inOneLine(label)
    let label = box(words, in: .layers, style: origin.style, isRedacted: origin.isRedacted)
    return ControlBox(origin, label: label, mark: mark, end: end)
  }

  private func fold(_ origin: LayoutBox.Origin, _ fold: FoldContent) -> LayoutBox {
    let key = origin.node.inputKey
    let isOpen = environment.state.folds[key] ?? fold.isOpen
    let marks = environment.glyphs == .unicode ? ["▸ ", "▾ "] : ["+ ", "- "]
    return FoldBox(
      origin,
      header: box(
        Self.inOneLine(fold.label),
        in: .layers,
        style: origin.style,
        isRedacted: origin.isRedacted
      ),
      mark: marks[isOpen ? 1 : 0],
      children: isOpen ? boxes(fold.children, in: .column, of: origin) : [],
      key: key,
      isOpen: isOpen
    )
  }

  private func list(_ origin: LayoutBox.Origin, _ list: ListContent) -> LayoutBox {
    let key = origin.node.inputKey
    let state = environment.state.lists[key] ?? ListState()
    let rows = state.rows(of: list)
    let limit = list.minimumVisibleRowCount
    let isLong = limit > 0 && rows.count > limit
    let shown = isLong && !state.isExpanded ? rows.prefix(limit) : rows[...]
    var lines = shown.map { row in
      let box = box(row.view, in: .column, style: origin.style, isRedacted: origin.isRedacted)
      box.isPressedByRow = row.isItsView
      return ListBox.Line(
        box: box,
        role: .row(
          RowTarget(list: key, row: row.id, canRemove: row.canRemove, canMove: row.canMove)
        ),
        row: row
      )
    }
    if rows.isEmpty, let empty = list.emptyText {
      lines.append(line(empty, origin, isPressable: false, role: nil))
    }
    if isLong {
      let dots = environment.glyphs == .unicode ? "…" : "..."
      let words: SafeText = state.isExpanded ? "Show Less" : SafeText("Show More\(dots)")
      let role = PressRole.more(list: key, isExpanded: state.isExpanded)
      lines.append(line(words, origin, isPressable: true, role: role))
    }
    if environment.state.editing?.adds == true, list.allowsAdding {
      lines.append(line("+ Add", origin, isPressable: true, role: .add(list: key)))
    }
    let marks = environment.state.editing.map { ListMarks($0, environment.glyphs) }
    return ListBox(origin, lines, key: key, marks: marks)
  }

  /// A line below the rows of a list, which is not the widget's and so is never covered.
  private func line(
    _ words: SafeText,
    _ origin: LayoutBox.Origin,
    isPressable: Bool,
    role: PressRole?
  ) -> ListBox.Line {
    var node = ViewNode(.text(TextContent(spans: [TextSpan(words)])))
    node.style.foreground = isPressable ? .accent : .secondary
    let isRedacted = origin.isRedacted && !isPressable
    let box = box(node, in: .column, style: origin.style, isRedacted: isRedacted)
    return ListBox.Line(box: box, role: role)
  }

  private func field(_ origin: LayoutBox.Origin, _ field: FieldContent) -> LayoutBox {
    let prompt = environment.glyphs == .unicode ? Self.prompt : Self.asciiPrompt
    return FieldBox(
      origin,
      field,
      mark: field.kind == .search ? Self.searchPrompt : prompt,
      state: environment.state.fields[origin.node.inputKey],
      cover: coverText
    )
  }

  // What is before the text of a field.
  private static let prompt = Glyph.glyphs(of: "› ")
  private static let asciiPrompt = Glyph.glyphs(of: "> ")
  private static let searchPrompt = Glyph.glyphs(of: "/ ")

  private func text(
    _ origin: LayoutBox.Origin,
    _ content: TextContent,
    wraps: Bool = true,
    change: SecondsOfChange? = nil
  ) -> LayoutBox {
    TextBox(origin, content, flow(content.spans, origin), wraps: wraps, change: change)
  }

  private func flow(_ spans: [TextSpan], _ origin: LayoutBox.Origin) -> TextFlow {
    var flow = TextFlow(spans)
    if origin.isRedacted, let cover = Glyph.glyphs(of: coverText).first { flow.redact(with: cover) }
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
