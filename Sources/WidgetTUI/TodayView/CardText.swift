import FoundationEssentials
import WidgetCards
import WidgetKitCore

nonisolated extension CardBody {
  /// The text of its cells at rest, one line for each row.
  var drawnText: String { Self.rows(of: canvas).joined(separator: "\n") }

  /// The same without buttons and fields; a row that has nothing else is left out.
  var contentText: String {
    var canvas = canvas
    var controlRows: Set<Int> = []
    for target in (to ?? from).targets where Self.isControl(target, on: canvas) {
      canvas.fill(target.frame, style: .plain, in: canvas.bounds)
      controlRows.formUnion(target.frame.minRow..<target.frame.maxRow)
    }
    let rows = Self.rows(of: canvas).enumerated()
    return rows.filter { !($0.element.isEmpty && controlRows.contains($0.offset)) }
      .map(\.element).joined(separator: "\n")
  }

  private var canvas: Canvas {
    let view = to ?? from
    var canvas = Canvas(size: view.size)
    for run in view.runs { canvas.put(run, in: canvas.bounds) }
    return canvas
  }

  private static func rows(of canvas: Canvas) -> [String] {
    (0..<canvas.size.rows).map { row in
      var text = canvas.row(row).map(\.glyph.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// Whether it is a field, or a button, which has brackets.
  private static func isControl(_ target: PressTarget, on canvas: Canvas) -> Bool {
    if case .field = target.role { return true }
    let frame = target.frame.intersection(canvas.bounds)
    guard frame.size.rows == 1, target.newValue == nil else { return false }
    let text = canvas.row(frame.minRow)[frame.minColumn..<frame.maxColumn].map(\.glyph.text)
      .joined()
    return text.hasPrefix("[ ") && text.hasSuffix(" ]")
  }
}

nonisolated extension Card {
  /// The text of a body of the card without its buttons and fields: as it is drawn, or with room for all of it where
  /// its width cuts texts.
  ///
  /// A card that is covered has only what is drawn. In a wide form at most two blanks are between two texts.
  func wholeText(of body: CardBody) -> String {
    let drawn = body.contentText
    guard let view, isCut(drawn) else { return drawn }
    for width in [320, 1_000] {
      let wide = ViewLayout.layOut(view, width: width, in: LayoutEnvironment(now: Date()))
      let text = CardBody(wide).contentText
      if !isCut(text) { return Self.closed(text) }
    }
    return drawn
  }

  /// Whether a text that is drawn of it has been cut: it has a mark of that which is in none of its texts.
  func isCut(_ drawn: String) -> Bool {
    [GlyphSet.unicode, .ascii].map(\.ellipsis.text).contains { mark in
      let own = view?.texts.reduce(0) { $0 + $1.ranges(of: mark).count } ?? 0
      return drawn.ranges(of: mark).count > own
    }
  }

  /// A text without the room that a wide page leaves between its parts.
  private static func closed(_ text: String) -> String {
    var result = ""
    var blanks = 0
    for character in text {
      blanks = character == " " ? blanks + 1 : 0
      if blanks <= 2 { result.append(character) }
    }
    return result
  }
}
