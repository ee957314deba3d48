import WidgetCards
import WidgetExtensions
import WidgetKitCore

/// A setting in a form, and how it is changed there.
nonisolated struct SettingsFormRow: Sendable {
  /// How a setting is changed.
  enum Control: Hashable, Sendable {
    /// A text, a number or a path.
    case text(LineEditor)
    /// Texts, each on a line of its own.
    case list(SettingsList)
    /// The place of a secret; the one that is set is never shown.
    case secret(LineEditor)
    /// One of the choices; nil for none.
    case choice(Int?)
    /// Yes or no; nil for neither.
    case flag(Bool?)
    /// The value in config.json, which the form does not change, and where it is.
    case fixed(SafeText, place: SafeText)
  }

  /// What is wrong with a setting, and below which of its lines that is said.
  struct Fault: Hashable, Sendable {
    var words: SafeText
    var line = 0
    /// What was probably meant, which the key Right behind the text takes; nil if nothing is near.
    let suggestion: String?

    init(_ words: SafeText, line: Int = 0, suggestion: String? = nil) {
      self.words = suggestion == nil ? words : "\(words) \(Key.right.name) takes it."
      (self.line, self.suggestion) = (line, suggestion)
    }
  }

  let declaration: SettingDeclaration
  private(set) var control: Control
  /// The value as it was when the form was opened, as it is written in a command.
  private let wordsBefore: String?
  /// The columns of its longest text when the form was opened.
  let columnsBefore: Int
  /// Whether the setting has a value at present.
  let isSet: Bool
  /// The default, as it is typed.
  let standard: SafeText
  /// Why it cannot be saved.
  var fault: Fault?

  var isChanged: Bool { words != wordsBefore }

  init(_ row: SettingsBook.Row) {
    declaration = row.declaration
    isSet = row.isSet
    control = Self.control(of: row)
    standard = SafeText(row.declaration.defaultValue?.words ?? "")
    wordsBefore = Self.words(control, row.declaration)
    var texts = [row.value?.words ?? ""]
    if case .list(let all) = row.value { texts = all }
    columnsBefore = texts.map { TextLine(SafeText($0)).width }.max() ?? 0
  }

  private static func control(of row: SettingsBook.Row) -> Control {
    let words = row.value?.words ?? ""
    if let place = row.place {
      let shown = row.declaration.kind == .secret ? "a secret" : SafeText(words)
      return .fixed(shown, place: SafeText(place))
    }
    switch (row.declaration.kind, row.value) {
    case (.list, .list(let texts)): return .list(SettingsList(texts))
    case (.list, _): return .list(SettingsList([]))
    case (.boolean, .boolean(let flag)): return .flag(flag)
    case (.boolean, _): return .flag(nil)
    case (.string, _), (.number, _), (.file, _): return .text(LineEditor(words))
    case (.secret, _): return .secret(LineEditor())
    case (.choice, _): return .choice(row.declaration.choices.firstIndex(of: words))
    }
  }

  var isFixed: Bool { if case .fixed = control { true } else { false } }

  /// How many lines the setting has below its title.
  var lineCount: Int { if case .list(let list) = control { list.lines.count } else { 1 } }

  /// The line that has the focus first: in a list the one for another text.
  var firstLine: Int {
    guard case .list(let list) = control, list.isForAnother(list.lines.count - 1) else { return 0 }
    return list.lines.count - 1
  }

  /// The value as it is written in a command; nil takes it back.
  var words: String? { Self.words(control, declaration) }

  /// The texts of a list, each as it is written in a command, with their lines; none for other settings.
  var texts: [(line: Int, words: String)] {
    guard case .list(let list) = control else { return [] }
    return list.texts.enumerated().map { index, text in
      (list.line(ofText: index), WidgetConfiguration.Value.list([text]).words)
    }
  }

  /// What was probably meant by the text of a line that the setting cannot have; nil if nothing is near.
  func suggestion(on line: Int) -> String? {
    switch control {
    case .text(let editor): return declaration.suggestion(for: editor.text)
    case .list(let list):
      guard list.lines.indices.contains(line) else { return nil }
      return declaration.suggestion(for: list.lines[line].text)
    case .secret, .choice, .flag, .fixed: return nil
    }
  }

  private static func words(_ control: Control, _ declaration: SettingDeclaration) -> String? {
    switch control {
    case .text(let editor), .secret(let editor): return editor.isEmpty ? nil : editor.text
    case .list(let list):
      let texts = list.texts
      return texts.isEmpty ? nil : WidgetConfiguration.Value.list(texts).words
    case .choice(let index): return index.map { declaration.choices[$0] }
    case .flag(let flag): return flag.map { $0 ? "true" : "false" }
    case .fixed: return nil
    }
  }

  // MARK: - Keys and the mouse

  /// Takes a key on one of the lines.
  ///
  /// - Returns: The line with the focus afterwards; nil if the key does nothing here.
  mutating func take(_ key: Key, on line: Int) -> Int? {
    let meant = key == .right && fault?.line == line ? fault?.suggestion : nil
    switch control {
    case .list(var list):
      let next = meant.map { list.take(suggestion: $0, on: line) } ?? list.take(key, on: line)
      control = .list(list)
      return next
    case .text(var editor):
      if let meant, editor.isAtEnd {
        editor.setText(meant)
      } else if !editor.take(key) {
        return nil
      }
      control = .text(editor)
    case .secret(var editor):
      guard editor.take(key) else { return nil }
      control = .secret(editor)
    case .choice(let index):
      let count = declaration.choices.count
      guard count > 0 else { return nil }
      switch key {
      case .right, .character(" "): control = .choice(index.map { ($0 + 1) % count } ?? 0)
      case .left: control = .choice(index.map { ($0 + count - 1) % count } ?? count - 1)
      case .backspace, .delete: control = .choice(nil)
      default: return nil
      }
    case .flag(let flag):
      switch key {
      case .left, .right, .character(" "): control = .flag(!(flag ?? false))
      case .backspace, .delete: control = .flag(nil)
      default: return nil
      }
    case .fixed: return nil
    }
    return line
  }

  /// Takes a click at a column of a line.
  mutating func click(_ column: Int, of columns: Int, on line: Int) {
    switch control {
    case .text(var editor):
      editor.setCursor(atColumn: column, of: columns)
      control = .text(editor)
    case .list(var list):
      list.setCursor(atColumn: column, of: columns, on: line)
      control = .list(list)
    case .secret(var editor):
      editor.setCursor(atColumn: column, of: columns)
      control = .secret(editor)
    case .choice, .flag: if column >= 0 { _ = take(.character(" "), on: 0) }
    case .fixed: break
    }
  }

  /// Removes the lines of a list that were left without a text.
  mutating func removeEmptyLines() {
    guard case .list(var list) = control else { return }
    list.removeEmptyLines()
    control = .list(list)
  }

  /// Whether a line of a list has no text, and is not the one for another.
  func isEmptied(_ line: Int) -> Bool {
    guard case .list(let list) = control, list.lines.indices.contains(line) else { return false }
    return list.lines[line].text.allSatisfy { $0 == " " } && line < list.lines.count - 1
  }
}
