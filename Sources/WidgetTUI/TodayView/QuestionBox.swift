import WidgetExtensions
import WidgetKitCore

/// A question of the page to its user.
enum PageQuestion: Equatable {
  /// Whether a widget may open a URL.
  case url(URLQuestion)
  /// Whether a script may run a command.
  case command(CommandQuestion)

  /// The name of the card that asks.
  var name: SafeText {
    switch self {
    case .url(let question): question.name
    case .command(let question): question.name
    }
  }
}

/// What the user answers.
nonisolated enum PageAnswer: Equatable {
  case always
  /// The same for the program of a command, whatever its arguments.
  case anyArguments
  case once
  case notNow
  case never
}

/// A question over the page, in a box.
///
/// Nothing of what is asked about is cut: long values take several lines, and where these do not fit they scroll, and
/// the user can agree only after the last one was on the screen.
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

  /// What is asked.
  let question: PageQuestion
  private let heading: SafeText
  private let sentence: SafeText
  private let facts: [(name: SafeText, value: SafeText)]
  private let allChoices: [Choice]
  /// The first line of the facts that is shown.
  private var scrollRow = 0
  /// Whether the last line was on the screen.
  private var hasShownEnd = false

  init(_ question: PageQuestion) {
    self.question = question
    switch question {
    case .url(let question):
      heading = " Open a link? "
      sentence = "\(question.name.onOneLine) wants to open a “\(question.scheme):” link"
      var facts: [(name: SafeText, value: SafeText)] = [("Scheme", question.scheme)]
      if let host = question.host { facts.append(("Host", host)) }
      self.facts = facts + [("Opened by", question.handler)]
      // Enter gives no answer: it could have been meant for the page.
      allChoices = Self.choices(
        yes: .character("o"),
        "o",
        "open it, now and always",
        "open",
        no: "never open it"
      )
    case .command(let question):
      heading = " Run a command? "
      let place: SafeText = question.usesTerminal ? " in the terminal" : ""
      let sandbox: SafeText = question.sandbox.map { ", \($0)" } ?? ""
      sentence = "\(question.name.onOneLine) wants to run a command\(place)\(sandbox)"
      var facts: [(name: SafeText, value: SafeText)] = []
      if let machine = question.machine { facts.append(("Machine", machine)) }
      facts.append(("Command", question.line))
      if question.hasInvisibleCharacters {
        facts.append(("Note", "it has characters that cannot be seen, shown as \\u{…}: once only"))
      }
      self.facts = facts
      let choices = Self.choices(
        yes: .enter,
        "Enter",
        question.isForEveryRow
          ? "run it, now and always, for every row" : "run it, now and always",
        "run",
        program: question.program.map { "run \($0) with any arguments, now and always" },
        once: "run it once",
        no: "never run it"
      )
      allChoices =
        question.hasInvisibleCharacters
        ? choices.filter { ![.always, .anyArguments].contains($0.answer) } : choices
    }
  }

  private static func choices(
    yes key: Key,
    _ keyName: SafeText,
    _ words: SafeText,
    _ short: SafeText,
    program: SafeText? = nil,
    once: SafeText? = nil,
    no: SafeText
  ) -> [Choice] {
    let program = program.map {
      Choice(key: .character("a"), keyName: "a", words: $0, short: "any", answer: .anyArguments)
    }
    let once = once.map {
      Choice(key: .character("o"), keyName: "o", words: $0, short: "once", answer: .once)
    }
    return [
      Choice(key: key, keyName: keyName, words: words, short: short, answer: .always), once,
      program,
      Choice(key: .character("d"), keyName: "d", words: no, short: "never", answer: .never),
      Choice(key: .escape, keyName: "Esc", words: "not now", short: "not now", answer: .notNow),
    ].compactMap(\.self)
  }

  /// The answers, on a screen of a size.
  func choices(on screen: Size) -> [Choice] {
    guard !hasShownAll(on: screen) else { return allChoices }
    return allChoices.filter { ![.always, .anyArguments, .once].contains($0.answer) }
  }

  /// The answer that a key gives; nil for any other key, which changes nothing.
  func answer(_ key: Key, on screen: Size) -> PageAnswer? {
    choices(on: screen).first { $0.key == key }?.answer
  }

  // MARK: - Scrolling

  /// Whether the lines do not fit.
  func scrolls(on screen: Size) -> Bool {
    factLines(on: screen).count > factRows(on: screen)
  }

  private func hasShownAll(on screen: Size) -> Bool {
    // On a very small screen the sentence alone fills the box.
    let rows = OverlayBox.inside(of: screen, on: screen).size.rows
    guard rows > sentenceLines(on: screen).count + 1 else { return false }
    return hasShownEnd || !scrolls(on: screen)
  }

  /// Scrolls by a number of lines.
  mutating func scroll(by rows: Int, on screen: Size) {
    let last = max(0, factLines(on: screen).count - factRows(on: screen))
    scrollRow = min(max(0, scrollRow + rows), last)
    if scrollRow == last { hasShownEnd = true }
  }

  /// The lines of the facts that fit: all but those of the sentence, the answers, the frame and two empty ones.
  func factRows(on screen: Size) -> Int {
    max(1, screen.rows - 4 - sentenceLines(on: screen).count - allChoices.count - 3)
  }

  private var nameWidth: Int { facts.reduce(0) { max($0, TextLine($1.name).width) } + 2 }

  private func sentenceLines(on screen: Size) -> [TextLine] {
    TextLine.wrapped(sentence, columns: min(OverlayBox.columns(on: screen), 60))
  }

  private func factLines(on screen: Size) -> [(name: TextLine, value: TextLine)] {
    let room = max(1, OverlayBox.columns(on: screen) - nameWidth)
    return facts.flatMap { name, value in
      TextLine(value).pieces(of: room).enumerated().map { index, line in
        (TextLine(index == 0 ? name : ""), line)
      }
    }
  }

  // MARK: - Drawing

  /// Draws the box in the middle.
  func draw(_ glyphs: GlyphSet, on canvas: inout Canvas) {
    let screen = canvas.size
    let title = sentenceLines(on: screen)
    let all = factLines(on: screen)
    let first = min(scrollRow, max(0, all.count - factRows(on: screen)))
    let facts = all[first...].prefix(factRows(on: screen))
    let frame = FrameGlyphs(glyphs)
    let rest = all.count - first - facts.count
    let more = TextLine(
      rest > 0 ? "\(frame.below) \(rest) more" : first > 0 ? "\(frame.above) \(first) above" : ""
    )
    let answers = choices(on: screen).map { (TextLine($0.keyName), TextLine($0.words)) }
    let keyWidth = answers.reduce(0) { max($0, $1.0.width) } + 2
    let nameWidth = nameWidth
    var widths = title.map(\.width) + [more.width]
    widths += all.map { nameWidth + $0.value.width }
    widths += answers.map { keyWidth + $0.1.width }
    let inside = OverlayBox.draw(
      TextLine(heading),
      size: Size(
        columns: widths.max() ?? 0,
        rows: title.count + facts.count + answers.count + 2
      ),
      glyphs: frame,
      on: &canvas
    )
    let label = CellStyle(foreground: .label)
    let quiet = CellStyle(foreground: .secondary)
    var place = inside.origin
    for line in title {
      canvas.write(line, style: label, at: place, in: inside)
      place.row += 1
    }
    place.row += 1
    for (name, value) in facts {
      canvas.write(name, style: quiet, at: place, in: inside)
      let start = Position(column: place.column + nameWidth, row: place.row)
      canvas.write(value, style: label, at: start, in: inside)
      place.row += 1
    }
    canvas.write(more, style: quiet, at: place, in: inside)
    place.row += 1
    for (key, words) in answers {
      canvas.write(key, style: CellStyle(foreground: .accent), at: place, in: inside)
      let start = Position(column: place.column + keyWidth, row: place.row)
      canvas.write(words, style: label, at: start, in: inside)
      place.row += 1
    }
  }
}
