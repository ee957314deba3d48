import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The gallery of all widgets: their names, what they are for, and how they look.
nonisolated struct WidgetGallery: Sendable {
  /// What a key came to.
  enum Outcome: Sendable {
    case stays
    case ends
    /// The selected widget is to be added as this card.
    case adds(CardID)
    /// The selected widget is to be run for its preview.
    case runs(CardID)
    /// The other tab is shown.
    case switches
    /// An entry of a registry is to be installed and added.
    case installs(AvailableGallery.Row)
  }

  /// The widgets, by what is typed of their names.
  private(set) var entry = LineEditor(limit: LineEditor.nameLimit)
  /// The name of another instance while it is typed; nil while a widget is selected.
  private(set) var naming: LineEditor?
  /// Whether that is the name that was proposed, which the first character replaces.
  private var isProposed = false
  /// Why a name cannot be used.
  private(set) var fault: SafeText?
  private(set) var selection = 0
  /// The widgets that match what is typed.
  private(set) var matches: [PageEdits.Choice] = []
  private var choices: [PageEdits.Choice] = []
  /// The widget that was run for its picture.
  private var running: CardID?
  /// What registries list; nil where there are no tabs.
  var available: AvailableGallery?
  /// Whether the tab with that is shown.
  private(set) var showsAvailable = false
  /// The selected widget as a card.
  var preview: (card: Card, body: CardBody?)?

  /// Lists the widgets that match a text, all of them without one.
  init(finding text: String = "") { entry.setText(text) }

  /// The selected widget; nil if none matches.
  var selected: PageEdits.Choice? {
    matches.indices.contains(selection) ? matches[selection] : nil
  }

  /// Takes over the widgets that there are.
  mutating func take(_ choices: [PageEdits.Choice]) {
    guard choices != self.choices else { return }
    let before = selected?.id
    self.choices = choices
    match()
    selection = matches.firstIndex { $0.id == before } ?? 0
  }

  private mutating func match() {
    let scored = choices.enumerated().compactMap { index, choice in
      PaletteMatch.score(of: entry.text, in: choice.name, about: choice.words).map {
        (index, $0, choice)
      }
    }
    matches = scored.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.2)
  }

  /// The line that is selected in the tab that is shown.
  var selectedLine: Int { showsAvailable ? available?.selection ?? 0 : selection }

  /// Shows the tab with what is installed, or that with what registries list; what is looked for stays.
  mutating func show(available isShown: Bool) {
    let isShown = isShown && available != nil
    if isShown, !showsAvailable { available?.find(entry.text) }
    if !isShown, showsAvailable, let text = available?.entry.text {
      entry.setText(text)
      match()
      selection = 0
    }
    showsAvailable = isShown
    (naming, fault) = (nil, nil)
  }

  /// Shows what registries list if no widget that is installed matches what is looked for; returns whether it does.
  mutating func showAvailableIfNothingMatches() -> Bool {
    if matches.isEmpty { show(available: true) }
    return showsAvailable
  }

  /// Selects a line.
  mutating func select(_ index: Int) {
    if showsAvailable {
      available?.select(index)
      return
    }
    guard matches.indices.contains(index) else { return }
    (selection, naming, fault) = (index, nil, nil)
  }

  /// Takes a key; `freeName` proposes the name of another instance of a widget.
  mutating func take(_ key: Key, freeName: (String) -> String) -> Outcome {
    if naming != nil { return takeName(key) }
    if let stage = available?.stage, key == .left || key == .right,
      !showsAvailable || stage == .choosing
    {
      show(available: !showsAvailable)
      return .switches
    }
    if showsAvailable {
      switch available?.take(key) {
      case .ends: return .ends
      case .installs(let row): return .installs(row)
      case .stays, nil: return .stays
      }
    }
    let last = max(0, matches.count - 1)
    switch key {
    case .escape: return .ends
    case .down, .control("n"): selection = selection == last ? 0 : selection + 1
    case .up, .control("p"): selection = selection == 0 ? last : selection - 1
    case .pageDown, .end: selection = last
    case .pageUp, .home: selection = 0
    case .tab:
      running = selected?.id
      return selected.map { .runs($0.id) } ?? .stays
    case .enter:
      guard let selected else { return .stays }
      guard selected.page != nil else { return .adds(selected.id) }
      naming = LineEditor(
        freeName(selected.id.bundleIdentifier),
        limit: InstanceName.byteLimit
      )
      isProposed = true
    default:
      guard entry.take(key) else { return .stays }
      match()
      selection = 0
    }
    return .stays
  }

  private mutating func takeName(_ key: Key) -> Outcome {
    guard var name = naming, let selected else { return .stays }
    fault = nil
    switch key {
    case .escape: naming = nil
    case .enter:
      guard let instance = InstanceName(rawValue: name.text) else {
        fault = "Expected \(SafeText(InstanceName.rule))."
        return .stays
      }
      let id = CardID(selected.id.bundleIdentifier, instance: instance)
      guard choices.allSatisfy({ $0.id != id || $0.page == nil }) else {
        fault = "There is already one with this name; choose another name."
        return .stays
      }
      naming = nil
      return .adds(id)
    default:
      if isProposed, case .character = key { name.setText("") }
      isProposed = false
      if name.take(key) { naming = name }
    }
    return .stays
  }

  /// The keys of the gallery, for the footer.
  func keys(press: SafeText) -> [(key: SafeText, word: SafeText)] {
    guard naming == nil else {
      return [(key: press, word: "add another one of this name"), (key: "Esc", word: "back")]
    }
    if showsAvailable, let available { return available.keys(press: press) }
    var tabs: [(key: SafeText, word: SafeText)] = []
    if available != nil { tabs = [(key: "Left Right", word: "tabs")] }
    return [(key: press, word: "add")] + tabs + [
      (key: "Tab", word: "run it for its picture"), (key: "a-z", word: "find"),
      (key: "Esc", word: "close"),
    ]
  }

  // MARK: - Drawing

  /// The columns of the list, and of what is said and shown of the selected widget.
  private static func columns(_ size: Size) -> (list: Int, detail: Int) {
    let inside = max(0, min(size.columns - 4, 110) - 6)
    guard inside >= 60 else { return (inside, 0) }
    let list = min(34, inside * 2 / 5)
    return (list, inside - list - 2)
  }

  /// The width inside the border of the preview on a screen; 0 where there is no room for one.
  static func previewWidth(_ size: Size) -> Int { max(0, columns(size).detail - 2) }

  /// Draws the gallery over the page.
  func draw(_ look: PageLook, on picture: inout PagePicture) {
    let size = picture.canvas.size
    let (list, detail) = Self.columns(size)
    let rows = max(3, min(size.rows - 4, 24))
    let inside = OverlayBox.draw(
      TextLine(available == nil ? " Widgets " : ""),
      size: Size(columns: list + (detail > 0 ? detail + 2 : 0), rows: rows),
      glyphs: FrameGlyphs(look.glyphs),
      on: &picture.canvas
    )
    picture.hits.add(nil, in: picture.canvas.bounds)
    let left = Rect(origin: inside.origin, size: Size(columns: list, rows: inside.size.rows))
      .intersection(inside)
    drawTabs(at: inside.origin, on: &picture)
    if !showsAvailable { drawList(look, in: left, isWhole: detail == 0, on: &picture) }
    guard detail > 0 else {
      if showsAvailable { available?.draw(look, list: left, detail: nil, on: &picture) }
      return
    }
    let right = Rect(
      column: left.maxColumn + 2,
      row: inside.minRow,
      columns: max(0, inside.maxColumn - left.maxColumn - 2),
      rows: inside.size.rows
    )
    if showsAvailable {
      available?.draw(look, list: left, detail: right, on: &picture)
    } else {
      drawDetail(look, in: right, on: &picture)
    }
  }

  /// Draws the names of the tabs on the border above the contents.
  private func drawTabs(at origin: Position, on picture: inout PagePicture) {
    guard available != nil else { return }
    let bounds = picture.canvas.bounds
    var place = Position(column: origin.column - 1, row: origin.row - 1)
    for (words, isAvailable) in [(" Installed " as SafeText, false), (" Available ", true)] {
      let line = TextLine(words)
      var style = CellStyle(foreground: .secondary)
      if isAvailable == showsAvailable {
        style = CellStyle(foreground: .accent, attributes: [.bold, .reverse])
      }
      let area = Rect(origin: place, size: Size(columns: line.width, rows: 1)).intersection(bounds)
      picture.canvas.write(line, style: style, at: place, in: bounds)
      picture.hits.add(.edit(.galleryTab(isAvailable: isAvailable)), in: area)
      place.column += line.width + 1
    }
  }

  private func drawList(
    _ look: PageLook,
    in area: Rect,
    isWhole: Bool,
    on picture: inout PagePicture
  ) {
    var place = area.origin
    picture.canvas.write("/", style: CellStyle(foreground: .accent), at: place, in: area)
    let start = Position(column: place.column + 2, row: place.row)
    if isWhole, let naming {
      drawName(naming, at: place, look.glyphs, in: area, on: &picture)
    } else {
      let columns = area.size.columns - 2
      entry.draw(on: &picture.canvas, at: start, columns: columns, look.glyphs, in: area)
    }
    place.row += 1
    if isWhole, let fault {
      picture.canvas.write(fault, style: CellStyle(foreground: .orange), at: place, in: area)
      place.row += 1
    }
    let room = max(0, area.maxRow - place.row)
    guard !matches.isEmpty else {
      picture.canvas.write(
        choices.isEmpty ? "No widgets are installed." : "No widget has this name.",
        style: CellStyle(foreground: .secondary),
        at: place,
        in: area
      )
      return
    }
    let first = max(0, min(selection - room / 2, matches.count - room))
    for (index, choice) in matches.enumerated().dropFirst(first).prefix(room) {
      let detail = TextLine(note(choice)).truncated(
        to: area.size.columns / 2,
        glyphSet: look.glyphs
      )
      let name = TextLine(choice.name).truncated(
        to: max(0, area.size.columns - detail.width - 2),
        glyphSet: look.glyphs
      )
      picture.canvas.write(name, style: CellStyle(foreground: .label), at: place, in: area)
      let end = Position(column: area.maxColumn - detail.width, row: place.row)
      picture.canvas.write(detail, style: CellStyle(foreground: .secondary), at: end, in: area)
      let bar = Rect(column: area.minColumn, row: place.row, columns: area.size.columns, rows: 1)
      picture.hits.add(.edit(.choice(index)), in: bar.intersection(area))
      if index == selection {
        picture.canvas.restyle(bar.intersection(area)) { style in
          style.foreground = .accent
          style.attributes.insert(.reverse)
        }
      }
      place.row += 1
    }
  }

  private func note(_ choice: PageEdits.Choice) -> SafeText {
    let page = choice.page.map { "on \($0.rawValue)" }
    let place = choice.isNew ? "new" : page
    let words = [place, choice.hasContent ? nil : "no content"].compactMap(\.self)
    return SafeText(words.joined(separator: ", "))
  }

  private func drawName(
    _ naming: LineEditor,
    at position: Position,
    _ glyphs: GlyphSet,
    in area: Rect,
    on picture: inout PagePicture
  ) {
    var place = position
    let words: SafeText = "Name of another one: "
    place.column = picture.canvas.write(
      words,
      style: CellStyle(foreground: .accent),
      at: place,
      in: area
    )
    naming.draw(
      on: &picture.canvas,
      at: place,
      columns: max(1, area.maxColumn - place.column),
      glyphs,
      in: area
    )
  }

  private func drawDetail(_ look: PageLook, in area: Rect, on picture: inout PagePicture) {
    guard let selected else { return }
    var place = area.origin
    func write(_ text: SafeText, _ style: CellStyle) {
      for line in TextLine.wrapped(text, columns: area.size.columns).prefix(3) {
        picture.canvas.write(line, style: style, at: place, in: area)
        place.row += 1
      }
    }
    if let naming {
      drawName(naming, at: place, look.glyphs, in: area, on: &picture)
      place.row += 1
      if let fault { write(fault, CellStyle(foreground: .orange)) }
    } else {
      write(selected.words ?? "No description.", CellStyle(foreground: .secondary))
      if !selected.hasContent {
        write(
          "It has no content, so that its card is not shown. “today has-content \(SafeText(selected.id.description)) on” shows it.",
          CellStyle(foreground: .secondary)
        )
      }
      if let page = selected.page {
        write(
          "On the page “\(SafeText(page.rawValue))”. Enter adds another one with a name of its own.",
          CellStyle(foreground: .secondary)
        )
      }
    }
    place.row += 1
    guard var preview, preview.card.id == selected.id else { return }
    if preview.body == nil, preview.card.message == nil, running != selected.id {
      preview.card.emptyWords = "No content is stored. Tab runs it."
    }
    var look = look
    look.showsBorders = true
    let view = CardView(card: preview.card, body: preview.body, look: look)
    let frame = Rect(
      column: area.minColumn,
      row: place.row,
      columns: area.size.columns,
      rows: view.rows(width: area.size.columns)
    )
    view.draw(on: &picture.canvas, frame: frame, clip: area, focus: .none)
  }
}
