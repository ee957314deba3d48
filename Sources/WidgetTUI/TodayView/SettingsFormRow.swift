import WidgetCards
import WidgetExtensions
import WidgetKitCore

/// A setting in a form, and how it is changed there.
nonisolated struct SettingsFormRow: Sendable {
  /// How a setting is changed.
  enum Control: Hashable, Sendable {
    /// A text, a number, a path, or a list with commas.
    case text(LineEditor)
    /// The place of a secret; the one that is set is never shown.
    case secret(LineEditor)
    /// One of the choices; nil for none.
    case choice(Int?)
    /// Yes or no; nil for neither.
    case flag(Bool?)
    /// The value in config.json, which the form does not change, and where it is.
    case fixed(SafeText, place: SafeText)
  }

  let declaration: SettingDeclaration
  var control: Control
  /// The control as it was when the form was opened.
  let before: Control
  /// Whether the setting has a value at present.
  let isSet: Bool
  /// Who has set it, in words.
  let source: SafeText
  /// The default, as it is typed.
  let standard: SafeText
  /// Why it cannot be saved.
  var error: SafeText?

  var isChanged: Bool { control != before }

  init(_ row: SettingsBook.Row) {
    declaration = row.declaration
    isSet = row.isSet
    let words = row.value?.words ?? ""
    if let place = row.place {
      let shown = row.declaration.kind == .secret ? "a secret" : SafeText(words)
      control = .fixed(shown, place: SafeText(place))
    } else {
      switch row.declaration.kind {
      case .string, .number, .list, .file: control = .text(LineEditor(words))
      case .secret: control = .secret(LineEditor())
      case .choice:
        let index = row.declaration.choices.firstIndex(of: words)
        control = .choice(index)
      case .boolean:
        if case .boolean(let flag) = row.value {
          control = .flag(flag)
        } else {
          control = .flag(nil)
        }
      }
    }
    before = control
    switch row.source {
    case "config.json": source = ""
    case "program": source = "set"
    case "default": source = "default"
    default: source = row.declaration.isRequired ? "required" : ""
    }
    standard = row.source == "default" ? SafeText(words) : SafeText(Self.standard(row.declaration))
  }

  private static func standard(_ declaration: SettingDeclaration) -> String {
    declaration.defaultValue?.words ?? ""
  }

  var isFixed: Bool { if case .fixed = control { true } else { false } }

  /// The value as it is written in a command; nil takes it back.
  var words: String? {
    switch control {
    case .text(let editor), .secret(let editor): editor.isEmpty ? nil : editor.text
    case .choice(let index): index.map { declaration.choices[$0] }
    case .flag(let flag): flag.map { $0 ? "true" : "false" }
    case .fixed: nil
    }
  }

  /// Takes a key; false if it does nothing here.
  mutating func take(_ key: Key) -> Bool {
    switch control {
    case .text(var editor):
      guard editor.take(key) else { return false }
      control = .text(editor)
    case .secret(var editor):
      guard editor.take(key) else { return false }
      control = .secret(editor)
    case .choice(let index):
      let count = declaration.choices.count
      guard count > 0 else { return false }
      switch key {
      case .right, .character(" "): control = .choice(index.map { ($0 + 1) % count } ?? 0)
      case .left: control = .choice(index.map { ($0 + count - 1) % count } ?? count - 1)
      case .backspace, .delete: control = .choice(nil)
      default: return false
      }
    case .flag(let flag):
      switch key {
      case .left, .right, .character(" "): control = .flag(!(flag ?? false))
      case .backspace, .delete: control = .flag(nil)
      default: return false
      }
    case .fixed: return false
    }
    return true
  }

  /// Takes a click at a column of the control.
  mutating func click(_ column: Int, of columns: Int) {
    switch control {
    case .text(var editor):
      editor.setCursor(atColumn: column, of: columns)
      control = .text(editor)
    case .secret(var editor):
      editor.setCursor(atColumn: column, of: columns)
      control = .secret(editor)
    case .choice, .flag: if column >= 0 { _ = take(.character(" ")) }
    case .fixed: break
    }
  }

  /// What is said about the setting below all of them: its title, if its line has no room for it, and what it may be.
  ///
  /// - Parameters:
  ///   - columns: The columns for it.
  ///   - labelColumns: The columns for its title in its line.
  /// - Returns: The lines of both.
  func details(
    columns: Int,
    besideTitles labelColumns: Int
  ) -> (title: [TextLine], words: [TextLine]) {
    let title = TextLine(declaration.title)
    return (
      title.width > labelColumns ? title.wrapped(to: columns) : [],
      TextLine.wrapped(detail, columns: columns)
    )
  }

  /// What a setting may be, or where it is set.
  private var detail: SafeText {
    if case .fixed(_, let place) = control { return "Set at \(place); change it there." }
    let standard = self.standard.isEmpty ? "" : "; default: \(self.standard)"
    // Below the value there may be no room for all of it.
    if let error { return error }
    if let format = declaration.format {
      let isList = declaration.kind == .list
      let words = isList ? format.pluralExpectation + ", with commas between" : format.expectation
      return SafeText(words.prefix(1).uppercased() + words.dropFirst() + standard)
    }
    switch declaration.kind {
    case .boolean: return SafeText("Space changes it\(standard)")
    case .choice: return SafeText("Left and right change it\(standard)")
    case .list: return SafeText("Texts with commas between them\(standard)")
    case .string: return SafeText("A text\(standard)")
    case .number, .file, .secret:
      let words = declaration.expectation
      return SafeText(words.prefix(1).uppercased() + words.dropFirst() + standard)
    }
  }
}
