internal import FoundationEssentials

/// Layout of view trees: pure functions of the tree, the width and the environment.
///
/// ```
/// hstack[text, spacer, text]   in 20 columns        Berlin         18 °C
/// ```
public enum ViewLayout {
  /// Lays `node` out in `width` columns.
  ///
  /// Nothing is drawn outside the view's bounds; extents are limited to the range of the wire
  /// (``Size/limit``), and a picture ends after 200,000 cells.
  ///
  /// - Parameters:
  ///   - node: The tree.
  ///   - width: The columns of the view.
  ///   - height: The rows of the view, which spacers fill and to which it is clipped; nil uses as many
  ///     as its content needs.
  ///   - environment: The time, the glyphs and other parameters.
  /// - Returns: The cells and targets, and when the picture next changes.
  /// - Complexity: Linear in the size of the tree and of the picture.
  public static func layOut(
    _ node: ViewNode,
    width: Int,
    height: Int? = nil,
    in environment: LayoutEnvironment
  ) -> LaidOutView {
    let width = width.boundedExtent
    let root = box(of: node, in: environment)
    let natural = root.measure(width)
    let isNarrow = width > 0 && width < root.leastColumns
    // At least one row, for the message that the view is too narrow.
    let rows = height ?? max(natural.rows, isNarrow ? 1 : 0)
    let size = Size(columns: width, rows: rows.boundedExtent)
    let bounds = Rect(origin: .zero, size: size)
    var frame = bounds
    if root.frame.width != nil || root.frame.maxWidth != nil {
      frame.size.columns = natural.columns
    }
    if root.frame.height != nil || root.frame.maxHeight != nil {
      frame.size.rows = min(size.rows, root.growsRows ? root.maxRows : natural.rows)
    }
    var picture = Picture(glyphs: environment.glyphs)
    root.place(on: &picture, at: frame, in: .init(clip: bounds, element: nil))
    if isNarrow, !picture.showsAnything { picture.drawTooNarrow(in: bounds) }
    var view = LaidOutView(
      size: size,
      runs: picture.runs,
      elements: picture.elements,
      targets: picture.targets,
      nextChange: picture.nextChange.map { Date(timeIntervalSince1970: $0) },
      neededColumns: root.minColumns
    )
    view.images = picture.images
    view.figures = picture.figures
    view.countdownEnd = picture.countdownEnd.map { Date(timeIntervalSince1970: $0) }
    return view
  }

  /// Returns the rows that `node` needs in `width` columns, which is its own height.
  public static func height(
    of node: ViewNode,
    width: Int,
    in environment: LayoutEnvironment
  ) -> Int {
    let width = width.boundedExtent
    let root = box(of: node, in: environment)
    let rows = root.measure(width).rows.boundedExtent
    return width > 0 && width < root.leastColumns ? max(1, rows) : rows
  }

  private static func box(of node: ViewNode, in environment: LayoutEnvironment) -> LayoutBox {
    BoxBuilder(environment: environment)
      .box(node, in: .root, style: .plain, isRedacted: false)
  }
}
