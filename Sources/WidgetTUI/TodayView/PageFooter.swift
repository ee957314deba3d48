import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// The last line: the keys that matter now, and how many cards are out of sight.
nonisolated enum PageFooter {
  /// What the line says: on a screen of the same size, the same words look the same.
  struct Words: Hashable {
    fileprivate var entries: [FooterKeys.Entry]
    fileprivate var more: SafeText?
    fileprivate var notice: SafeText?
    fileprivate var filter: LineEditor?
    fileprivate var glyphs: GlyphSet
  }

  /// What the line says about a page; the buttons of edit mode are among what can be pressed.
  static func words(_ model: TodayModel, _ hits: HitMap) -> Words {
    let frame = FrameGlyphs(model.look.glyphs)
    var words = Words(entries: [], notice: model.content.notice, glyphs: model.look.glyphs)
    // What is said now needs the whole line.
    if words.notice == nil { words.more = moreWords(model, frame) }
    if case .filter(let entry) = model.mode {
      words.filter = entry
    } else {
      words.entries = FooterKeys.entries(model, frame, hits)
    }
    return words
  }

  /// Draws the line on the bottom row.
  static func draw(_ words: Words, on canvas: inout Canvas) {
    let clip = canvas.bounds
    let quiet = CellStyle(foreground: .secondary)
    let row = canvas.size.rows - 1
    var room = canvas.size.columns - 2

    if let more = words.more {
      let line = TextLine(more)
      let exits = columns(of: words.entries.filter(\.isExit))
      if line.width + exits <= room {
        room -= line.width + 2
        let place = Position(column: canvas.size.columns - 1 - line.width, row: row)
        canvas.write(line, style: quiet, at: place, in: clip)
      }
    }
    let place = Position(column: 1, row: row)
    if let entry = words.filter {
      draw(entry, words.glyphs, room: room, at: place, on: &canvas)
      return
    }
    if let notice = words.notice {
      draw(notice, words, room: room, at: place, on: &canvas)
      return
    }
    drawKeys(words, room: room, at: place, on: &canvas)
  }

  /// Draws the keys that there is room for, the way out at the end.
  private static func drawKeys(
    _ words: Words,
    room: Int,
    at start: Position,
    on canvas: inout Canvas
  ) {
    var (place, room) = (start, room)
    let exits = exits(of: words.entries, in: room)
    room -= columns(of: exits)
    for entry in words.entries where !(entry.isExit && exits.contains(entry)) {
      // The first one may be long: where a link leads.
      let isFirst = place.column == 1
      let keyColumns = TextLine(entry.key).width + 1
      let wordRoom = isFirst ? max(0, room - keyColumns) : .max
      let word = TextLine(entry.word).truncated(to: wordRoom, glyphSet: words.glyphs)
      guard keyColumns + word.width <= room else { break }
      room -= keyColumns + word.width + 2
      place.column = write(entry.key, word, at: place, on: &canvas) + 2
    }
    write(exits, at: place, on: &canvas)
  }

  /// Draws what is said now; behind it the keys, if the whole message is seen beside them.
  private static func draw(
    _ notice: SafeText,
    _ words: Words,
    room: Int,
    at start: Position,
    on canvas: inout Canvas
  ) {
    let line = TextLine(notice.onOneLine).truncated(to: room, glyphSet: words.glyphs)
    let clip = canvas.bounds
    let style = CellStyle(foreground: .orange)
    var place = start
    place.column = canvas.write(line, style: style, at: place, in: clip) + 2
    drawKeys(words, room: room - line.width - 2, at: place, on: &canvas)
  }

  /// How the mode is left, and how the keys are found, which are shown even if other keys have to go; the last ones
  /// that there is room for.
  private static func exits(of entries: [FooterKeys.Entry], in room: Int) -> [FooterKeys.Entry] {
    var exits = entries.filter(\.isExit)
    while !exits.isEmpty, columns(of: exits) > room + 2 { exits.removeFirst() }
    return exits
  }

  /// The columns of entries, with the gap behind each.
  private static func columns(of entries: [FooterKeys.Entry]) -> Int {
    entries.reduce(0) { $0 + TextLine($1.key).width + TextLine($1.word).width + 3 }
  }

  /// Writes entries one behind the other.
  private static func write(
    _ entries: [FooterKeys.Entry],
    at start: Position,
    on canvas: inout Canvas
  ) {
    var place = start
    for entry in entries {
      place.column = write(entry.key, TextLine(entry.word), at: place, on: &canvas) + 2
    }
  }

  /// Writes a key and its word; returns the column behind them.
  @discardableResult
  private static func write(
    _ key: SafeText,
    _ word: TextLine,
    at position: Position,
    on canvas: inout Canvas
  ) -> Int {
    let clip = canvas.bounds
    var place = position
    let style = CellStyle(foreground: .label)
    place.column = canvas.write(TextLine(key), style: style, at: place, in: clip) + 1
    return canvas.write(word, style: CellStyle(foreground: .secondary), at: place, in: clip)
  }

  /// Draws what is typed to find cards, and the keys for it.
  private static func draw(
    _ entry: LineEditor,
    _ glyphs: GlyphSet,
    room: Int,
    at start: Position,
    on canvas: inout Canvas
  ) {
    let clip = canvas.bounds
    let hint = TextLine(
      "\(FrameGlyphs(glyphs).name(of: .press)) keep  Esc show all"
    )
    let isHinted = hint.width + 24 <= room
    let columns = max(1, isHinted ? room - hint.width - 4 : room - 2)
    var place = start
    place.column = canvas.write("/", style: CellStyle(foreground: .accent), at: place, in: clip) + 1
    entry.draw(on: &canvas, at: place, columns: columns, glyphs, in: clip)
    guard isHinted else { return }
    let end = Position(column: start.column + room - hint.width, row: start.row)
    canvas.write(hint, style: CellStyle(foreground: .secondary), at: end, in: clip)
  }

  /// How many cards lie out of sight, and on which side.
  private static func moreWords(_ model: TodayModel, _ frame: FrameGlyphs) -> SafeText? {
    guard model.place.zoom == nil, !model.mode.coversCards else { return nil }
    let end = model.place.scrollRow + model.viewport.size.rows
    let below = model.page.frames.values.count { $0.maxRow > end }
    if below > 0 { return "\(frame.below) \(below) more" }
    let above = model.page.frames.values.count { $0.minRow < model.place.scrollRow }
    return above > 0 ? "\(frame.above) \(above) more" : nil
  }
}
