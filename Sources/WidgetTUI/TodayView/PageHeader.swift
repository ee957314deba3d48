import WidgetCards
import WidgetKitCore
import WidgetSessions

/// The first line: tabs and the day on the left, the status on the right.
///
/// A line that says the same looks the same on a screen of the same size, so it need not be drawn again.
nonisolated struct PageHeader: Hashable, Sendable {
  /// The pages; nil if there is one.
  var tabs: PageTabs?
  /// The machine whose page it is; nil for this one.
  var machine: SafeText?
  /// The day in words.
  var day: SafeText
  /// How many widgets are running, starting, asking for permission, and in trouble.
  private var live = 0, starting = 0, asking = 0, failed = 0
  /// How many notices of the user wait.
  var waitingCount = 0
  /// Whether only critical notices sound.
  var isQuiet = false
  /// How many widgets were never on the page.
  var newCount = 0
  /// How many errors in bundles and in the installation there are.
  var problemCount = 0
  /// The key that shows them; nil if they are on the screen, or none does.
  var problemKey: SafeText?
  /// Whether nothing can be pressed.
  var isLocked = false
  /// Whether a card shows an earlier content.
  var isLookingBack = false
  /// How the list of keys is opened; nil if that is not said.
  var hint: SafeText?
  /// How many columns on the right stay free.
  var reserved = 0
  /// The characters of the screen's font.
  var glyphs: GlyphSet

  /// Creates a line about no cards.
  init(day: SafeText, glyphs: GlyphSet) {
    self.day = day
    self.glyphs = glyphs
  }

  /// Counts a card; `isStarted` says whether its widget was started, which is not the case before it was on the
  /// screen.
  mutating func count(_ card: Card, isStarted: (CardID) -> Bool = { _ in true }) {
    switch card.state {
    case .live: if card.message == nil { live += 1 }
    case .starting: if isStarted(card.id) { starting += 1 }
    case .failed, .stopped: if !card.asksForPermission { failed += 1 }
    case .snapshot, .hidden: break
    }
    if card.asksForPermission { asking += 1 }
  }

  /// Draws the line on the top row; facts that do not fit are omitted, problems last.
  ///
  /// - Returns: What can be pressed: the tabs of the pages, and the numbers of notices, new widgets and problems.
  @discardableResult
  func draw(on canvas: inout Canvas) -> [(hit: ChromeHit, area: Rect)] {
    let clip = canvas.bounds
    let columns = canvas.size.columns - reserved
    let quiet = CellStyle(foreground: .secondary)
    let row = 0
    var column = canvas.write(
      "Today",
      style: CellStyle(foreground: .label, attributes: .bold),
      at: Position(column: 1, row: row),
      in: clip
    )
    if let machine {
      let line = TextLine("on \(machine)").truncated(to: max(0, columns / 3), glyphSet: glyphs)
      let place = Position(column: column + 1, row: row)
      column = canvas.write(line, style: CellStyle(foreground: .accent), at: place, in: clip)
    }
    var areas: [(hit: ChromeHit, area: Rect)] = []
    if let tabs {
      let start = Position(column: column + 1, row: row)
      let drawn = tabs.draw(on: &canvas, at: start, room: columns - column - 2)
      column = drawn.end
      areas = drawn.areas.map { (.page($0.page), $0.area) }
    }
    let orange = CellStyle(foreground: .orange)
    var facts: [Fact] = []
    if waitingCount > 0 {
      let style = CellStyle(foreground: .accent)
      facts.append(Fact("\(waitingCount) waiting", style, rank: Fact.waitingRank))
    }
    if live > 0 { facts.append(Fact("\(live) live", quiet, rank: 0)) }
    if starting > 0 { facts.append(Fact("\(starting) starting", quiet, rank: 1)) }
    if asking > 0 {
      facts.append(Fact("\(asking) asking", CellStyle(foreground: .accent), rank: 5))
    }
    if failed > 0 { facts.append(Fact("\(failed) failed", orange, rank: 5)) }
    if newCount > 0 {
      facts.append(Fact("\(newCount) new", CellStyle(foreground: .accent), rank: Fact.newRank))
    }
    if problemCount > 0 {
      facts.append(Fact(problemWords, orange, rank: Fact.problemRank))
    }
    if isQuiet { facts.append(Fact("quiet", CellStyle(foreground: .accent), rank: 1)) }
    if isLocked { facts.append(Fact("locked", orange, rank: 7)) }
    if isLookingBack { facts.append(Fact("earlier content", orange, rank: 8)) }
    if let hint { facts.append(Fact(hint, quiet, rank: 3)) }

    let dot = TextLine(" \(FrameGlyphs(glyphs).dot) ")
    let room = columns - 1 - column - 2
    let dayLine = TextLine(day)
    let dayWidth = dayLine.width == 0 ? 0 : dayLine.width + 2
    // The day is omitted if there is no room for problems and the number of notices.
    let wrong = Fact.width(facts.filter { $0.rank >= 4 }, dot: dot)
    if column + 2 + dayLine.width < columns, wrong == 0 || wrong <= room - dayWidth {
      let place = Position(column: column + 2, row: row)
      column = canvas.write(dayLine, style: quiet, at: place, in: clip)
    }
    let places = columns - 1 - column - 2
    facts = Fact.fitting(facts, in: places, dot: dot)
    if let problemKey, let index = facts.firstIndex(where: { $0.rank == Fact.problemRank }) {
      var named = facts
      named[index].line = TextLine("\(problemWords): \(problemKey)")
      if Fact.width(named, dot: dot) <= places { facts = named }
    }
    let start = columns - 1 - Fact.width(facts, dot: dot)
    var place = Position(column: start, row: row)
    for (index, fact) in facts.enumerated() {
      if index > 0 { place.column = canvas.write(dot, style: quiet, at: place, in: clip) }
      let start = place.column
      place.column = canvas.write(fact.line, style: fact.style, at: place, in: clip)
      let area = Rect(column: start, row: row, columns: place.column - start, rows: 1)
      switch fact.rank {
      case Fact.waitingRank: areas.append((.waitingNotices, area))
      case Fact.newRank: areas.append((.newWidgets, area))
      case Fact.problemRank: areas.append((.problems, area))
      default: break
      }
    }
    return areas
  }

  private var problemWords: SafeText {
    problemCount == 1 ? "1 problem" : "\(problemCount) problems"
  }

  /// A fact on the right; the fact with the lowest rank is omitted first.
  private struct Fact {
    var line: TextLine
    var style: CellStyle
    var rank: Int

    static let newRank = 2
    static let waitingRank = 4
    static let problemRank = 6

    init(_ text: SafeText, _ style: CellStyle, rank: Int) {
      line = TextLine(text)
      self.style = style
      self.rank = rank
    }

    /// The facts that fit, in their order; those with the lowest ranks are omitted.
    static func fitting(_ facts: [Fact], in columns: Int, dot: TextLine) -> [Fact] {
      var kept: Set<Int> = []
      for fact in facts.sorted(by: { $0.rank > $1.rank }) {
        let wanted = facts.filter { kept.contains($0.rank) || $0.rank == fact.rank }
        if width(wanted, dot: dot) <= columns { kept.insert(fact.rank) }
      }
      return facts.filter { kept.contains($0.rank) }
    }

    /// The columns of facts with dots between them.
    static func width(_ facts: [Fact], dot: TextLine) -> Int {
      facts.reduce(0) { $0 + $1.line.width } + dot.width * max(0, facts.count - 1)
    }
  }
}
