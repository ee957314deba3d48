import FoundationEssentials
import WidgetHost
import WidgetKitCore

/// The overlay that shows the state, the runs and the log of a card.
nonisolated struct Inspector: Sendable {
  /// The inspected card.
  var card: CardID
  /// The first visible line.
  var scrollRow = 0
  /// The contents, line by line.
  private(set) var lines: [Line] = []

  /// A line: a dim label and a value, a row of a table, or a line of the log.
  struct Line: Hashable, Sendable {
    var label: TextLine?
    var text: TextLine
    var style: CellStyle
  }

  init(card: CardID) {
    self.card = card
  }

  /// Replaces the contents; `found` is nil if the card is no longer on the page.
  mutating func take(_ found: Inspection?, now: Date) {
    guard let found else {
      lines = [line("This card is no longer on the page.")]
      return
    }
    lines = facts(found, now: now)
    let runs = RunTable.rows(found.runs)
    if !runs.isEmpty {
      lines += [line(""), heading("Runs")]
      lines += runs.enumerated().map { index, row in
        Line(text: TextLine(row), style: index == 0 ? Self.quiet : Self.plain)
      }
    }
    if !found.log.isEmpty {
      lines += [line(""), heading("Log")]
      lines += found.log.map { Line(text: TextLine($0.onOneLine), style: Self.plain) }
    }
    scrollRow = min(max(0, scrollRow), max(0, lines.count - 1))
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
    let width = lines.reduce(40) { max($0, $1.text.width + ($1.label == nil ? 0 : indent)) }
    let room = Size(columns: width, rows: min(lines.count, max(1, canvas.size.rows - 4)))
    let inside = OverlayBox.draw(TextLine(" Inspector "), size: room, glyphs: frame, on: &canvas)
    // Scrolling stops when the last line is at the lower edge.
    let first = min(scrollRow, max(0, lines.count - inside.size.rows))
    var place = inside.origin
    for line in lines[first...].prefix(inside.size.rows) {
      if let label = line.label {
        canvas.write(label, style: Self.quiet, at: place, in: inside)
      }
      let column = place.column + (line.label == nil ? 0 : indent)
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

  // MARK: - Words

  private static let quiet = CellStyle(foreground: .secondary)
  private static let plain = CellStyle(foreground: .label)

  private func line(_ text: SafeText) -> Line { Line(text: TextLine(text), style: Self.plain) }

  private func heading(_ text: SafeText) -> Line {
    Line(text: TextLine(text), style: CellStyle(foreground: .label, attributes: .bold))
  }

  private func facts(_ found: Inspection, now: Date) -> [Line] {
    var lines: [Line] = []
    func add(_ label: SafeText, _ value: SafeText, _ style: CellStyle = Self.plain) {
      lines.append(Line(label: TextLine(label), text: TextLine(value.onOneLine), style: style))
    }
    add("Widget", found.identifier)
    if let path = found.path { add("Bundle", path) }
    add("State", SafeText(found.state.rawValue))
    if let message = found.message { add("Problem", message, CellStyle(foreground: .orange)) }
    let process = found.process.map { found.isSuspended ? "\($0), suspended" : "\($0)" }
    add("Process", SafeText(process ?? "none"))
    if let run = found.run {
      add(
        "Started",
        SafeText("\(AgeWording.ago(now.timeIntervalSince(run.start))), for \(run.reason)")
      )
      add("Traffic", SafeText("\(run.bytesReceived) bytes sent, \(run.bytesSent) received"))
      add("Updates", SafeText(run.results))
      if run.faults > 0 { add("Faults", SafeText("\(run.faults)"), CellStyle(foreground: .orange)) }
    }
    if let date = found.lastUpdate {
      add("Updated", AgeWording.ago(now.timeIntervalSince(date)))
    }
    if let date = found.nextUpdate {
      let seconds = date.timeIntervalSince(now).rounded(.up)
      let isFar = seconds >= 120
      let wait =
        isFar ? AgeWording.words(for: seconds) : SafeText("\(Int(saturated: max(0, seconds))) s")
      add("Next", seconds > 0 ? SafeText("in \(wait)") : "due")
    }
    return lines
  }
}
