import WidgetHost
import WidgetKitCore

/// A question of the page to its user.
enum PageQuestion: Equatable {
  /// Whether a widget may open a URL.
  case url(URLQuestion)
  /// Whether a script may run a command.
  case command(CommandQuestion)
}

/// What the user answers.
nonisolated enum PageAnswer: Equatable {
  case always
  case notNow
  case never
}

/// A question over the page, in a box.
nonisolated struct QuestionBox {
  /// An answer, with its key.
  struct Choice {
    var key: Key
    var keyName: SafeText
    var words: SafeText
    /// Its word in the footer.
    var short: SafeText
    var answer: PageAnswer
  }

  private let heading: SafeText
  private let sentence: SafeText
  private let facts: [(name: SafeText, value: SafeText)]
  /// The answers.
  let choices: [Choice]

  init(_ question: PageQuestion) {
    switch question {
    case .url(let question):
      heading = " Open a link? "
      sentence = "\(question.name) wants to open a “\(question.scheme):” link"
      var facts: [(name: SafeText, value: SafeText)] = [("Scheme", question.scheme)]
      if let host = question.host { facts.append(("Host", host)) }
      self.facts = facts + [("Opened by", question.handler)]
      // Enter gives no answer: it could have been meant for the page.
      choices = Self.choices(
        yes: .character("o"),
        "o",
        "open it, now and always",
        "open",
        no: "do not open it, and do not ask again"
      )
    case .command(let question):
      heading = " Run a command? "
      sentence =
        question.usesTerminal
        ? "\(question.name) wants to run a command in the terminal"
        : "\(question.name) wants to run a command"
      var facts: [(name: SafeText, value: SafeText)] = []
      if let machine = question.machine { facts.append(("Machine", machine)) }
      self.facts = facts + [("Command", question.line)]
      choices = Self.choices(
        yes: .enter,
        "Enter",
        "run it, now and always",
        "run",
        no: "do not run it, and do not ask again"
      )
    }
  }

  private static func choices(
    yes key: Key,
    _ keyName: SafeText,
    _ words: SafeText,
    _ short: SafeText,
    no: SafeText
  ) -> [Choice] {
    [
      Choice(key: key, keyName: keyName, words: words, short: short, answer: .always),
      Choice(key: .character("d"), keyName: "d", words: no, short: "never", answer: .never),
      Choice(key: .escape, keyName: "Esc", words: "not now", short: "not now", answer: .notNow),
    ]
  }

  /// The answer that a key gives; nil for any other key, which changes nothing.
  func answer(_ key: Key) -> PageAnswer? { choices.first { $0.key == key }?.answer }

  /// Draws the box in the middle.
  func draw(_ glyphs: GlyphSet, on canvas: inout Canvas) {
    let room = max(1, canvas.size.columns - 8)
    let title = TextLine.wrapped(sentence, columns: min(room, 60))
    let facts = facts.map { (TextLine($0.name), TextLine($0.value)) }
    let answers = choices.map { (TextLine($0.keyName), TextLine($0.words)) }
    let nameWidth = facts.reduce(0) { max($0, $1.0.width) } + 2
    let keyWidth = answers.reduce(0) { max($0, $1.0.width) } + 2
    let widths =
      title.map(\.width) + facts.map { nameWidth + $0.1.width }
      + answers.map { keyWidth + $0.1.width }
    let inside = OverlayBox.draw(
      TextLine(heading),
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
