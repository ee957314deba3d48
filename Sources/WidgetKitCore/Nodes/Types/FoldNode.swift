/// The members of a `fold`: children that the user shows and hides.
///
/// The host keeps what the user chose, by the node's `id`, or by its label if it has none.
public struct FoldContent: Hashable, Sendable {
  /// The line that opens and closes it.
  public var label: ViewNode
  /// The views that are shown while it is open, from top to bottom.
  public var children: [ViewNode]
  /// Whether it is open until the user closes it.
  public var isOpen: Bool

  /// Creates the content of a fold.
  public init(label: ViewNode, children: [ViewNode], isOpen: Bool = false) {
    self.label = label
    self.children = children
    self.isOpen = isOpen
  }
}

extension FoldContent: NodeContent {
  static let type = "fold"
  var wrapped: ViewNode.Content { .fold(self) }

  enum Member: Int, ViewMemberKey {
    case label, children, isOpen
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(
      label: try members.label(.label),
      children: try members.list(.children, of: "nodes"),
      isOpen: try members.flag(.isOpen) ?? false
    )
  }

  func write(to members: inout Writer) throws {
    try members.encode(label, forKey: .label)
    try members.encode(children, forKey: .children, unless: [])
    try members.encode(isOpen, forKey: .isOpen, unless: false)
  }

  var nodes: [ViewNode] { [label] + children }

  mutating func changeNodes(_ change: (inout ViewNode) -> Void) {
    change(&label)
    children.changeEach(change)
  }

  var isInput: Bool { true }
  var inputLabel: ViewNode? { label }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    FoldBox(origin, self, builder)
  }
}

/// A line that opens and closes what is below it.
final class FoldBox: LayoutBox {
  private let header: LayoutBox
  private let mark: [Glyph]
  /// The children; none while it is closed.
  private let children: [LayoutBox]
  private let key: String
  private let isOpen: Bool

  /// Columns before the children, where there is room for them.
  private static let indent = 2

  init(_ origin: Origin, _ content: FoldContent, _ builder: BoxBuilder) {
    key = origin.node.inputKey
    isOpen = builder.environment.state.folds[key] ?? content.isOpen
    header = builder.line(content.label, of: origin)
    let marks = builder.isUnicode ? ["▸ ", "▾ "] : ["+ ", "- "]
    mark = Glyph.glyphs(of: marks[isOpen ? 1 : 0])
    children = isOpen ? builder.boxes(content.children, in: .column, of: origin) : []
    super.init(origin)
  }

  override var wish: Wish {
    var wish = Wish(ofStacked: children)
    let isIndented = !children.isEmpty
    wish.ideal = max(header.idealColumns + mark.count, wish.ideal + (isIndented ? Self.indent : 0))
    wish.minimum = max(header.minColumns + mark.count, wish.minimum)
    wish.least = mark.count + min(1, header.idealColumns)
    wish.grows = true
    return wish
  }

  private func indent(_ width: Int) -> Int {
    let needed = children.reduce(0) { max($0, $1.minColumns) }
    return width >= needed + Self.indent ? Self.indent : 0
  }

  override func measureContent(_ width: Int) -> Size {
    let line = header.measure(max(0, width - mark.count))
    var size = Size(columns: mark.count + line.columns, rows: max(1, line.rows))
    let indent = indent(width)
    for child in children {
      let part = child.measure(max(0, width - indent))
      size.columns = max(size.columns, part.columns + indent)
      size.rows += part.rows
    }
    size.columns = min(size.columns, width)
    return size
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let rows = max(1, header.size.rows)
    let line = Rect(origin: rect.origin, size: Size(columns: rect.size.columns, rows: rows))
    let words = isRedacted ? "" : node.accessibilityLabel ?? NodeWords.text(of: header.node)
    picture.add(words, role: .fold(key: key, isOpen: isOpen), help: shownHelp, at: line, in: here)
    picture.draw(Cell.cells(mark, style), at: rect.origin, in: here)
    let start = Position(column: rect.minColumn + mark.count, row: rect.minRow)
    header.place(on: &picture, at: Rect(origin: start, size: header.size), in: here)
    let column = rect.minColumn + indent(rect.size.columns)
    var row = rect.minRow + rows
    for child in children where row < here.clip.maxRow {
      let place = Position(column: column, row: row)
      child.place(on: &picture, at: Rect(origin: place, size: child.size), in: here)
      row += child.size.rows
    }
  }
}

/// Views below a line that opens and closes them.
public struct Fold: ElementView {
  /// The fold as one element.
  public let nodes: [ViewNode]

  /// Creates a fold.
  ///
  /// - Parameters:
  ///   - title: The line.
  ///   - id: By which the host keeps whether it is open; its title if it has none.
  ///   - isOpen: Whether it is open until the user closes it.
  ///   - content: The views, from top to bottom.
  public init(
    _ title: String,
    id: String? = nil,
    isOpen: Bool = false,
    @ViewBuilder content: () -> Group
  ) {
    let fold = FoldContent(label: Text(title).node, children: content().nodes, isOpen: isOpen)
    var node = ViewNode(.fold(fold))
    node.id = id
    nodes = [node]
  }
}
