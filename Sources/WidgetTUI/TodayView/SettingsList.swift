import WidgetCards
import WidgetKitCore

/// A list in a form of settings: a line for each of its texts, and below them an empty one for another.
nonisolated struct SettingsList: Hashable, Sendable {
  /// The lines, of which the last one is empty unless there are as many texts as a list can have.
  private(set) var lines: [LineEditor]
  /// The texts at the beginning.
  private let before: [String]

  /// Creates the lines of some texts.
  init(_ texts: [String]) {
    before = texts
    lines = texts.map { LineEditor($0) }
    addEmptyLine()
  }

  /// The texts, without blanks at the ends of those that were typed.
  var texts: [String] {
    lines.map(\.text).compactMap { text in
      let trimmed = text.trimmingBlanks
      guard !trimmed.isEmpty else { return nil }
      return before.contains(text) ? text : trimmed
    }
  }

  /// The line of the text at `index` of ``texts``.
  func line(ofText index: Int) -> Int {
    let filled = lines.indices.filter { !lines[$0].text.trimmingBlanks.isEmpty }
    return filled.indices.contains(index) ? filled[index] : max(0, lines.count - 1)
  }

  /// Whether a line is the empty one for another text.
  func isForAnother(_ line: Int) -> Bool {
    line == lines.count - 1 && lines[line].isEmpty
  }

  // MARK: - Keys

  /// Takes a key on a line.
  ///
  /// - Returns: The line with the focus afterwards; nil if the key does nothing here.
  mutating func take(_ key: Key, on line: Int) -> Int? {
    guard lines.indices.contains(line) else { return nil }
    switch key {
    case .control("x"): return remove(line)
    case .backspace where lines[line].isEmpty:
      return isForAnother(line) ? nil : remove(line).map { _ in max(0, line - 1) }
    case .shiftUp: return move(line, to: line - 1)
    case .shiftDown: return move(line, to: line + 1)
    case .paste(let text): return paste(text, on: line)
    default:
      guard lines[line].take(key) else { return nil }
      addEmptyLine()
      return line
    }
  }

  /// Takes the key Right on a line for which there is a suggestion: behind the text that takes its place.
  ///
  /// - Returns: The line with the focus afterwards; nil if the key does nothing here.
  mutating func take(suggestion: String, on line: Int) -> Int? {
    guard lines.indices.contains(line), lines[line].isAtEnd else { return take(.right, on: line) }
    lines[line].setText(suggestion)
    return line
  }

  /// Puts the cursor of a line at the column of a click.
  mutating func setCursor(atColumn column: Int, of columns: Int, on line: Int) {
    guard lines.indices.contains(line) else { return }
    lines[line].setCursor(atColumn: column, of: columns)
  }

  /// Removes the lines without a text, but the one for another.
  mutating func removeEmptyLines() {
    lines.removeAll { $0.text.trimmingBlanks.isEmpty }
    addEmptyLine()
  }

  private mutating func remove(_ line: Int) -> Int? {
    guard !isForAnother(line) else { return nil }
    lines.remove(at: line)
    addEmptyLine()
    return min(line, lines.count - 1)
  }

  private mutating func move(_ line: Int, to other: Int) -> Int? {
    guard lines.indices.contains(other), !isForAnother(line), !isForAnother(other) else {
      return nil
    }
    lines.swapAt(line, other)
    return other
  }

  /// Each line of what is pasted is a text of its own.
  private mutating func paste(_ text: String, on line: Int) -> Int {
    let texts = text.split(whereSeparator: \.isNewline)
    if line < lines.count - 1, lines.last?.isEmpty == true { lines.removeLast() }
    lines[line].apply(.insert(String(texts.first ?? "")))
    let room = max(0, SettingDeclaration.listLimit - lines.count)
    let added = texts.dropFirst().prefix(room).map { LineEditor(String($0)) }
    lines.insert(contentsOf: added, at: line + 1)
    addEmptyLine()
    return line + added.count
  }

  private mutating func addEmptyLine() {
    guard lines.count < SettingDeclaration.listLimit, lines.last?.isEmpty != true else { return }
    lines.append(LineEditor())
  }
}

nonisolated extension String {
  /// The text without the blanks at its ends.
  fileprivate var trimmingBlanks: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
