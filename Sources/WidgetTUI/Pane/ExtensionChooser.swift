import WidgetCards
import WidgetKitCore
import WidgetRequests

/// A list of what accepts some content, narrowed down by what is typed.
nonisolated struct ExtensionChooser: Sendable {
  /// A row of the list.
  struct Item: Hashable, Sendable {
    /// A sign of one or two cells; nil for a bullet.
    var glyph: SafeText?
    var name: SafeText
    /// What it is for, behind the names where there is room; nil if that is not known.
    var words: SafeText?
    /// What it is, at the right.
    var detail: SafeText
  }

  /// What a key came to.
  enum Outcome: Hashable, Sendable {
    case stays
    case cancels
    /// The number of the row in the list that it was made with.
    case chooses(Int)
  }

  private let title: SafeText
  private let preview: ContentPreview
  private var items: [Item]
  /// The columns of the longest name.
  private var nameColumns = 0
  private(set) var entry = LineEditor(limit: LineEditor.nameLimit)
  private(set) var selection = 0
  /// The rows that match what is typed, the best first.
  private(set) var matches: [Int]

  /// The most rows of the list, and of the preview.
  private static let listLimit = 10
  private static let previewLimit = 3
  /// The fewest columns in which a part of what an extension is for says anything.
  private static let leastWords = 16

  init(title: SafeText, _ items: [Item], preview: ContentPreview) {
    (self.title, self.items, self.preview) = (title, items, preview)
    matches = Array(items.indices)
    nameColumns = Self.columns(ofNamesIn: items)
  }

  private static func columns(ofNamesIn items: [Item]) -> Int {
    items.reduce(0) { max($0, $1.name.columns) }
  }

  /// Adds rows at the end; the one that is selected stays so.
  mutating func add(_ more: [Item]) {
    let selected = matches.isEmpty ? nil : matches[selection]
    items += more
    nameColumns = max(nameColumns, Self.columns(ofNamesIn: more))
    matches = matchingRows
    selection = selected.flatMap { matches.firstIndex(of: $0) } ?? 0
  }

  /// Takes a key, or what the mouse has pressed.
  mutating func take(_ key: Key, _ action: PaneAction?) -> Outcome {
    let last = max(0, matches.count - 1)
    switch key {
    case .escape, .control("c"): return .cancels
    case .enter: return matches.isEmpty ? .stays : .chooses(matches[selection])
    case .down, .tab, .control("n"): selection = selection == last ? 0 : selection + 1
    case .up, .backTab, .control("p"): selection = selection == 0 ? last : selection - 1
    case .pageDown: selection = min(last, selection + Self.listLimit)
    case .pageUp: selection = max(0, selection - Self.listLimit)
    case .mouse(let event): return take(event, action)
    default: if entry.take(key) { search() }
    }
    return .stays
  }

  private mutating func take(_ event: MouseEvent, _ action: PaneAction?) -> Outcome {
    switch (event.action, action) {
    case (.wheelDown, _): selection = min(max(0, matches.count - 1), selection + 1)
    case (.wheelUp, _): selection = max(0, selection - 1)
    case (_, .row(let row)?) where matches.contains(row): return .chooses(row)
    case (_, .cancel?): return .cancels
    default: break
    }
    return .stays
  }

  private mutating func search() {
    selection = 0
    matches = matchingRows
  }

  /// The rows that match what is typed, the best first.
  private var matchingRows: [Int] {
    let typed = entry.text
    let scored = items.enumerated().compactMap { index, item in
      FuzzyMatch.score(of: typed, in: item.name.string).map { (index, $0) }
    }
    return scored.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
  }

  // MARK: - Drawing

  func picture(_ look: PaneLook) -> PanePicture {
    let list = min(items.count, Self.listLimit)
    let shown = preview.rows(limit: Self.previewLimit)
    let above = shown == 0 ? 0 : shown + 1
    let keys: [(SafeText, SafeText)] = [
      (look.frame.name(of: .cards), "choose"), (look.frame.name(of: .press), "take"),
      ("esc", "cancel"),
    ]
    var (picture, inside) = PanePicture.box(
      rows: above + 1 + max(1, list),
      title: title,
      remark: preview.summary,
      keys: keys,
      look
    )
    // On a low screen the list is more important than the preview.
    let hasPreview = inside.size.rows >= above + 2
    var row = inside.minRow
    if hasPreview, shown > 0 {
      let area = Rect(
        column: inside.minColumn,
        row: row,
        columns: inside.size.columns,
        rows: shown
      )
      preview.draw(on: &picture.canvas, in: area, look)
      row += above
    }
    drawEntry(on: &picture.canvas, row: row, inside, look)
    row += 1
    let room = max(0, inside.maxRow - row)
    if matches.count > room {
      // There are more than are shown.
      let place = SafeText("\(selection + 1)/\(matches.count)")
      picture.canvas.write(
        place,
        style: CellStyle(foreground: .tertiary),
        at: Position(column: inside.maxColumn - place.columns, row: row - 1),
        in: inside
      )
    }
    let first = max(0, min(selection - room / 2, matches.count - room))
    for (index, item) in matches.enumerated().dropFirst(first).prefix(room) {
      let area = Rect(column: inside.minColumn, row: row, columns: inside.size.columns, rows: 1)
      draw(items[item], isSelected: index == selection, on: &picture.canvas, area, look)
      picture.targets.append(PanePicture.Target(area: area, action: .row(item)))
      row += 1
    }
    if matches.isEmpty, room > 0 {
      picture.canvas.write(
        "No extension matches.",
        style: CellStyle(foreground: .secondary),
        at: Position(column: inside.minColumn + 2, row: row),
        in: inside
      )
    }
    return picture
  }

  private func drawEntry(on canvas: inout Canvas, row: Int, _ inside: Rect, _ look: PaneLook) {
    let place = Position(column: inside.minColumn, row: row)
    let mark: SafeText = look.glyphs == .unicode ? "❯" : ">"
    let start = Position(column: place.column + 2, row: row)
    canvas.write(mark, style: CellStyle(foreground: .accent), at: place, in: inside)
    entry.draw(on: &canvas, at: start, columns: inside.size.columns - 2, look.glyphs, in: inside)
    guard entry.isEmpty else { return }
    canvas.write(
      "type to filter",
      style: CellStyle(foreground: .tertiary),
      at: Position(column: start.column + 2, row: row),
      in: inside
    )
  }

  private func draw(
    _ item: Item,
    isSelected: Bool,
    on canvas: inout Canvas,
    _ area: Rect,
    _ look: PaneLook
  ) {
    let detail = TextLine(item.detail).truncated(to: area.size.columns / 3, glyphSet: look.glyphs)
    let bullet: SafeText = look.glyphs == .ascii ? "*" : "•"
    canvas.write(
      item.glyph ?? bullet,
      style: CellStyle(foreground: .accent),
      at: area.origin,
      in: area
    )
    let room = max(0, area.size.columns - 3 - detail.width - 2)
    let name = Position(column: area.minColumn + 3, row: area.minRow)
    canvas.write(
      TextLine(item.name).truncated(to: room, glyphSet: look.glyphs),
      style: CellStyle(foreground: .label),
      at: name,
      in: area
    )
    let before = nameColumns + 2
    if let words = item.words, before + Self.leastWords <= room {
      canvas.write(
        TextLine(words).truncated(to: room - before, glyphSet: look.glyphs),
        style: CellStyle(foreground: .secondary),
        at: Position(column: name.column + before, row: name.row),
        in: area
      )
    }
    canvas.write(
      detail,
      style: CellStyle(foreground: .secondary),
      at: Position(column: area.maxColumn - detail.width, row: area.minRow),
      in: area
    )
    guard isSelected else { return }
    canvas.restyle(area) { style in
      style.foreground = .accent
      style.attributes.insert(.reverse)
    }
  }
}
