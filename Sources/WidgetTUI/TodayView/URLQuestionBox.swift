import WidgetHost
import WidgetKitCore

/// The question whether a widget may open a URL, in a box over the page.
nonisolated enum URLQuestionBox {
  /// The answers, with their keys.
  private static let answers: [(key: SafeText, words: SafeText)] = [
    ("o", "open it, now and always"),
    ("d", "do not open it, and do not ask again"),
    ("Esc", "not now"),
  ]

  /// The answer that a key gives; nil for any other key, which changes nothing.
  ///
  /// Enter gives none: it could have been meant for the page.
  static func answer(_ key: Key) -> URLQuestion.Answer? {
    switch key {
    case .character("o"): .always
    case .character("d"): .never
    case .escape: .notNow
    default: nil
    }
  }

  /// The facts that are shown: what opens, and where.
  private static func facts(_ question: URLQuestion) -> [(name: SafeText, value: SafeText)] {
    var facts: [(name: SafeText, value: SafeText)] = [("Scheme", question.scheme)]
    if let host = question.host { facts.append(("Host", host)) }
    return facts + [("Opened by", question.handler)]
  }

  /// Draws the box in the middle.
  static func draw(_ question: URLQuestion, _ glyphs: GlyphSet, on canvas: inout Canvas) {
    let room = max(1, canvas.size.columns - 8)
    let title = TextLine.wrapped(
      "\(question.name) wants to open a “\(question.scheme):” link",
      columns: min(room, 60)
    )
    let facts = facts(question).map { (TextLine($0.name), TextLine($0.value)) }
    let answers = answers.map { (TextLine($0.key), TextLine($0.words)) }
    let nameWidth = facts.reduce(0) { max($0, $1.0.width) } + 2
    let keyWidth = answers.reduce(0) { max($0, $1.0.width) } + 2
    let widths =
      title.map(\.width) + facts.map { nameWidth + $0.1.width }
      + answers.map { keyWidth + $0.1.width }
    let inside = OverlayBox.draw(
      TextLine(" Open a link? "),
      size: Size(
        columns: min(room, widths.max() ?? 0),
        rows: title.count + facts.count + answers.count + 2
      ),
      glyphs: FrameGlyphs(glyphs),
      on: &canvas
    )
    let label = CellStyle(foreground: .label)
    var place = inside.origin
    for line in title {
      canvas.write(line, style: label, at: place, in: inside)
      place.row += 1
    }
    place.row += 1
    for (name, value) in facts {
      canvas.write(name, style: CellStyle(foreground: .secondary), at: place, in: inside)
      let start = Position(column: place.column + nameWidth, row: place.row)
      let line = value.truncated(to: max(0, inside.maxColumn - start.column), glyphSet: glyphs)
      canvas.write(line, style: label, at: start, in: inside)
      place.row += 1
    }
    place.row += 1
    for (key, words) in answers {
      canvas.write(key, style: CellStyle(foreground: .accent), at: place, in: inside)
      let start = Position(column: place.column + keyWidth, row: place.row)
      canvas.write(words, style: label, at: start, in: inside)
      place.row += 1
    }
  }
}
