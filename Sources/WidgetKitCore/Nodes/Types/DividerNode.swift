/// A `divider`, which has no members of its own.
struct DividerContent: NodeContent {
  static let type = "divider"
  var wrapped: ViewNode.Content { .divider }

  typealias Member = NoMember

  init() {}

  init(_ members: borrowing Reader) {}

  func write(to members: inout Writer) {}

  func words(isBesideText: Bool) -> SafeText? { "" }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox { DividerBox(origin) }
}

/// A horizontal line, or a vertical one over the height of a row.
final class DividerBox: LayoutBox {
  override var isVerticalDivider: Bool { container == .row }

  override var wish: Wish {
    Wish(minimum: 1, ideal: 1, least: 1, grows: container != .row)
  }

  override func measureContent(_ width: Int) -> Size {
    Size(columns: min(1, width), rows: 1)
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    var style = style
    style.foreground = node.style.foreground ?? .separator
    let isVertical = isVerticalDivider
    let isASCII = picture.glyphs == .ascii
    let glyph = Glyph(isVertical ? (isASCII ? "|" : "│") : (isASCII ? "-" : "─"), width: 1)
    let columns = isVertical ? 1 : here.clip.maxColumn - rect.minColumn
    let cells = Array(repeating: Cell(glyph: glyph, style: style), count: max(0, columns))
    let rows = isVertical ? here.clip.minRow..<here.clip.maxRow : rect.minRow..<(rect.minRow + 1)
    for row in rows {
      picture.draw(cells, at: Position(column: rect.minColumn, row: row), in: here)
    }
  }
}

/// A separator line across the stack.
public struct Divider: ElementView {
  /// The divider as one element.
  public let nodes = [ViewNode(.divider)]

  /// Creates a divider.
  public init() {}
}
