import WidgetCards
import WidgetKitCore
import WidgetRequests

/// The question what is to become of what an action has returned.
nonisolated struct ResultQuestion: Sendable {
  /// What can be done with it.
  enum Choice: Hashable, Sendable, CaseIterable {
    case copy
    case save
    case pin
    case discard

    fileprivate var word: SafeText {
      switch self {
      case .copy: "Copy"
      case .save: "Save…"
      case .pin: "Pin"
      case .discard: "Discard"
      }
    }

    fileprivate var letter: Unicode.Scalar {
      switch self {
      case .copy: "c"
      case .save: "s"
      case .pin: "p"
      case .discard: "d"
      }
    }
  }

  /// What the person wants.
  enum Answer: Hashable, Sendable {
    case copies
    case pins
    case discards
    /// A file name as it was typed; a file of that name is replaced only if the person has agreed.
    case saves(String, replaces: Bool)
  }

  private enum Stage: Hashable {
    case choosing
    case naming(LineEditor)
    /// There is a file of this name.
    case replacing(String)
  }

  private let title: SafeText
  private let preview: ContentPreview
  private let choices: [Choice]
  private let fileName: String
  private var stage = Stage.choosing
  private var selection = 0
  /// What went wrong; nil if nothing did.
  private var trouble: SafeText?

  private static let previewLimit = 4
  /// The most rows for what went wrong.
  private static let reasonLimit = 3

  /// - Parameters:
  ///   - title: The name of the action.
  ///   - preview: The result.
  ///   - choices: What can be done with it, the first of which has the focus.
  ///   - fileName: The name of the file that is suggested.
  init(title: SafeText, preview: ContentPreview, choices: [Choice], fileName: String) {
    (self.title, self.preview) = (title, preview)
    (self.choices, self.fileName) = (choices, fileName)
  }

  /// There is a file of a name, which the person may replace.
  mutating func fileExists(_ name: String) {
    (stage, selection, trouble) = (.replacing(name), 0, nil)
  }

  /// What the person wanted could not be done.
  mutating func didFail(_ reason: SafeText) {
    if case .replacing(let name) = stage { stage = .naming(LineEditor(name)) }
    trouble = reason.onOneLine
  }

  // MARK: - Keys

  /// Takes a key, or what the mouse has pressed; returns an answer, or nil if there is none yet.
  mutating func take(_ key: Key, _ action: PaneAction?) -> Answer? {
    if key == .control("c") { return .discards }
    switch stage {
    case .choosing: return choose(key, action)
    case .naming(let line): return name(key, line)
    case .replacing(let name): return replace(key, action, name)
    }
  }

  private mutating func choose(_ key: Key, _ action: PaneAction?) -> Answer? {
    switch key {
    case .escape: return .discards
    case .enter, .character(" "): return perform(choices[selection])
    case .mouse:
      if case .row(let index)? = action { return perform(choices[index]) }
    case .character(let letter):
      if let choice = choices.first(where: { $0.letter == letter }) { return perform(choice) }
    default: select(key, of: choices.count)
    }
    return nil
  }

  private mutating func select(_ key: Key, of count: Int) {
    switch key {
    case .right, .down, .tab: selection = (selection + 1) % count
    case .left, .up, .backTab: selection = (selection + count - 1) % count
    default: break
    }
  }

  private mutating func perform(_ choice: Choice) -> Answer? {
    trouble = nil
    selection = choices.firstIndex(of: choice) ?? 0
    switch choice {
    case .copy: return .copies
    case .pin: return .pins
    case .discard: return .discards
    case .save:
      stage = .naming(LineEditor(fileName))
      return nil
    }
  }

  private mutating func name(_ key: Key, _ line: LineEditor) -> Answer? {
    var line = line
    switch key {
    case .escape: backToChoices()
    case .enter where line.text.allSatisfy(\.isWhitespace): trouble = "A file needs a name."
    case .enter: return .saves(line.text, replaces: false)
    default:
      if line.take(key) { (stage, trouble) = (.naming(line), nil) }
    }
    return nil
  }

  private mutating func backToChoices() {
    (stage, trouble) = (.choosing, nil)
    selection = choices.firstIndex(of: .save) ?? 0
  }

  private mutating func replace(_ key: Key, _ action: PaneAction?, _ name: String) -> Answer? {
    switch (key, action, selection) {
    case (.character("r"), _, _), (.enter, _, 1), (.character(" "), _, 1), (.mouse, .row(1)?, _):
      return .saves(name, replaces: true)
    case (.escape, _, _), (.enter, _, _), (.character(" "), _, _), (.mouse, .row(0)?, _):
      stage = .naming(LineEditor(name))
    default: select(key, of: 2)
    }
    return nil
  }

  // MARK: - Drawing

  func picture(_ look: PaneLook) -> PanePicture {
    let asked = stage == .choosing ? 1 : 2
    let shown = preview.rows(limit: Self.previewLimit)
    // The end of a reason says more than its beginning, which names the file.
    let width = min(look.size.columns, look.fillsScreen ? .max : PanePicture.columnLimit) - 4
    let reason =
      trouble.map { Array(TextLine.wrapped($0, columns: max(1, width)).suffix(Self.reasonLimit)) }
      ?? []
    var (picture, inside) = PanePicture.box(
      rows: (shown == 0 ? 0 : shown + 1) + asked + reason.count,
      title: title,
      remark: preview.summary,
      keys: keys(look),
      look
    )
    var row = inside.maxRow - min(asked, inside.size.rows)
    func line(_ row: Int) -> Rect {
      Rect(column: inside.minColumn, row: row, columns: inside.size.columns, rows: 1)
    }
    for part in reason.reversed() where row > inside.minRow {
      row -= 1
      write(part, color: .orange, on: &picture, in: line(row), look)
    }
    // On a low screen the question is more important than the preview.
    if shown > 0, row - inside.minRow >= 2 {
      let area = Rect(
        column: inside.minColumn,
        row: inside.minRow,
        columns: inside.size.columns,
        rows: min(shown, row - inside.minRow - 1)
      )
      preview.draw(on: &picture.canvas, in: area, look)
    }
    let last = line(inside.maxRow - 1)
    let first = line(max(inside.minRow, inside.maxRow - asked))
    switch stage {
    case .choosing: drawButtons(choices.map(\.word), on: &picture, in: last, look)
    case .naming(let line):
      write(TextLine("Save as"), color: .secondary, on: &picture, in: first, look)
      line.draw(
        on: &picture.canvas,
        at: last.origin,
        columns: last.size.columns,
        look.glyphs,
        in: last
      )
    case .replacing(let name):
      let words = SafeText("“\(name)” exists. Replace it?").onOneLine
      write(TextLine(words), color: .label, on: &picture, in: first, look)
      drawButtons(["Other name", "Replace"], on: &picture, in: last, look)
    }
    return picture
  }

  private func keys(_ look: PaneLook) -> [(SafeText, SafeText)] {
    let press = look.frame.name(of: .press)
    switch stage {
    case .choosing:
      let own: [(SafeText, SafeText)] = choices.filter { $0 != .discard }.map { choice in
        let word = choice.word.string.filter(\.isLetter).lowercased()
        return (SafeText(String(choice.letter)), SafeText(word))
      }
      return own + [("esc", "discard")]
    case .naming: return [(press, "save"), ("esc", "back")]
    case .replacing: return [("r", "replace"), ("esc", "other name")]
    }
  }

  private func drawButtons(
    _ words: [SafeText],
    on picture: inout PanePicture,
    in area: Rect,
    _ look: PaneLook
  ) {
    var buttons = PaneButtons(note: nil)
    for (index, word) in words.enumerated() {
      let word = look.glyphs == .ascii ? SafeText(word.string.replacing("…", with: "...")) : word
      buttons.buttons.append(
        PaneButtons.Button(
          words: word,
          action: .row(index),
          hasFocus: index == selection,
          isDefault: index == 0
        )
      )
    }
    buttons.draw(on: &picture, in: area, look)
  }

  private func write(
    _ text: TextLine,
    color: Color,
    on picture: inout PanePicture,
    in area: Rect,
    _ look: PaneLook
  ) {
    picture.canvas.write(
      text.truncated(to: area.size.columns, glyphSet: look.glyphs),
      style: CellStyle(foreground: color),
      at: area.origin,
      in: area
    )
  }
}
