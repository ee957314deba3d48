import FoundationEssentials
import WidgetKitCore
import WidgetSessions

/// What is beside the page of `today dev`: the keys, the build, and the last messages.
nonisolated struct DevPanel: Sendable {
  /// Whether the next key is one of the list.
  var isChoosing = false
  /// What was done last, or what is wrong.
  var notice: String?
  /// How far the clock was put forward.
  var offset: Duration = .zero
  /// The locale that the widgets receive.
  var locale = ""
  /// The columns of the page; nil for as many as there are.
  var width: Int?
  /// The last lines that the widgets have written to their logs, the oldest first.
  var log: [SafeText] = []
  /// The last messages, the oldest first.
  var messages: [ExchangedMessage] = []

  /// The keys after the leading one, with what they do.
  static let keys: [(key: Character, words: String)] = [
    ("a", "appear"), ("d", "disappear"), ("i", "lose the focus"), ("u", "update"),
    ("e", "More or Less"), ("m", "memory warning"), ("x", "deny activities"),
    ("g", "grant activities"), ("p", "expire activities"), ("n", "notification"),
    ("t", "transfer event"),
    ("k", "kill"), ("r", "restart"), ("w", "another width"), ("l", "another locale"),
    ("s", "next step in time"),
    ("c", "clock + 1 min"), ("h", "clock + 1 h"), ("b", "clock + 1 day"),
  ]

  /// Draws it into a part of the screen.
  func draw(in area: Rect, on canvas: inout Canvas, glyphs: GlyphSet) {
    var row = area.minRow
    let quiet = CellStyle(foreground: .secondary)
    func write(_ text: String, _ style: CellStyle, _ canvas: inout Canvas) {
      guard row < area.maxRow else { return }
      let line = TextLine(SafeText(text).onOneLine)
        .truncated(to: max(0, area.size.columns), glyphSet: glyphs)
      canvas.write(line, style: style, at: Position(column: area.minColumn, row: row), in: area)
      row += 1
    }
    let columns = width.map { "\($0) columns" } ?? "all columns"
    let ahead = offset == .zero ? "" : ", clock + \(Self.words(offset))"
    write("dev: \(columns), \(locale)\(ahead)", CellStyle(attributes: .bold), &canvas)
    for line in keyLines(columns: area.size.columns) { write(line, quiet, &canvas) }
    if let notice { write(notice, CellStyle(foreground: .accent), &canvas) }
    row += 1
    // What went wrong is read first; half of the room stays for the messages before it.
    for line in log.suffix(max(0, area.maxRow - row) / 2) {
      write(line.string, CellStyle(foreground: .label), &canvas)
    }
    if !log.isEmpty { row += 1 }
    let room = max(0, area.maxRow - row)
    for message in messages.suffix(room) { write(Self.line(message), quiet, &canvas) }
  }

  /// The list of keys, in as many columns as there is room for.
  private func keyLines(columns: Int) -> [String] {
    guard isChoosing else { return ["Ctrl-D, then a key: Ctrl-D ? lists them"] }
    let cell = 20
    let count = max(1, columns / cell)
    let words = Self.keys.map { "\($0.key) \($0.words)" }
    return stride(from: 0, to: words.count, by: count).map { start in
      words[start..<min(start + count, words.count)]
        .map { $0 + String(repeating: " ", count: max(1, cell - $0.count)) }.joined()
    }
  }

  /// The direction, the method or the beginning of an answer, and the size.
  static func line(_ message: ExchangedMessage) -> String {
    let text = message.text.string
    let arrow = message.direction == .to ? "→" : "←"
    let method = value(of: "method", in: text).map { words in
      String(words.drop { $0 == "\"" }.prefix { $0 != "\"" })
    }
    let words = method.map { "\($0) \(value(of: "params", in: text) ?? "")" }
    return "\(arrow) \(words ?? value(of: "result", in: text).map(String.init) ?? text)"
  }

  /// The value behind a name and a colon, with or without a space; up to the end of a text that is cut off.
  private static func value(of name: String, in text: String) -> Substring? {
    guard let place = text.firstRange(of: "\"\(name)\":") else { return nil }
    let rest = text[place.upperBound...].drop { $0 == " " }
    var (depth, isQuoted, isEscaped) = (0, false, false)
    for index in rest.indices {
      switch rest[index] {
      case _ where isEscaped: isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case _ where isQuoted: break
      case "{", "[": depth += 1
      case "}", "]", ",":
        if depth == 0 { return rest[..<index] }
        if rest[index] != "," { depth -= 1 }
      default: break
      }
    }
    return rest
  }

  private static func words(_ duration: Duration) -> String {
    let minutes = Int(duration / .seconds(60))
    return minutes >= 60 ? "\(minutes / 60) h \(minutes % 60) min" : "\(minutes) min"
  }
}
