import FoundationEssentials
import WidgetCards
import WidgetKitCore

/// The numbers on the screen that have just changed, and are emphasized for a moment.
///
/// A number is compared with the one in its place in the content before: in a text that is otherwise
/// the same. One that changes all the time is no news; it is emphasized only after it has been the same
/// for ``rest``. Content that the host keeps current, such as a clock, is left out.
nonisolated struct ChangedNumbers: Sendable {
  /// How long a number is emphasized, in seconds.
  static let duration: TimeInterval = 0.8
  /// How long a number must have been the same before, in seconds.
  static let rest: TimeInterval = 5

  /// Whether anything is emphasized at all.
  var isOn = true {
    didSet { if !isOn { contents = [:] } }
  }
  private var contents: [CardID: Content] = [:]

  /// What is on the screen of one card.
  private struct Content: Sendable {
    var date: Date?
    var size: Size
    var texts: [Text]
    /// When each number last changed; numbers that never did are left out.
    var changes: [Place: Date] = [:]
    var emphasized: [Place: Date] = [:]

    /// Ends what was emphasized long enough.
    mutating func endEmphasis(at now: Date) {
      guard !emphasized.isEmpty else { return }
      emphasized = emphasized.filter { $0.value > now }
    }

    /// Emphasizes the numbers that differ from those in `old`.
    mutating func compare(with old: Content, at now: Date) {
      guard old.texts.count == texts.count else { return }
      for (index, (text, before)) in zip(texts, old.texts).enumerated()
      where text.words == before.words && text.numbers.count == before.numbers.count {
        for (number, (new, previous)) in zip(text.numbers, before.numbers).enumerated() {
          let place = Place(text: index, number: number)
          changes[place] = old.changes[place]
          if let end = old.emphasized[place], end > now { emphasized[place] = end }
          guard new.digits != previous.digits else { continue }
          let rested = old.changes[place].map { now.timeIntervalSince($0) >= rest }
          changes[place] = now
          if rested ?? true { emphasized[place] = now.addingTimeInterval(duration) }
        }
      }
    }
  }

  /// Which number of which text.
  private struct Place: Hashable, Sendable {
    var text: Int
    var number: Int
  }

  /// A run of cells.
  private struct Text: Sendable {
    /// Its characters, with one mark for each number, and without spaces.
    var words: [Glyph] = []
    var numbers: [Number] = []
  }

  private struct Number: Sendable {
    var digits: [Glyph]
    var area: Rect
  }

  /// Compares the cards that are on the screen with what was there before.
  ///
  /// - Parameters:
  ///   - cards: The cards of the page.
  ///   - bodies: Their bodies.
  ///   - visible: Which of them are on the screen; the others are forgotten.
  ///   - now: The present time.
  mutating func take(
    _ cards: [Card],
    _ bodies: [CardID: CardBody],
    of visible: Set<CardID>,
    at now: Date
  ) {
    guard isOn else { return }
    var kept: Set<CardID> = []
    // By their places, as a copy of each card costs more than the comparison.
    for index in cards.indices where !cards[index].isKeptCurrent {
      let id = cards[index].id
      guard visible.contains(id), let body = bodies[id] else { continue }
      if take(body, of: id, from: cards[index].contentDate, at: now) { kept.insert(id) }
    }
    if contents.count > kept.count { contents = contents.filter { kept.contains($0.key) } }
  }

  /// Returns whether there is something to compare the next body with.
  private mutating func take(
    _ body: CardBody,
    of id: CardID,
    from date: Date?,
    at now: Date
  ) -> Bool {
    let place = contents.index(forKey: id)
    // Only what is at rest is compared.
    guard body.to == nil else { return place != nil }
    if let place, contents.values[place].date == date, contents.values[place].size == body.size {
      contents.values[place].endEmphasis(at: now)
      return true
    }
    var content = Content(date: date, size: body.size, texts: body.from.runs.map(Self.text))
    if let old = place.map({ contents.values[$0] }), old.size == body.size {
      content.compare(with: old, at: now)
    }
    contents[id] = content
    return true
  }

  /// Where the emphasized numbers of a card lie in its body.
  func areas(of card: CardID, at now: Date) -> [Rect] {
    guard let content = contents[card], !content.emphasized.isEmpty else { return [] }
    return content.emphasized.filter { $0.value > now }.map { place, _ in
      content.texts[place.text].numbers[place.number].area
    }
  }

  /// When the next number is as before; nil if none is emphasized.
  var nextEnd: Date? {
    contents.values.lazy.compactMap { $0.emphasized.values.min() }.min()
  }

  private static func text(_ run: CellRun) -> Text {
    var text = Text()
    var start: Int?
    func close(at end: Int) {
      guard let first = start else { return }
      start = nil
      let area = Rect(
        column: run.position.column + first,
        row: run.position.row,
        columns: end - first,
        rows: 1
      )
      text.words.append(digit)
      text.numbers.append(Number(digits: run.cells[first..<end].map(\.glyph), area: area))
    }
    for (index, cell) in run.cells.enumerated() {
      if isDigit(cell.glyph) {
        start = start ?? index
      } else if start != nil, isPoint(cell.glyph), index + 1 < run.cells.count,
        isDigit(run.cells[index + 1].glyph)
      {
        // Inside a number: 1,024 or 12:30.
      } else {
        close(at: index)
        if cell.glyph != .space { text.words.append(cell.glyph) }
      }
    }
    close(at: run.cells.count)
    return text
  }

  private static let digit = Glyph.glyphs(of: "0").first ?? .space

  private static func isDigit(_ glyph: Glyph) -> Bool {
    glyph.width == 1 && 0x30...0x39 ~= glyph.base
  }

  private static func isPoint(_ glyph: Glyph) -> Bool {
    [0x2C, 0x2E, 0x3A].contains(glyph.base)
  }
}
