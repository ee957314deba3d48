/// Children from top to bottom.
final class ColumnBox: LayoutBox {
  private let children: [LayoutBox]
  private let spacing: Int
  private let alignment: Alignment

  init(
    _ origin: Origin,
    _ children: [LayoutBox],
    spacing: Int = 0,
    _ alignment: Alignment = .leading
  ) {
    self.children = children
    self.spacing = spacing.boundedExtent
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

  init(_ origin: Origin, _ children: [LayoutBox], _ content: StackContent) {
    self.children = children
    spacing = (content.spacing ?? 1).boundedExtent
    alignment = content.alignment
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
