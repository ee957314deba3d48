/// The members of a `button`; its `action` is the node's.
public struct ControlContent: Hashable, Sendable {
  /// The label of the button.
  public var label: ViewNode

  /// Creates the content of a button.
  public init(label: ViewNode) {
    self.label = label
  }
}

extension ControlContent: NodeContent {
  static let type = "button"
  var wrapped: ViewNode.Content { .button(self) }

  enum Member: Int, ViewMemberKey {
    case label
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws { label = try members.label(.label) }

  func write(to members: inout Writer) throws { try members.encode(label, forKey: .label) }

  var nodes: [ViewNode] { [label] }
  mutating func changeNodes(_ change: (inout ViewNode) -> Void) { change(&label) }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    var words = origin
    // On a background of the widget's own, the colour of the page may not be readable.
    let isPlain = origin.style.foreground == nil && origin.style.background == nil
    if isPlain { words.style.foreground = .accent }
    let frame = isPlain ? Color.secondary : nil
    return ControlBox(origin, label: builder.line(label, of: words), ("[ ", frame), end: " ]")
  }
}

/// A button or a toggle: a label with marks around it.
final class ControlBox: LayoutBox {
  private let label: LayoutBox
  /// The glyphs before the label.
  private let mark: [Glyph]
  /// The glyphs after it.
  private let end: [Glyph]
  /// The colour of these glyphs; nil for that of the node.
  private let markColor: Color?

  init(
    _ origin: Origin,
    label: LayoutBox,
    _ mark: (glyphs: String, color: Color?),
    end: String
  ) {
    self.label = label
    self.mark = Glyph.glyphs(of: mark.glyphs)
    self.end = Glyph.glyphs(of: end)
    markColor = mark.color
    super.init(origin)
  }

  private var markStyle: CellStyle {
    var style = style
    style.foreground = markColor ?? style.foreground
    return style
  }

  override var wish: Wish {
    let ends = mark.count + end.count
    return Wish(
      minimum: ends + label.minColumns,
      ideal: ends + label.idealColumns,
      least: ends + min(1, label.idealColumns),
      grows: label.growsColumns
    )
  }

  /// Whether a button's text has no room next to its brackets, and is shown without them.
  private func isBare(_ width: Int) -> Bool {
    !end.isEmpty && width < mark.count + end.count + min(1, label.idealColumns)
  }

  override func measureContent(_ width: Int) -> Size {
    let ends = isBare(width) ? 0 : mark.count + end.count
    let size = label.measure(max(0, width - ends))
    return Size(columns: min(width, size.columns + ends), rows: max(1, size.rows))
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    guard !isBare(rect.size.columns) else {
      label.place(on: &picture, at: Rect(origin: rect.origin, size: label.size), in: here)
      return
    }
    picture.draw(Cell.cells(mark, markStyle), at: rect.origin, in: here)
    let start = Position(column: rect.minColumn + mark.count, row: rect.minRow)
    label.place(on: &picture, at: Rect(origin: start, size: label.size), in: here)
    let last = Position(column: start.column + label.size.columns, row: rect.minRow)
    picture.draw(Cell.cells(end, markStyle), at: last, in: here)
  }
}

/// A button; a press calls `perform(action:value:)`.
public struct Button: ElementView {
  /// The button as one element.
  public let nodes: [ViewNode]

  /// Creates a button with a text.
  ///
  /// - Parameters:
  ///   - title: The text.
  ///   - action: The name that a press sends to the widget.
  public init(_ title: String, action: String) {
    self.init(action: action) { Text(title) }
  }

  /// Creates a button with any view as its label.
  ///
  /// - Parameters:
  ///   - action: The name that a press sends to the widget.
  ///   - label: The label.
  public init(action: String, @ViewBuilder label: () -> Group) {
    var node = ViewNode(.button(ControlContent(label: label().node)))
    node.action = action
    nodes = [node]
  }
}
