import FoundationEssentials
import WidgetCards
import WidgetKitCore

nonisolated extension CardBody {
  /// The text of its cells at rest, one line for each row.
  var drawnText: String {
    let view = to ?? from
    var canvas = Canvas(size: view.size)
    for run in view.runs { canvas.put(run, in: canvas.bounds) }
    let rows = (0..<canvas.size.rows).map { row in
      var text = canvas.row(row).map(\.glyph.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
    return rows.joined(separator: "\n")
  }
}

nonisolated extension Card {
  /// The text of a body of the card: as it is drawn, or with room for all of it where its width cuts texts.
  ///
  /// A card that is covered has only what is drawn. In a wide form at most two blanks are between two texts.
  func wholeText(of body: CardBody) -> String {
    let drawn = body.drawnText
    guard let view, isCut(drawn) else { return drawn }
    for width in [320, 1_000] {
      let wide = ViewLayout.layOut(view, width: width, in: LayoutEnvironment(now: Date()))
      let text = CardBody(wide).drawnText
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
