/// A node during one layout pass: its requirements are known, its position is not yet.
///
/// Each type of node has a subclass that knows what its content requires, measures it and draws it. This
/// is a class because the pass stores its results in it: each box is measured at only one width, so that
/// a pass is linear however deeply stacks are nested.
class LayoutBox {
  /// The container of a box, which decides how a divider and a spacer behave.
  enum Container {
    case root
    case column
    case row
    case layers
    case grid
  }

  /// A node and what it inherits from those around it.
  struct Origin {
    var node: ViewNode
    var container: Container
    /// The style of the node's content, including everything inherited.
    var style: CellStyle
    /// Whether its content is redacted.
    var isRedacted: Bool
  }

  /// The context in which it is drawn.
  typealias Surroundings = Picture.Surroundings

  /// The requirements of the content alone.
  struct Wish {
    /// The minimum number of columns.
    var minimum = 0
    /// Columns that show everything in the smallest number of rows.
    var ideal = 0
    /// Columns with which it shows something; 0 if it never shows anything.
    var least = 0
    /// Whether it takes all the columns it can get.
    var grows = false
    /// Whether it takes remaining rows.
    var growsRows = false
  }

  let node: ViewNode
  let container: Container
  /// The style of the node's content, including everything inherited.
  let style: CellStyle
  /// Whether its content is redacted.
  let isRedacted: Bool
  let padding: EdgeInsets
  let frame: FrameBounds

  /// Columns that show everything in the smallest number of rows.
  private(set) final var idealColumns = 0
  /// The minimum number of columns.
  private(set) final var minColumns = 0
  /// Columns below which it shows nothing, not even a part; 0 if it never shows anything.
  private(set) final var leastColumns = 0
  /// Whether it takes all the columns it can get, up to `maxColumns`.
  private(set) final var growsColumns = false
  private(set) final var maxColumns = Size.limit.upperBound
  /// Whether it takes remaining rows, up to `maxRows`.
  private(set) final var growsRows = false
  private(set) final var maxRows = Size.limit.upperBound

  /// The size that `measure(_:)` found last; zero before it was called.
  private(set) final var size = Size.zero
  /// The width of the last call of `measure(_:)`; negative before the first.
  private var measuredWidth = -1

  init(_ origin: Origin) {
    node = origin.node
    container = origin.container
    style = origin.style
    isRedacted = origin.isRedacted
    padding = node.hasTraits ? node.padding.bounded : .zero
    frame = node.hasTraits ? node.frame.bounded : .open
    findRequirements()
  }

  /// Whether the row around it has its action or link, so that it has no target itself.
  final var isPressedByRow = false

  // MARK: - What a subclass defines

  /// The requirements of the content; asked once, before everything else.
  var wish: Wish { Wish() }

  /// Measures the content in `width` columns, and returns the columns and rows that it takes.
  func measureContent(_ width: Int) -> Size { .zero }

  /// Draws the content, which was measured, at `rect`.
  func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {}

  /// Whether it adds the target for its action itself.
  var hasOwnTarget: Bool { false }

  /// Whether it is only space, which has no spacing on its sides.
  var isSpacer: Bool { false }

  /// Whether it is a line from the top to the bottom of a row.
  var isVerticalDivider: Bool { false }

  /// Whether it is text that is not just at the start of its frame, and so needs its whole column.
  var isPlacedText: Bool { false }

  /// When a date in it changes its text.
  var nextChange: SecondsOfChange? { nil }

  /// When a countdown in it comes to nought.
  var countdownEnd: SecondsOfChange? { nil }

  // MARK: - Measuring

  /// Computes the requirements of the box from those of its content, its padding and its frame.
  private func findRequirements() {
    let wish = wish
    minColumns = wish.minimum + padding.columns
    idealColumns = max(wish.ideal, wish.minimum) + padding.columns
    growsColumns = wish.grows
    growsRows = wish.growsRows
    if node.hasTraits { applyFrame() }
    let limit = Size.limit.upperBound
    minColumns = min(minColumns, limit)
    idealColumns = min(idealColumns, limit)
    leastColumns = wish.least > 0 ? min(wish.least + padding.columns, idealColumns) : 0
  }

  /// Restricts the requirements to the bounds of the frame.
  private func applyFrame() {
    if let width = frame.width {
      minColumns = width
      idealColumns = width
      maxColumns = width
      growsColumns = false
    } else {
      if let least = frame.minWidth {
        minColumns = max(minColumns, least)
        idealColumns = max(idealColumns, least)
      }
      if let most = frame.maxWidth {
        maxColumns = most
        minColumns = min(minColumns, most)
        idealColumns = min(idealColumns, most)
        growsColumns = true
      }
    }
    if frame.height != nil {
      growsRows = false
    } else if let most = frame.maxHeight {
      growsRows = true
      maxRows = most
    }
  }

  /// Returns the size of the box if it is offered `width` columns: at most that many columns, and the
  /// rows that its content needs then.
  ///
  /// The result for the last width is cached; a pass uses only one width.
  @discardableResult
  final func measure(_ width: Int) -> Size {
    if measuredWidth == width { return size }
    let offered = min(width, maxColumns)
    let content = measureContent(max(0, offered - padding.columns))
    size = Size(
      columns: growsColumns || frame.width != nil ? offered : content.columns + padding.columns,
      rows: content.rows + padding.rows
    )
    if let least = frame.minWidth { size.columns = max(size.columns, least) }
    size.columns = min(size.columns, offered)
    if let height = frame.height {
      size.rows = height
    } else {
      if let most = frame.maxHeight { size.rows = min(size.rows, most) }
      if let least = frame.minHeight { size.rows = max(size.rows, least) }
    }
    measuredWidth = width
    return size
  }

  /// Whether it ever takes columns; if not, it has no spacing on its sides either.
  final var takesColumns: Bool { idealColumns > 0 || growsColumns }

  // MARK: - Drawing

  /// Draws the box, which was measured, with its frame at `rect`.
  final func place(on picture: inout Picture, at rect: Rect, in outer: Surroundings) {
    let visible = rect.intersection(outer.clip)
    guard !visible.size.isEmpty || rect.size.isEmpty else { return }
    var here = Surroundings(clip: visible, element: outer.element, action: outer.action)
    guard node.hasTraits else {
      if !visible.size.isEmpty { placeContent(on: &picture, at: rect, in: here) }
      return
    }
    if let id = node.id {
      here.element = picture.add(
        LaidOutElement(id: id, frame: rect, parent: outer.element, transition: node.transition)
      )
    }
    guard !visible.size.isEmpty else { return }
    addTarget(to: &picture, visible, in: here)
    here.action = node.action ?? here.action
    if node.style.background != nil {
      picture.fill(rect, style: style, clip: here.clip, element: here.element)
    }
    let content = Rect(
      column: rect.minColumn + padding.left,
      row: rect.minRow + padding.top,
      columns: max(0, rect.size.columns - padding.columns),
      rows: max(0, rect.size.rows - padding.rows)
    )
    here.clip = here.clip.intersection(content)
    placeContent(on: &picture, at: content, in: here)
  }

  private func placeContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    if let change = nextChange { picture.note(change: change) }
    guard !here.clip.size.isEmpty else { return }
    if let end = countdownEnd { picture.note(countdownEnd: end) }
    drawContent(on: &picture, at: rect, in: here)
  }

  /// Adds the target of a node that can be pressed.
  ///
  /// Targets inside it come after it, so that they have precedence if both are hit.
  private func addTarget(to picture: inout Picture, _ frame: Rect, in here: Surroundings) {
    let (action, link) = (node.action, node.link)
    guard action != nil || link != nil, !hasOwnTarget, !isPressedByRow else { return }
    // The check box of a row with the same action is pressed with the row.
    guard link != nil || action != here.action else { return }
    picture.add(
      isRedacted ? "" : NodeWords.text(of: node),
      action: action,
      link: link,
      newValue: node.content.payload.newValue,
      help: shownHelp,
      at: frame,
      in: here
    )
  }

  /// The node's `help`, unless it is covered.
  final var shownHelp: SafeText? { isRedacted ? nil : node.help }
}

extension LayoutBox.Wish {
  /// The requirements of children that all get the same columns.
  init(ofStacked children: [LayoutBox]) {
    for child in children {
      minimum = max(minimum, child.minColumns)
      ideal = max(ideal, child.idealColumns)
      least = Self.least(least, child.leastColumns)
      grows = grows || (child.growsColumns && !child.isSpacer)
      growsRows = growsRows || child.growsRows
    }
  }

  /// Returns the smaller of two numbers of columns, of which 0 means nothing to show.
  static func least(_ left: Int, _ right: Int) -> Int {
    left == 0 || right == 0 ? max(left, right) : min(left, right)
  }
}

/// Seconds since 1970, as ``LaidOutView/nextChange`` counts them.
typealias SecondsOfChange = Double
