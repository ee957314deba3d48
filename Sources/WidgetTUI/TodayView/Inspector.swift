import FoundationEssentials
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// The overlay that shows what is known of a card's widget, on three leaves.
nonisolated struct Inspector: Sendable {
  /// What is shown of the widget.
  enum Leaf: Int, CaseIterable, Sendable {
    /// State, use, schedule, settings, runs and log.
    case overview
    /// The tree of its view.
    case view
    /// The messages that were exchanged with it.
    case messages

    var title: SafeText {
      switch self {
      case .overview: "Overview"
      case .view: "View"
      case .messages: "Messages"
      }
    }
  }

  /// The inspected card.
  var card: CardID
  /// The first visible line.
  var scrollRow = 0
  /// What is shown.
  private(set) var leaf = Leaf.overview
  /// The contents, line by line.
  private(set) var lines: [Line] = []
  private var samples = InspectorSamples()
  private var found: Inspection?
  private var now = Date.distantPast
  /// The columns for its lines; more would be cut.
  private(set) var columns = 0
  /// The largest size of what the leaf has shown, in which the box stays.
  private var size = Inspector.smallest
  private static let smallest = Size(columns: 40, rows: 0)

  /// A line: a dim label and a value, a row of a table, or a line of the log.
  struct Line: Hashable, Sendable {
    var label: TextLine?
    var text: TextLine
    var style: CellStyle
    /// Values that are drawn as bars behind the text.
    var bars: [Double] = []
    /// Whether it takes more lines on a narrow screen; a row of a table is cut there.
    var wraps = false

    /// The lines that it takes in so many columns for its text.
    func lines(columns: Int) -> [Line] {
      guard wraps, text.width > columns, columns >= Inspector.fewestColumns else { return [self] }
      return text.wrapped(to: columns).enumerated().map { index, part in
        Line(
          label: index == 0 ? label : label.map { _ in TextLine(glyphs: []) },
          text: part,
          style: style
        )
      }
    }
  }

  init(card: CardID) {
    self.card = card
  }

  /// Its keys, by the names that they have now, and what they do.
  static func keyLines(_ map: KeyMap, isASCII: Bool) -> [(SafeText, SafeText)] {
    map.lines.compactMap { line in
      guard let names = map.names(of: line, isASCII: isASCII) else { return nil }
      return switch line.intent {
      case .nextCard: (names, "scroll by a line")
      case .nextElement: (names, "overview, view, messages")
      case .pageDown, .top, .hide, .redraw, .suspend, .quit: (names, line.words)
      case .refreshCard: (map.name(of: .refreshCard) ?? names, "refresh the card")
      case .retry: (names, line.words)
      case .help: (map.name(of: .help) ?? names, "these keys")
      case .inspect: ("\(names)  Esc", "close the inspector")
      default: nil
      }
    }
  }

  /// Replaces the contents, for a screen of a size; `found` is nil if the card is no longer on the page.
  mutating func take(_ found: Inspection?, now: Date, on screen: Size) {
    columns = OverlayBox.columns(on: screen)
    self.found = found
    self.now = now
    if let found { samples.add(found, at: now) }
    show()
  }

  /// Shows the next leaf, or the previous one.
  mutating func turn(by count: Int) {
    let all = Leaf.allCases
    leaf = all[((leaf.rawValue + count) % all.count + all.count) % all.count]
    scrollRow = 0
    size = Self.smallest
    show()
  }

  private mutating func show() {
    guard let found else {
      lines = [line("This card is no longer on the page.")]
      size.rows = max(size.rows, 1)
      return
    }
    switch leaf {
    case .overview: lines = overview(found)
    case .view: lines = viewTree(found)
    case .messages: lines = messages(found)
    }
    let indent = lines.compactMap(\.label).reduce(-2) { max($0, $1.width) } + 2
    lines = lines.flatMap { line in
      line.lines(columns: columns - (line.label == nil ? 0 : indent))
    }
    scrollRow = min(max(0, scrollRow), max(0, lines.count - 1))
    size.rows = max(size.rows, lines.count)
    size.columns = lines.reduce(size.columns) {
      let bars = $1.bars.isEmpty ? 0 : $1.bars.count + 2
      return max($0, $1.text.width + bars + ($1.label == nil ? 0 : indent))
    }
  }

  /// Scrolls by a number of lines.
  mutating func scroll(by rows: Int) {
    scrollRow = min(max(0, scrollRow + rows), max(0, lines.count - 1))
  }

  /// Draws it over the page.
  func draw(_ glyphs: GlyphSet, on canvas: inout Canvas) {
    let frame = FrameGlyphs(glyphs)
    let labelWidth = lines.compactMap(\.label).reduce(0) { max($0, $1.width) }
    let indent = labelWidth == 0 ? 0 : labelWidth + 2
    let rows = min(size.rows, max(1, canvas.size.rows - 4))
    let room = Size(columns: size.columns, rows: rows)
    let inside = OverlayBox.draw(title(frame), size: room, glyphs: frame, on: &canvas)
    // Scrolling stops when the last line is at the lower edge.
    let first = min(scrollRow, max(0, lines.count - inside.size.rows))
    var place = inside.origin
    for line in lines[first...].prefix(inside.size.rows) {
      if let label = line.label {
        canvas.write(label, style: Self.quiet, at: place, in: inside)
      }
      var column = place.column + (line.label == nil ? 0 : indent)
      if !line.bars.isEmpty {
        let bars = TextLine.bars(line.bars, glyphs)
        let end = canvas.write(
          bars,
          style: CellStyle(foreground: .accent),
          at: Position(column: column, row: place.row),
          in: inside
        )
        column = end + 2
      }
      let text = line.text.truncated(to: max(0, inside.maxColumn - column), glyphSet: glyphs)
      canvas.write(
        text,
        style: line.style,
        at: Position(column: column, row: place.row),
        in: inside
      )
      place.row += 1
    }
  }

  /// The leaves, the one that is shown in brackets.
  private func title(_ frame: FrameGlyphs) -> TextLine {
    let leaves = Leaf.allCases.map { $0 == leaf ? "[\($0.title)]" : "\($0.title)" }
    let words = leaves.joined(separator: " ")
    return TextLine(SafeText(" Inspector \(frame.dot) \(words) \(frame.dot) Tab "))
  }

  // MARK: - Words

  private static let quiet = CellStyle(foreground: .secondary)
  private static let plain = CellStyle(foreground: .label)

  private func line(_ text: SafeText) -> Line { Line(text: TextLine(text), style: Self.plain) }

  private func heading(_ text: SafeText) -> Line {
    Line(text: TextLine(text), style: CellStyle(foreground: .label, attributes: .bold))
  }

  private func overview(_ found: Inspection) -> [Line] {
    var lines = facts(found)
    if !found.settings.isEmpty {
      lines += [line(""), heading("Settings")] + found.settings.map(setting)
    }
    let runs = RunTable.rows(found.runs, width: columns)
    if !runs.isEmpty {
      lines += [line(""), heading("Runs")]
      lines += runs.enumerated().map { index, row in
        Line(text: TextLine(row), style: index == 0 ? Self.quiet : Self.plain)
      }
    }
    if !found.log.isEmpty {
      lines += [line(""), heading("Log")]
      lines += found.log.map { Line(text: TextLine($0.onOneLine), style: Self.plain, wraps: true) }
    }
    if found.isLocked {
      lines += [line(""), line("The page is locked: the rest is shown when it is unlocked.")]
    }
    return lines
  }

  private func setting(_ row: SettingsBook.Row) -> Line {
    let (value, source) = (row.valueWords, row.sourceWords)
    let words = value == source ? value : "\(value), \(source)"
    return Line(
      label: TextLine(SafeText(row.declaration.name)),
      text: TextLine(SafeText(words).onOneLine),
      style: Self.plain,
      wraps: true
    )
  }

  /// The tree of the view as it is on the wire, indented.
  private func viewTree(_ found: Inspection) -> [Line] {
    guard let view = found.view else {
      return [
        line(found.isLocked ? "The page is locked, and the view is private." : "There is no view.")
      ]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(view) else { return [line("The view is too deep.")] }
    return bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.lineLimit).map {
      Line(
        text: TextLine(SafeText(String(decoding: $0.prefix(1_000), as: UTF8.self))),
        style: Self.plain
      )
    }
  }

  private func messages(_ found: Inspection) -> [Line] {
    guard !found.isLocked else { return [line("The page is locked.")] }
    guard !found.messages.isEmpty else { return [line("No messages so far.")] }
    return found.messages.flatMap { message -> [Line] in
      let direction = message.direction == .to ? "to" : "from"
      let seconds = now.timeIntervalSince(message.date)
      let age = AgeWording.words(for: seconds, countsSeconds: true)
      let size = message.byteCount > 0 ? ", \(message.byteCount) bytes" : ""
      let head = heading(SafeText("\(direction) the widget, age \(age)\(size)"))
      let text = TextLine.wrapped(
        message.text,
        columns: min(Self.messageColumns, columns)
      ).map {
        Line(text: $0, style: Self.plain)
      }
      return [head] + text
    }
  }

  private static let lineLimit = 2_000
  private static let messageColumns = 100
  /// Text is not wrapped in less; it is cut there.
  private static let fewestColumns = 12

  private func facts(_ found: Inspection) -> [Line] {
    var lines: [Line] = []
    func add(_ label: SafeText, _ value: SafeText, _ style: CellStyle = Self.plain) {
      let text = TextLine(value.onOneLine)
      lines.append(Line(label: TextLine(label), text: text, style: style, wraps: true))
    }
    add("Widget", found.identifier)
    if let path = found.path { add("Bundle", path) }
    add("State", SafeText(found.state.rawValue))
    if let message = found.message { add("Problem", message, CellStyle(foreground: .orange)) }
    let process = found.process.map { found.isSuspended ? "\($0), suspended" : "\($0)" }
    add("Process", SafeText(process ?? "none"))
    // The same lines in each state, so that nothing moves while the widget starts.
    let run = found.run
    let start: SafeText? = run.map {
      SafeText("\(AgeWording.ago(now.timeIntervalSince($0.start))), for \($0.reason)")
    }
    add("Started", start ?? "not yet")
    let traffic = run.map { "\($0.bytesReceived) bytes sent, \($0.bytesSent) received" }
    add("Traffic", SafeText(traffic ?? "none"))
    add("Updates", SafeText(run?.results ?? "none"))
    if let run, run.faults > 0 {
      add("Faults", SafeText("\(run.faults)"), CellStyle(foreground: .orange))
    }
    if !found.confinement.isEmpty { add("Sandbox", found.confinement) }
    addUse(found, to: &lines)
    let update = found.lastUpdate.map { AgeWording.ago(now.timeIntervalSince($0)) }
    add("Updated", update ?? "not yet")
    if let date = found.nextUpdate {
      let seconds = date.timeIntervalSince(now).rounded(.up)
      let isFar = seconds >= 120
      let wait =
        isFar ? AgeWording.words(for: seconds) : SafeText("\(Int(saturated: max(0, seconds))) s")
      let due = seconds > 0 ? "in \(wait)" : "due"
      add("Next", SafeText(found.nextReason.isEmpty ? due : "\(due): \(found.nextReason)"))
    } else if !found.nextReason.isEmpty {
      add("Next", SafeText("none: \(found.nextReason)"))
    }
    if let budget = found.budget {
      add("Budget", SafeText("off the screen \(budget.left) at once, \(budget.perDay) in a day"))
    }
    return lines
  }

  /// Processor, memory and messages over the last minute, as far as they were measured.
  private func addUse(_ found: Inspection, to lines: inout [Line]) {
    // Of a widget that has failed, what has happened is more important.
    let none: String? =
      found.state == .failed ? nil : found.process == nil ? "none" : "not measured yet"
    func add(_ label: SafeText, _ values: [Double], _ words: String?) {
      guard let words = words ?? none else { return }
      lines.append(
        Line(
          label: TextLine(label),
          text: TextLine(SafeText(words)),
          style: Self.plain,
          bars: values
        )
      )
    }
    let share = samples.cpu.last.map { cpu in
      let tenths = Int(saturated: (cpu * 1_000).rounded())
      return "\(tenths / 10).\(tenths % 10) %"
    }
    add("CPU", samples.cpu, share)
    let memory = found.memoryBytes.map { "\($0 >> 20) MiB" }
    add("Memory", memory == nil ? [] : samples.memory, memory)
    let rate = samples.traffic.last.map { "\(Int(saturated: $0.rounded())) bytes/s" }
    add("Messages", samples.traffic, rate)
  }
}
