/// Children from top to bottom.
final class ColumnBox: LayoutBox {
  private let children: [LayoutBox]
  private let spacing: Int
  private let alignment: Alignment

  init(_ origin: Origin, _ children: [LayoutBox], spacing: Int, _ alignment: Alignment) {
    self.children = children
    self.spacing = spacing
    self.alignment = alignment
    super.init(origin)
  }

  override var wish: Wish { Wish(ofStacked: children) }

  override func measureContent(_ width: Int) -> Size {
    var gap = Gap(spacing)
    var size = Size.zero
    for child in children {
      let part = child.measure(width)
      size.columns = max(size.columns, part.columns)
      size.rows += part.rows + gap.before(child)
    }
    return size
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    let heights = heights(in: rect.size.rows)
    var gap = Gap(spacing)
    var row = rect.minRow
    for (index, child) in children.enumerated() where row < here.clip.maxRow {
      row += gap.before(child)
      let columns = min(child.size.columns, rect.size.columns)
      let rows = heights?[index] ?? child.size.rows
      let indent = alignment.offset(of: columns, in: rect.size.columns)
      let frame = Rect(column: rect.minColumn + indent, row: row, columns: columns, rows: rows)
      child.place(on: &picture, at: frame, in: here)
      row += rows
    }
  }

  /// Returns the rows of each child if some of them take the rows that remain of `available`; nil if
  /// all keep their own.
  private func heights(in available: Int) -> [Int]? {
    guard children.contains(where: { $0.growsRows }) else { return nil }
    var gap = Gap(spacing)
    let room = available - children.reduce(0) { $0 + gap.before($1) }
    guard children.reduce(0, { $0 + $1.size.rows }) < room else { return nil }
    return Sharing.share(
      room,
      among: children.map { child in
        Sharing.Claim(
          minimum: child.size.rows,
          ideal: child.size.rows,
          maximum: child.growsRows ? child.maxRows : child.size.rows,
          isSpacer: child.isSpacer
        )
      }
    )
  }
}

/// Children from left to right.
final class RowBox: LayoutBox {
  private let children: [LayoutBox]
  private let spacing: Int
  private let alignment: Alignment
  /// The columns that each child got when the row was measured.
  private var slots: [Int] = []

  init(_ origin: Origin, _ children: [LayoutBox], spacing: Int, _ alignment: Alignment) {
    self.children = children
    self.spacing = spacing
    self.alignment = alignment
    super.init(origin)
  }

  override var wish: Wish {
    var wish = Wish()
    var parted = 0
    for child in children {
      wish.minimum += child.minColumns
      wish.ideal += child.idealColumns
      wish.least = Wish.least(wish.least, child.leastColumns)
      wish.grows = wish.grows || child.growsColumns
      guard !child.isSpacer else { continue }
      wish.growsRows = wish.growsRows || child.growsRows
      if child.takesColumns { parted += 1 }
    }
    let gaps = max(0, parted - 1) * spacing
    wish.minimum += gaps
    wish.ideal += gaps
    return wish
  }

  override func measureContent(_ width: Int) -> Size {
    slots = Sharing.share(
      width,
      spacing: spacing,
      among: children.map { child in
        Sharing.Claim(
          minimum: child.minColumns,
          ideal: child.idealColumns,
          maximum: child.growsColumns ? child.maxColumns : child.idealColumns,
          priority: child.isSpacer ? -.infinity : child.node.layoutPriority,
          isSpacer: child.isSpacer,
          least: child.leastColumns
        )
      }
    )
    var gap = Gap(spacing)
    var size = Size.zero
    for (child, slot) in zip(children, slots) {
      size.rows = max(size.rows, child.measure(slot).rows)
      size.columns += slot + gap.before(child, isShown: slot > 0)
    }
    size.columns = min(size.columns, width)
    return size
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    var gap = Gap(spacing)
    var column = rect.minColumn
    for (index, child) in children.enumerated() where column < here.clip.maxColumn {
      column += gap.before(child, isShown: slots[index] > 0)
      let isTall = child.isVerticalDivider || child.growsRows
      let rows = isTall ? min(rect.size.rows, child.maxRows) : child.size.rows
      let indent = alignment.offset(of: rows, in: rect.size.rows)
      let frame = Rect(
        column: column,
        row: rect.minRow + indent,
        columns: child.size.columns,
        rows: rows
      )
      child.place(on: &picture, at: frame, in: here)
      column += slots[index]
    }
  }
}

/// Children on top of each other, the last in front; or one after another in the same place.
final class LayersBox: LayoutBox {
  private let children: [LayoutBox]
  private let alignment: Alignment
  /// The only child that is shown; nil if all are.
  private let turn: LayerTurn?

  init(_ origin: Origin, _ children: [LayoutBox], _ alignment: Alignment, turn: LayerTurn?) {
    self.children = children
    self.alignment = alignment
    self.turn = turn
    super.init(origin)
  }

  override var wish: Wish { Wish(ofStacked: children) }

  override var nextChange: SecondsOfChange? { turn?.end }

  override func measureContent(_ width: Int) -> Size {
    var size = Size.zero
    for child in children {
      let part = child.measure(width)
      size.columns = max(size.columns, part.columns)
      size.rows = max(size.rows, part.rows)
    }
    return size
  }

  override func drawContent(on picture: inout Picture, at rect: Rect, in here: Surroundings) {
    for child in turn.map({ children[$0.child...$0.child] }) ?? children[...] {
      let rows = child.growsRows ? min(rect.size.rows, child.maxRows) : child.size.rows
      let columns = child.size.columns
      let frame = Rect(
        column: rect.minColumn + alignment.offset(of: columns, in: rect.size.columns),
        row: rect.minRow + alignment.offset(of: rows, in: rect.size.rows),
        columns: columns,
        rows: rows
      )
      child.place(on: &picture, at: frame, in: here)
    }
  }
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

/// The spacing before each child of a stack, one child after another.
///
/// A spacer is space itself: there is no spacing on its sides, and between two neighbours it is at
/// least as wide as the spacing would have been; that spacing follows it. A child that is not shown has
/// none.
private struct Gap {
  private let spacing: Int
  private var hasNeighbor = false

  init(_ spacing: Int) { self.spacing = spacing }

  /// Returns the cells before the next child.
  mutating func before(_ child: LayoutBox, isShown: Bool = true) -> Int {
    guard isShown, !child.isSpacer else { return 0 }
    defer { hasNeighbor = true }
    return hasNeighbor ? spacing : 0
  }
}

extension Alignment {
  /// Returns the distance of something of `extent` from the start of `room`; 0 if it is too large.
  func offset(of extent: Int, in room: Int) -> Int {
    let free = max(0, room - extent)
    return switch self {
    case .leading: 0
    case .center: free / 2
    case .trailing: free
    }
  }
}
