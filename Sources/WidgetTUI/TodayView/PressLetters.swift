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

  /// Draws the letters that are still possible, where their elements are now.
  func draw(on picture: inout PagePicture) {
    let bounds = picture.canvas.bounds
    picture.canvas.restyle(bounds) { $0.attributes.insert(.dim) }
    for (hit, letter) in letters where letter.hasPrefix(typed) {
      guard let area = picture.hits.area(of: hit) else { continue }
      let line = TextLine(SafeText(String(letter.dropFirst(typed.count))))
      let style = CellStyle(foreground: .accent, attributes: [.bold, .reverse])
      picture.canvas.write(line, style: style, at: area.origin, in: bounds)
    }
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
