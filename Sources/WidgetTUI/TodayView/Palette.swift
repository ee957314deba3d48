import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// The list of all that can be done by name, narrowed down by what is typed.
nonisolated struct Palette: Sendable {
  /// A line of the list.
  struct Item: Sendable {
    enum Action: Sendable {
      case perform(Intent)
      /// A theme; nil follows the background of the terminal.
      case theme(id: String, ThemeDefinition?)
      /// The user's own command of a key.
      case own(Key)
      case page(PageName)
      case card(CardID, PageName)
      case settings(CardID, PageName)
      /// What a widget requests, as another list.
      case permissions(CardID)
      /// The page decides again which form of a card is shown.
      case leaveForm(CardID)
      case permission(CardID, Permission, isGranted: Bool)
      /// The text that is typed, behind which a name is to follow.
      case types(String)
      /// A card that is added to the page that is shown.
      case add(CardID)
      /// The gallery, with what was typed.
      case gallery(String)
      /// A card goes to another page, which is made if there is none of that name.
      case move(CardID, PageName)
      case remove(CardID)
      /// The page that is shown gets another name.
      case rename(PageName)
      /// What is wrong with the page and the installation.
      case problems
      /// No sounds for some time; nil until that is ended.
      case quiet(Duration?)
      case endQuiet
      /// The page as it was at a time of the last day.
      case past(Date)

      /// The name by which its uses are counted; nil if they are not.
      var name: String? {
        switch self {
        case .perform(let intent): removes ? nil : intent.rawValue
        case .theme(let id, _): "theme \(id)"
        case .own(let key): "key \(key.name)"
        case .page(let page): "page \(page.rawValue)"
        case .card(let card, _): "card \(card)"
        case .settings(let card, _): "settings \(card)"
        case .permissions(let card): "permissions \(card)"
        case .quiet(let length): length == nil ? "quiet" : "quiet for"
        // Done once, or not to be repeated by mistake.
        case .leaveForm, .permission, .types, .add, .gallery, .move, .remove, .rename, .problems,
          .endQuiet, .past:
          nil
        }
      }

      /// Whether it removes something.
      var removes: Bool {
        switch self {
        case .remove, .perform(.removeRow): true
        default: false
        }
      }
    }

    var title: SafeText
    /// The keys of a command, or the kind of a theme.
    var detail: SafeText
    var action: Action
    /// What it is about, in which words are looked for that the title does not have.
    var about: SafeText?
    /// How often it was chosen.
    var use = 0.0
  }

  /// What a key came to.
  enum Outcome {
    case stays
    case ends
    case chooses(Item)
  }

  private(set) var entry = LineEditor(limit: LineEditor.nameLimit)
  private(set) var selection = 0
  /// The lines that match what is typed, the best first.
  private(set) var matches: [Item]
  /// Said below the list while a theme is selected.
  var themeNote: SafeText?
  private let title: SafeText
  private let items: [Item]
  /// The columns of the widest line.
  private let columns: Int
  /// Whether a text can be a time to look back to, and the gallery is offered for one that no line matches.
  private let searchesGallery: Bool
  /// The card that a new page is made with; nil where none can be.
  private let movableCard: (id: CardID, name: SafeText)?
  /// The page that gets the name that is typed; nil where none can.
  private let renamedPage: PageName?

  /// How many lines are shown at once.
  static let lineLimit = 12

  /// Lists what can be done.
  ///
  /// - Parameters:
  ///   - items: The lines, in their order.
  ///   - title: The title of the box.
  ///   - themeNote: What is said while a theme is selected.
  ///   - searchesGallery: Whether a text can be a time to look back to, and the gallery is offered for one that no
  ///     line matches.
  ///   - movableCard: The card that a page is made with whose name is typed; nil where none can be.
  ///   - renamedPage: The page that gets the name that is typed; nil where none can.
  init(
    _ items: [Item],
    title: SafeText = " Commands ",
    themeNote: SafeText?,
    searchesGallery: Bool = false,
    movableCard: (id: CardID, name: SafeText)? = nil,
    renamedPage: PageName? = nil
  ) {
    (self.items, self.title, self.themeNote) = (items, title, themeNote)
    (self.searchesGallery, self.movableCard) = (searchesGallery, movableCard)
    self.renamedPage = renamedPage
    columns = items.reduce(0) { max($0, TextLine($1.title).width + TextLine($1.detail).width) }
    matches = items
  }

  /// The selected line; nil if nothing matches.
  var selected: Item? { matches.indices.contains(selection) ? matches[selection] : nil }

  /// Takes a key.
  mutating func take(_ key: Key) -> Outcome {
    let last = max(0, matches.count - 1)
    switch key {
    case .escape: return .ends
    case .enter:
      guard let selected else { return .stays }
      guard case .types(let text) = selected.action else { return .chooses(selected) }
      entry.setText(text)
      narrow()
    case .down, .tab, .control("n"): selection = selection == last ? 0 : selection + 1
    case .up, .backTab, .control("p"): selection = selection == 0 ? last : selection - 1
    case .pageDown: selection = min(last, selection + Self.lineLimit)
    case .pageUp: selection = max(0, selection - Self.lineLimit)
    case .home where entry.isEmpty: selection = 0
    case .end where entry.isEmpty: selection = last
    case .backspace where entry.isEmpty: return .ends
    default:
      let text = entry.text
      // A cursor that moves leaves the selection where it is.
      if entry.take(key), entry.text != text { narrow() }
    }
    return .stays
  }

  /// What is at a place of the screen.
  enum Place {
    case line, inside, outside
  }

  /// Selects the line at a place.
  mutating func press(_ position: Position, on screen: Size) -> Place {
    let size = boxSize(on: screen)
    let inside = OverlayBox.inside(of: size, on: screen)
    guard inside.contains(position) else { return .outside }
    let rows = listRows(on: screen)
    let line = firstLine(rows) + position.row - inside.minRow - 1
    guard position.row > inside.minRow, position.row <= inside.minRow + rows,
      matches.indices.contains(line)
    else { return .inside }
    selection = line
    return .line
  }

  /// How many lines of the list are shown.
  private func listRows(on screen: Size) -> Int { min(Self.lineLimit, max(1, screen.rows - 5)) }

  private func boxSize(on screen: Size) -> Size {
    Size(
      columns: max(40, columns + 4),
      rows: listRows(on: screen) + 1 + (themeNote == nil ? 0 : 1)
    )
  }

  /// The first line that is shown.
  private func firstLine(_ rows: Int) -> Int {
    max(0, min(selection - rows / 2, matches.count - rows))
  }

  private mutating func narrow() {
    selection = 0
    let scored = items.enumerated().compactMap { index, item in
      PaletteMatch.score(of: entry.text, in: item.title, about: item.about, use: item.use).map {
        (index, $0, item)
      }
    }
    // A name that fits to something harmless too removes nothing.
    let sorted = scored.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.2)
    matches = sorted.filter { !$0.action.removes } + sorted.filter(\.action.removes)
    guard searchesGallery else { return }
    if let moment = PastTime.date(entry.text, now: Date()) {
      let title = "Look back to \(AgeWording.moment(moment, now: Date()))"
      matches.insert(Item(title: SafeText(title), detail: "", action: .past(moment)), at: 0)
    }
    if let item = newPage ?? renaming { matches.insert(item, at: 0) }
    guard matches.isEmpty, !awaitsName else { return }
    let title = "Search the gallery of widgets for “\(entry.text)”"
    matches = [Item(title: SafeText(title), detail: "", action: .gallery(entry.text))]
  }

  /// The name of a page behind some words; nil for another text.
  private func pageName(behind words: String) -> PageName? {
    guard entry.text.lowercased().hasPrefix(words) else { return nil }
    return PageName(rawValue: String(entry.text.dropFirst(words.count)))
  }

  /// Whether only a name is missing behind what is typed.
  private var awaitsName: Bool {
    let text = entry.text.lowercased()
    return movableCard != nil && text == Self.newPageWords
      || renamedPage != nil && text == Self.renameWords
  }

  /// What is typed before the name of a new page, and before another name of the page.
  static let newPageWords = "new page "
  static let renameWords = "rename page "

  /// Moves a card to a page that is made for it; nil if there is no card, or another text.
  private var newPage: Item? {
    guard let card = movableCard, let name = pageName(behind: Self.newPageWords)
    else { return nil }
    return Item(
      title: "Move \(card.name) to the new page “\(SafeText(name.rawValue))”",
      detail: "",
      action: .move(card.id, name)
    )
  }

  /// Gives the page another name; nil for another text, and where the page has none that can be changed.
  private var renaming: Item? {
    guard let page = renamedPage, let name = pageName(behind: Self.renameWords)
    else { return nil }
    return Item(
      title: "Rename \(SafeText(page.rawValue)) to “\(SafeText(name.rawValue))”",
      detail: "",
      action: .rename(name)
    )
  }

  /// Draws the list over the upper part of the page, which stays as it is, so that a theme is seen.
  func draw(_ glyphs: GlyphSet, on canvas: inout Canvas) {
    let frame = FrameGlyphs(glyphs)
    let isTheme = if case .theme? = selected?.action { true } else { false }
    let advice: SafeText = awaitsName ? "Type the name of the page." : "No command has this name."
    let note = isTheme ? themeNote : matches.isEmpty ? advice : nil
    let rows = listRows(on: canvas.size)
    let inside = OverlayBox.draw(
      TextLine(title),
      size: boxSize(on: canvas.size),
      glyphs: frame,
      isPageDimmed: false,
      on: &canvas
    )
    var place = inside.origin
    canvas.write(":", style: CellStyle(foreground: .accent), at: place, in: inside)
    let start = Position(column: place.column + 2, row: place.row)
    entry.draw(on: &canvas, at: start, columns: inside.size.columns - 2, glyphs, in: inside)
    place.row += 1
    for (index, item) in matches.enumerated().dropFirst(firstLine(rows)).prefix(rows) {
      draw(item, isSelected: index == selection, at: place, in: inside, glyphs, on: &canvas)
      place.row += 1
    }
    if let note {
      let noteRow = matches.isEmpty ? inside.minRow + 1 : inside.maxRow - 1
      let line = TextLine(note).truncated(to: inside.size.columns, glyphSet: glyphs)
      let notePlace = Position(column: inside.minColumn, row: noteRow)
      canvas.write(line, style: CellStyle(foreground: .secondary), at: notePlace, in: inside)
    }
  }

  private func draw(
    _ item: Item,
    isSelected: Bool,
    at place: Position,
    in inside: Rect,
    _ glyphs: GlyphSet,
    on canvas: inout Canvas
  ) {
    let detail = TextLine(item.detail)
    let room = max(0, inside.size.columns - detail.width - 2)
    let title = TextLine(item.title).truncated(to: room, glyphSet: glyphs)
    canvas.write(title, style: CellStyle(foreground: .label), at: place, in: inside)
    let end = Position(column: inside.maxColumn - detail.width, row: place.row)
    canvas.write(detail, style: CellStyle(foreground: .secondary), at: end, in: inside)
    guard isSelected else { return }
    let bar = Rect(column: inside.minColumn, row: place.row, columns: inside.size.columns, rows: 1)
    canvas.restyle(bar.intersection(inside)) { style in
      style.foreground = .accent
      style.attributes.insert(.reverse)
    }
  }
}

/// How well a line fits what is typed: by its name, else by whole words of what it is about.
nonisolated enum PaletteMatch {
  /// The most that earlier choices count: less than one more letter at the beginning of a word.
  private static let useLimit = 6.0

  /// A number that is higher for a better fit; nil for none.
  static func score(
    of typed: String,
    in title: SafeText,
    about: SafeText?,
    use: Double = 0
  ) -> Int? {
    let bonus = Int(min(useLimit, use.rounded(.up)))
    if let score = FuzzyMatch.score(of: typed, in: title.string) { return score + bonus }
    let words = typed.lowercased().split(separator: " ")
    guard let about = about?.string.lowercased(), !words.isEmpty else { return nil }
    let known = about.split { !$0.isLetter && !$0.isNumber }
    // Below every line with the letters in its name.
    return words.allSatisfy { word in known.contains { $0.hasPrefix(word) } } ? -1_000 + bonus : nil
  }
}

/// How well a name fits what is typed of it.
nonisolated enum FuzzyMatch {
  /// A number that is higher for a better fit; nil if the letters are not in the name in their order.
  ///
  /// Beginnings of words and neighbouring letters count more, and what is before the first less.
  static func score(of typed: String, in name: String) -> Int? {
    let wanted = Array(typed.lowercased().filter { $0 != " " })
    guard !wanted.isEmpty else { return 0 }
    let letters = Array(name.lowercased())
    // The best score of a fit of the letters so far that ends at each place of the name.
    var best: [Int?] = []
    for (index, letter) in wanted.enumerated() {
      var next: [Int?] = Array(repeating: nil, count: letters.count)
      // The best score of the letters before, that ends before the previous place.
      var earlier: Int?
      for place in letters.indices {
        if index > 0, place >= 2, let score = best[place - 2] {
          earlier = max(earlier ?? score, score)
        }
        guard letters[place] == letter else { continue }
        let isStart = place == 0 || !letters[place - 1].isLetter && !letters[place - 1].isNumber
        let bonus = isStart ? 8 : 1
        if index == 0 {
          next[place] = bonus - min(place, 3)
        } else {
          let beside = place > 0 ? best[place - 1].map { $0 + 10 } : nil
          let apart = earlier
          if let before = [beside, apart].compactMap(\.self).max() { next[place] = before + bonus }
        }
      }
      best = next
    }
    return best.compactMap(\.self).max()
  }
}
