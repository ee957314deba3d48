extension ViewNode {
  /// The types of nodes.
  public indirect enum Content: Hashable, Sendable {
    /// Text in spans.
    case text(TextContent)
    /// A date that the host keeps up to date.
    case date(DateContent)
    /// Children arranged vertically.
    case vstack(StackContent)
    /// Children arranged horizontally.
    case hstack(StackContent)
    /// Children on top of each other, the last in front.
    case zstack(LayeredContent)
    /// Rows and columns.
    case grid(GridContent)
    /// Flexible space along the stack; `minLength` in cells.
    case spacer(minLength: Int)
    /// A separator line across the stack.
    case divider
    /// A value between two bounds.
    case gauge(GaugeContent)
    /// A line of small bars.
    case sparkline(SparklineContent)
    /// Several series plotted in rows of cells.
    case chart(ChartContent)
    /// A picture; drawn as its `alt`.
    case image(ImageContent)
    /// A button.
    case button(ControlContent)
    /// A toggle.
    case toggle(ToggleContent)
    /// Rows that can be selected, removed and moved.
    case list(ListContent)
    /// A line that the user types.
    case field(FieldContent)
    /// Children that the user shows and hides.
    case fold(FoldContent)
    /// Text with SGR sequences, decoded to spans; every other control sequence is removed.
    case ansi(AnsiContent)
    /// A type that this version does not know.
    case unknown(UnknownContent)
  }
}

extension ViewNode.Content {
  /// The members of the type, which know all about it.
  var payload: any NodeContent {
    switch self {
    case .text(let text): text
    case .date(let date): date
    case .vstack(let stack): VStackContent(stack: stack)
    case .hstack(let stack): HStackContent(stack: stack)
    case .zstack(let zstack): zstack
    case .grid(let grid): grid
    case .spacer(let minLength): SpacerContent(minLength: minLength)
    case .divider: DividerContent()
    case .gauge(let gauge): gauge
    case .sparkline(let sparkline): sparkline
    case .chart(let chart): chart
    case .image(let image): image
    case .button(let button): button
    case .toggle(let toggle): toggle
    case .list(let list): list
    case .field(let field): field
    case .fold(let fold): fold
    case .ansi(let ansi): ansi
    case .unknown(let unknown): unknown
    }
  }
}

extension NodeType {
  /// All types that can be read, in the order of Docs/Protocol.md.
  static let all = [
    NodeType(TextContent.self),
    NodeType(DateContent.self),
    NodeType(VStackContent.self),
    NodeType(HStackContent.self),
    NodeType(LayeredContent.self),
    NodeType(GridContent.self),
    NodeType(SpacerContent.self),
    NodeType(DividerContent.self),
    NodeType(GaugeContent.self),
    NodeType(SparklineContent.self),
    NodeType(ChartContent.self),
    NodeType(ImageContent.self),
    NodeType(ControlContent.self),
    NodeType(ToggleContent.self),
    NodeType(ListContent.self),
    NodeType(FieldContent.self),
    NodeType(FoldContent.self),
    NodeType(AnsiContent.self),
  ]
}
