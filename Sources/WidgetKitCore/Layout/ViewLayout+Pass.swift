internal import FoundationEssentials

/// Lays view trees out: pure functions of the tree, the width and the environment.
///
/// ```
/// hstack[text, spacer, text]   in 20 columns        Berlin         18 °C
/// ```
public enum ViewLayout {
  /// Lays `node` out in `width` columns.
  ///
  /// Nothing is drawn outside of the view's bounds, whatever the tree asks for; extents are taken
  /// to the nearest that the wire allows (``Size/limit``), and a picture ends after 200,000 cells.
  ///
  /// - Parameters:
  ///   - node: the tree.
  ///   - width: columns that the view has.
  ///   - height: rows that it has, for spacers to fill or to be clipped at; nil gives it as many as
  ///     its content takes.
  ///   - environment: the time, the glyphs and the rest.
  /// - Returns: what is drawn and pressed, and when it will look different.
  /// - Complexity: linear in the size of the tree and of the picture.
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
    // One row at least, for the words that say why there is nothing else.
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
    picture.place(root, at: frame, in: Picture.Surroundings(clip: bounds, element: nil))
    if isNarrow, !picture.showsAnything { picture.drawTooNarrow(in: bounds) }
    return LaidOutView(
      size: size,
      runs: picture.runs,
      elements: picture.elements,
      targets: picture.targets,
      nextChange: picture.nextChange.map { Date(timeIntervalSince1970: $0) }
    )
  }

  /// Returns the rows that `node` takes in `width` columns: its own height, the automatic way.
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
