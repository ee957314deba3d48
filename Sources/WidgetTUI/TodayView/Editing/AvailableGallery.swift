import WidgetCards
import WidgetKitCore

/// The part of the gallery with what registries list: what each entry is, what it may do, and how it looks, before
/// anything of it is on this machine.
nonisolated struct AvailableGallery: Sendable {
  /// An entry of a registry.
  struct Row: Hashable, Sendable {
    /// What it is found by; its identifier and its registry.
    var key: String
    var id: String
    var name: SafeText
    var words: SafeText
    var version: SafeText
    /// Who made it, under which licence, and where it comes from.
    var about: SafeText
    /// Whether its list is signed, in words; nil if it is, or comes with the program.
    var warning: SafeText?
    /// What it asks for, as in the question in its card.
    var wishes: [SafeText]
    /// Those of them that the installed version does not ask for.
    var more: [SafeText] = []
    var picture: [SafeText]
    /// The installed version; nil if none is.
    var installed: SafeText?
    /// Whether what is installed was changed since.
    var isChanged = false

    /// Whether there is nothing to install.
    var isCurrent: Bool { installed == version }
  }

  /// What a key came to.
  enum Outcome: Hashable, Sendable {
    case stays
    case ends
    case installs(Row)
  }

  /// What is done with the selected entry.
  enum Stage: Hashable, Sendable {
    case choosing
    /// The question is shown.
    case asking
    case installing
    case failed(SafeText)
  }

  private(set) var entry = LineEditor(limit: LineEditor.nameLimit)
  private(set) var selection = 0
  private(set) var matches: [Row] = []
  private(set) var stage = Stage.choosing
  private var rows: [Row] = []
  /// What is wrong with registries, or that they are being fetched.
  private(set) var note: SafeText?

  /// The selected entry; nil if none matches.
  var selected: Row? { matches.indices.contains(selection) ? matches[selection] : nil }

  /// Takes over what registries list.
  mutating func take(_ rows: [Row], note: SafeText?) {
    self.note = note
    guard rows != self.rows else { return }
    let before = selected
    self.rows = rows
    match()
    selection = matches.firstIndex { $0.key == before?.key } ?? 0
    // An answer applies only to the entry that was asked about.
    if stage == .asking, selected != before { stage = .choosing }
    if case .failed = stage, selected?.key != before?.key { stage = .choosing }
  }

  /// Says that the selected entry could not be installed.
  mutating func fail(_ words: SafeText) { stage = .failed(words) }

  /// Says that what was being installed is done.
  mutating func endInstalling() {
    if stage == .installing { stage = .choosing }
  }

  /// Looks for a text.
  mutating func find(_ text: String) {
    guard text != entry.text, stage == .choosing else { return }
    entry.setText(text)
    match()
    selection = 0
  }

  private mutating func match() {
    let scored = rows.enumerated().compactMap { index, row in
      PaletteMatch.score(of: entry.text, in: row.name, about: row.words).map { (index, $0, row) }
    }
    matches = scored.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.2)
  }

  /// Selects a line.
  mutating func select(_ index: Int) {
    guard matches.indices.contains(index), stage != .installing else { return }
    (selection, stage) = (index, .choosing)
  }

  /// Takes a key.
  mutating func take(_ key: Key) -> Outcome {
    switch stage {
    case .installing: return key == .escape ? .ends : .stays
    case .asking, .failed:
      guard key == .enter, stage == .asking, let selected else {
        if key == .escape || key == .enter { stage = .choosing }
        return .stays
      }
      stage = .installing
      return .installs(selected)
    case .choosing: break
    }
    let last = max(0, matches.count - 1)
    switch key {
    case .escape: return .ends
    case .down, .control("n"): selection = selection == last ? 0 : selection + 1
    case .up, .control("p"): selection = selection == 0 ? last : selection - 1
    case .pageDown, .end: selection = last
    case .pageUp, .home: selection = 0
    case .enter: if let selected, !selected.isCurrent { stage = .asking }
    default:
      guard entry.take(key) else { return .stays }
      match()
      selection = 0
    }
    return .stays
  }

  /// The keys, for the footer.
  func keys(press: SafeText) -> [(key: SafeText, word: SafeText)] {
    switch stage {
    case .choosing:
      var keys: [(key: SafeText, word: SafeText)] = []
      if let selected, !selected.isCurrent { keys = [(key: press, word: "install")] }
      return keys + [
        (key: "Left Right", word: "tabs"), (key: "a-z", word: "find"), (key: "Esc", word: "close"),
      ]
    case .asking: return [(key: press, word: "install and add it"), (key: "Esc", word: "back")]
    case .installing: return [(key: "Esc", word: "close")]
    case .failed: return [(key: "Esc", word: "back")]
    }
  }

  // MARK: - Drawing

  /// Draws the list, and what is said of the selected entry beside it; on a narrow screen in its place when asked.
  func draw(_ look: PageLook, list: Rect, detail: Rect?, on picture: inout PagePicture) {
    if detail == nil, stage != .choosing {
      drawDetail(look, in: list, on: &picture)
      return
    }
    drawList(look, in: list, on: &picture)
    if let detail { drawDetail(look, in: detail, on: &picture) }
  }

  private func drawList(_ look: PageLook, in area: Rect, on picture: inout PagePicture) {
    var place = area.origin
    picture.canvas.write("/", style: CellStyle(foreground: .accent), at: place, in: area)
    entry.draw(
      on: &picture.canvas,
      at: Position(column: place.column + 2, row: place.row),
      columns: area.size.columns - 2,
      look.glyphs,
      in: area
    )
    place.row += 1
    let secondary = CellStyle(foreground: .secondary)
    let empty: SafeText =
      rows.isEmpty
      ? "No entries. Add a registry with “today gallery sources add”."
      : "No entry matches."
    var notes: [SafeText] = matches.isEmpty ? [empty] : []
    if let note { notes.append(note) }
    let lines = notes.flatMap { TextLine.wrapped($0, columns: area.size.columns) }
    let room = max(0, area.maxRow - place.row - (matches.isEmpty ? 0 : min(3, lines.count)))
    let first = max(0, min(selection - room / 2, matches.count - room))
    for (index, row) in matches.enumerated().dropFirst(first).prefix(room) {
      draw(row, index, look, at: place, in: area, on: &picture)
      place.row += 1
    }
    for line in lines.prefix(matches.isEmpty ? 6 : 3) {
      picture.canvas.write(line, style: secondary, at: place, in: area)
      place.row += 1
    }
  }

  private func draw(
    _ row: Row,
    _ index: Int,
    _ look: PageLook,
    at place: Position,
    in area: Rect,
    on picture: inout PagePicture
  ) {
    let present: SafeText = row.isCurrent ? "installed" : "update"
    let state = row.installed == nil ? nil : present
    let words = [state, row.warning].compactMap { $0?.string }.joined(separator: ", ")
    let detail = TextLine(SafeText(words)).truncated(
      to: area.size.columns / 2,
      glyphSet: look.glyphs
    )
    let name = TextLine(row.name).truncated(
      to: max(0, area.size.columns - detail.width - 2),
      glyphSet: look.glyphs
    )
    picture.canvas.write(name, style: CellStyle(foreground: .label), at: place, in: area)
    let end = Position(column: area.maxColumn - detail.width, row: place.row)
    picture.canvas.write(detail, style: CellStyle(foreground: .secondary), at: end, in: area)
    let bar = Rect(column: area.minColumn, row: place.row, columns: area.size.columns, rows: 1)
      .intersection(area)
    picture.hits.add(.edit(.choice(index)), in: bar)
    guard index == selection else { return }
    picture.canvas.restyle(bar) { style in
      style.foreground = .accent
      style.attributes.insert(.reverse)
    }
  }

  private func drawDetail(_ look: PageLook, in area: Rect, on picture: inout PagePicture) {
    guard let selected else { return }
    AvailableDetail(row: selected, stage: stage).draw(look, in: area, on: &picture.canvas)
  }
}
