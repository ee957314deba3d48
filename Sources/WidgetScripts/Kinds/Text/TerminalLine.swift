import WidgetKitCore

/// A line of text as a terminal shows it that is moved by tabs and backspaces.
///
/// A tab goes to the next column that is a multiple of eight. A character that is struck over itself is bold, and one over
/// `_` is underlined, as printers had it and manual pages have it still; any other takes the place of the one before.
struct TerminalLine {
  /// A character at its place.
  private struct Cell {
    var text: String
    var width: Int
    /// The control sequences before it.
    var sequences = ""
    var isBold = false
    var isUnderlined = false
  }

  private var cells: [Cell] = []
  /// The place of the next character.
  private var cursor = 0
  private var column = 0
  /// Whether a backspace was in the middle of a wide character.
  private var isInside = false
  /// The control sequences before the next character.
  private var sequences = ""

  private static let tabStop = 8

  /// A line with blanks in place of tabs, and with control sequences for what is struck over.
  static func text(of line: String) -> String {
    guard line.utf8.contains(where: { $0 == 0x08 || $0 == 0x09 }) else { return line }
    var result = TerminalLine()
    result.take(line.unicodeScalars[...])
    return result.text
  }

  private mutating func take(_ line: Substring.UnicodeScalarView) {
    var rest = line
    while let scalar = rest.first {
      switch scalar.value {
      case 0x08:
        moveBack()
        rest = rest.dropFirst()
      case 0x09:
        tabulate()
        rest = rest.dropFirst()
      case 0x1B, 0x9B:
        let length = ControlSequence.length(rest)
        // All others are left out in any case, and one without an end would take what follows with it.
        if ControlSequence.isStyle(rest.prefix(length)) {
          sequences.unicodeScalars += rest.prefix(length)
        }
        rest = rest.dropFirst(length)
      case 0..<0x20, 0x7F..<0xA0: rest = rest.dropFirst()
      default:
        let plain = rest.prefix { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        for character in Substring(plain) { put(character) }
        rest = rest[plain.endIndex...]
      }
    }
  }

  private mutating func moveBack() {
    if isInside {
      isInside = false
      return
    }
    guard cursor > 0 else { return }
    cursor -= 1
    column -= cells[cursor].width
    isInside = cells[cursor].width > 1
  }

  private mutating func tabulate() {
    isInside = false
    let target = (column / Self.tabStop + 1) * Self.tabStop
    while column < target {
      if cursor == cells.count {
        cells.append(Cell(text: " ", width: 1, sequences: takeSequences()))
      }
      column += cells[cursor].width
      cursor += 1
    }
  }

  private mutating func takeSequences() -> String {
    defer { sequences = "" }
    return sequences
  }

  private mutating func put(_ character: Character) {
    isInside = false
    let text = String(character)
    var cell = Cell(text: text, width: SafeText(text).columns, sequences: takeSequences())
    if cursor == cells.count {
      cells.append(cell)
    } else {
      let old = cells[cursor]
      cell.sequences = old.sequences + cell.sequences
      (cell.isBold, cell.isUnderlined) = (old.isBold, old.isUnderlined)
      if text == "_", old.text != "_", old.text != " " {
        (cell.text, cell.width) = (old.text, old.width)
        cell.isUnderlined = true
      } else if text.hasSameScalars(as: old.text) {
        cell.isBold = text != " "
      } else if old.text == "_" {
        cell.isUnderlined = true
      }
      cells[cursor] = cell
    }
    column += cells[cursor].width
    cursor += 1
  }

  private var text: String {
    var text = ""
    var isBold = false
    var isUnderlined = false
    for cell in cells {
      if isBold, !cell.isBold { text += "\u{1B}[22m" }
      if isUnderlined, !cell.isUnderlined { text += "\u{1B}[24m" }
      text += cell.sequences
      let isNew = !cell.sequences.isEmpty
      if cell.isBold, !isBold || isNew { text += "\u{1B}[1m" }
      if cell.isUnderlined, !isUnderlined || isNew { text += "\u{1B}[4m" }
      (isBold, isUnderlined) = (cell.isBold, cell.isUnderlined)
      text += cell.text
    }
    if isBold { text += "\u{1B}[22m" }
    if isUnderlined { text += "\u{1B}[24m" }
    return text + sequences
  }
}
