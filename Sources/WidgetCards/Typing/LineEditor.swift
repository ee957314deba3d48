import WidgetKitCore

/// A line of text that is typed: the text, a cursor in it, and the texts that were entered before.
///
/// The cursor is always between two characters as a reader sees them, so that a letter with its marks or a
/// joined emoji is passed and removed as one.
package nonisolated struct LineEditor: Hashable, Sendable {
  /// What a key does to the line.
  package enum Edit: Hashable, Sendable {
    /// Inserts a text, typed or pasted; control characters in it never enter the line.
    case insert(String)
    case left
    case right
    case wordLeft
    case wordRight
    case start
    case end
    /// Removes the character before the cursor.
    case backspace
    /// Removes the character behind the cursor.
    case delete
    case deleteToStart
    case deleteToEnd
    /// Removes what is before the cursor back to a blank.
    case deleteWord
    /// The rest of the word at the cursor, or the next one.
    case deleteNextWord
    /// Shows the text that was entered before the present one.
    case older
    /// Shows the text that was entered after the present one, and after the last one what was typed.
    case newer
  }

  /// The most bytes of UTF-8 in the line.
  package let limit: Int
  private var characters: [Character] = []
  /// The number of characters before the cursor.
  package private(set) var cursor = 0
  /// The texts that were entered, the last one at the end.
  private var entered: [String] = []
  /// The place in ``entered`` of the text that is shown; nil for the one that is typed.
  private var place: Int?
  /// What was typed when an earlier text was shown.
  private var draft = ""

  /// How many texts are remembered.
  private static let enteredLimit = 50

  /// Creates an editor with the cursor behind `text`.
  package init(_ text: String = "", limit: Int = 4_096) {
    self.limit = limit
    setText(text)
  }

  /// The text.
  package var text: String { String(characters) }

  package var isEmpty: Bool { characters.isEmpty }

  /// Whether the cursor is behind the text.
  package var isAtEnd: Bool { cursor == characters.count }

  /// Replaces the text; the cursor is behind it.
  package mutating func setText(_ text: String) {
    characters = []
    cursor = 0
    place = nil
    insert(text)
  }

  /// Moves the cursor to the character that is drawn `column` cells behind the start of the window.
  package mutating func setCursor(atColumn column: Int, of columns: Int) {
    cursor = TextWindow(text, cursor: cursor, columns: columns).character(at: column)
  }

  /// Remembers the text, which was entered.
  package mutating func enter() {
    place = nil
    let text = text
    guard !text.isEmpty, entered.last != text else { return }
    entered.append(text)
    if entered.count > Self.enteredLimit { entered.removeFirst() }
  }

  /// Does what a key asks for; at the ends of the line and of the history that is nothing.
  package mutating func apply(_ edit: Edit) {
    switch edit {
    case .insert(let text): insert(text)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .wordLeft: cursor = wordStart { $0.isLetter || $0.isNumber }
    case .wordRight: cursor = wordEnd
    case .start: cursor = 0
    case .end: cursor = characters.count
    case .backspace: remove(max(0, cursor - 1)..<cursor)
    case .delete: remove(cursor..<min(characters.count, cursor + 1))
    case .deleteToStart: remove(0..<cursor)
    case .deleteToEnd: remove(cursor..<characters.count)
    case .deleteNextWord: remove(cursor..<wordEnd)
    case .deleteWord: remove(wordStart { $0 != " " }..<cursor)
    case .older: showOlder()
    case .newer: showNewer()
    }
  }

  // MARK: - Text

  private mutating func insert(_ raw: String) {
    let count = characters.reduce(0) { $0 + $1.utf8.count }
    var added = ""
    var room = limit - count
    for character in Self.cleaned(raw) {
      room -= character.utf8.count
      guard room >= 0 else { break }
      added.append(character)
    }
    guard !added.isEmpty else { return }
    // What is inserted can join the characters beside it, such as an accent behind a letter.
    let before = String(characters[..<cursor]) + added
    characters = Array(before + String(characters[cursor...]))
    setCursor(behindByte: before.utf8.count)
  }

  private mutating func remove(_ range: Range<Int>) {
    let before = String(characters[..<range.lowerBound])
    characters = Array(before + String(characters[range.upperBound...]))
    setCursor(behindByte: before.utf8.count)
  }

  /// Moves the cursor behind a byte, or behind the character that contains it.
  private mutating func setCursor(behindByte end: Int) {
    var bytes = 0
    cursor = 0
    while bytes < end, cursor < characters.count {
      bytes += characters[cursor].utf8.count
      cursor += 1
    }
  }

  /// A text as it enters the line: blanks for line breaks and tabs, and no control characters.
  private static func cleaned(_ raw: String) -> String {
    var kept = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in raw.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      switch scalar.value {
      case 0x0A where isAfterReturn: break
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: kept.append(" ")
      case 0x00..<0x20, 0x7F..<0xA0: break
      default: kept.append(scalar)
      }
    }
    return SafeText(String(kept)).string
  }

  // MARK: - Words

  /// The start of the word before the cursor, whose characters `isPart` knows.
  private func wordStart(_ isPart: (Character) -> Bool) -> Int {
    var index = cursor
    while index > 0, !isPart(characters[index - 1]) { index -= 1 }
    while index > 0, isPart(characters[index - 1]) { index -= 1 }
    return index
  }

  /// The end of the word behind the cursor.
  private var wordEnd: Int {
    let isPart = { (character: Character) in character.isLetter || character.isNumber }
    var index = cursor
    while index < characters.count, !isPart(characters[index]) { index += 1 }
    while index < characters.count, isPart(characters[index]) { index += 1 }
    return index
  }

  // MARK: - Earlier texts

  /// Whether an edit shows another text of the history.
  package func recalls(_ edit: Edit) -> Bool {
    switch edit {
    case .older: (place ?? entered.count) > 0
    case .newer: place != nil
    default: false
    }
  }

  private mutating func showOlder() {
    let next = (place ?? entered.count) - 1
    guard next >= 0 else { return }
    if place == nil { draft = text }
    show(entered[next])
    place = next
  }

  private mutating func showNewer() {
    guard let place else { return }
    let next = place + 1
    let isDraft = next == entered.count
    show(isDraft ? draft : entered[next])
    self.place = isDraft ? nil : next
  }

  private mutating func show(_ text: String) {
    characters = Array(text)
    cursor = characters.count
  }
}
