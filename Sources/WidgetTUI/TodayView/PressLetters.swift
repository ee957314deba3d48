import WidgetCards
import WidgetKitCore
import WidgetPlatform

/// Letters on everything that can be pressed on the screen; typing one presses it.
nonisolated struct PressLetters: Sendable {
  /// What a key came to.
  enum Outcome {
    case stays
    case ends
    case presses(PageHit)
  }

  /// The elements and their letters, as they were when the letters were given out: a letter never
  /// passes to another element.
  private let letters: [(hit: PageHit, letter: String)]
  private(set) var typed = ""

  private static let alphabet = Array("asdfghjklqwertyuiopzxcvbnm")

  /// Gives letters to elements in reading order, single ones to those of the card with the focus first, as long as
  /// there are enough for pairs of letters for the others.
  ///
  /// - Parameters:
  ///   - hits: The elements.
  ///   - focus: The card with the focus.
  init(_ hits: [PageHit], focus: CardID? = nil) {
    let alphabet = Self.alphabet
    let near = hits.filter { $0.card == focus }
    let ordered = near + hits.filter { $0.card != focus }
    // Each letter that begins pairs is no single one.
    let firsts = (0...alphabet.count).first {
      alphabet.count - $0 + $0 * alphabet.count >= ordered.count
    }
    let singles = alphabet.count - (firsts ?? alphabet.count)
    let names =
      alphabet.prefix(singles).map { String($0) }
      + alphabet.dropFirst(singles).flatMap { first in alphabet.map { String([first, $0]) } }
    letters = zip(ordered, names).map { (hit: $0, letter: $1) }
  }

  /// Takes a key: a letter, or anything else, which ends the mode.
  mutating func take(_ key: Key) -> Outcome {
    switch key {
    case .character(let scalar):
      let next = typed + String(Character(scalar)).lowercased()
      if let match = letters.first(where: { $0.letter == next }) { return .presses(match.hit) }
      guard letters.contains(where: { $0.letter.hasPrefix(next) }) else { return .ends }
      typed = next
      return .stays
    case .backspace where !typed.isEmpty:
      typed.removeLast()
      return .stays
    default: return .ends
    }
  }

  /// Draws the letters that are still possible, where their elements are now: beside the words of an element, or on its
  /// blanks, and on its first words only where there is no room for that.
  func draw(on picture: inout PagePicture) {
    let bounds = picture.canvas.bounds
    picture.canvas.restyle(bounds) { $0.attributes.insert(.dim) }
    for (hit, letter) in letters where letter.hasPrefix(typed) {
      guard let area = picture.hits.area(of: hit) else { continue }
      let line = TextLine(SafeText(String(letter.dropFirst(typed.count))))
      let style = CellStyle(foreground: .accent, attributes: [.bold, .reverse])
      let place = place(of: line.width, at: area, isHeading: hit.part == .state, picture.canvas)
      picture.canvas.write(line, style: style, at: place, in: bounds)
    }
  }

  /// Where a letter is, the first of these places that has only blanks: before the element, at its beginning, at its
  /// end, and behind it if the gap there is wider; otherwise it covers the beginning.
  ///
  /// - Parameters:
  ///   - width: The columns of the letter.
  ///   - area: The element.
  ///   - isHeading: Whether it is in the heading of a card, where the line of the border is as good as blanks.
  ///   - canvas: What is drawn, with the letters of other elements.
  /// - Returns: Where it begins.
  private func place(of width: Int, at area: Rect, isHeading: Bool, _ canvas: Canvas) -> Position {
    guard canvas.bounds.minRow <= area.minRow, area.minRow < canvas.bounds.maxRow else {
      return area.origin
    }
    let row = canvas.row(area.minRow)
    func isFree(_ columns: Range<Int>) -> Bool {
      guard row.indices.contains(columns.lowerBound), columns.upperBound <= row.count else {
        return false
      }
      return row[columns].allSatisfy {
        $0.glyph == .space || isHeading && FrameGlyphs.isLine($0.glyph)
      }
    }
    let (start, end) = (area.minColumn, area.maxColumn)
    let places = [
      (start - width, width), (start, width), (end - width, width), (end, width + 1),
    ]
    let column = places.first { isFree($0.0..<$0.0 + $0.1) }?.0 ?? start
    return Position(column: column, row: area.minRow)
  }
}

nonisolated extension HitMap {
  /// Everything that can be pressed, from the top left; of each card also what its heading does, if
  /// `hasState` says that it does anything.
  func pressable(where hasState: (CardID) -> Bool) -> [PageHit] {
    var found: [(hit: PageHit, area: Rect)] = []
    for (hit, area) in areas {
      switch hit.part {
      case .card: continue
      case .state where !hasState(hit.card): continue
      case .state, .target, .removal: break
      }
      if !found.contains(where: { $0.hit.isSame(as: hit) }) { found.append((hit, area)) }
    }
    return found.sorted {
      ($0.area.minRow, $0.area.minColumn) < ($1.area.minRow, $1.area.minColumn)
    }.map(\.hit)
  }

  /// Where an element is drawn now; nil if it is not, or if something is drawn over it.
  func area(of hit: PageHit) -> Rect? {
    areas.first { $0.hit.isSame(as: hit) }?.area
  }
}

nonisolated extension PageHit {
  /// Whether it is for the same element, also if that has moved.
  func isSame(as other: PageHit) -> Bool {
    guard card == other.card else { return false }
    switch (part, other.part) {
    case (.target(let one), .target(let two)), (.removal(let one), .removal(let two)):
      return one.elementID == two.elementID && one.action == two.action && one.link == two.link
        && one.role.isSame(as: two.role) && (one.elementID != nil || one.label == two.label)
    case (.state, .state), (.card, .card): return true
    case (.target, _), (.removal, _), (.state, _), (.card, _): return false
    }
  }
}
