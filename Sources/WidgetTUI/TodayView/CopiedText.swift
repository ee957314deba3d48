import WidgetCards
import WidgetKitCore

/// The texts of a page that can be copied.
nonisolated struct CopiedText {
  let model: TodayModel

  /// The text of the rows of the element with the focus, else of its whole card; nil while there is none.
  var focused: String? {
    guard let focus = model.place.focus, let body = model.content.bodies[focus.card] else {
      return nil
    }
    guard let target = model.focusedTarget else { return whole(focus.card) }
    let lines = body.drawnText.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init
    )
    let rows = lines.indices.clamped(
      to: target.frame.minRow..<max(target.frame.minRow, target.frame.maxRow)
    )
    return trimmed(lines[rows].joined(separator: "\n"))
  }

  /// The text of what has the focus as content: that of a row is the same at each width, and nothing else is cut.
  var focusedContent: String? {
    guard let drawn = focused, let focus = model.place.focus, let card = model.card(focus.card)
    else { return focused }
    guard let target = model.focusedTarget else {
      return model.content.bodies[card.id].map { trimmed(card.wholeText(of: $0)) }
    }
    if case .row(let row) = target.role, let text = card.view?.text(ofRow: row.row, in: row.list) {
      return text
    }
    return card.isCut(drawn) && !target.label.isEmpty ? target.label.string : drawn
  }

  /// What is drawn of a card; nil while it has no content.
  func whole(_ card: CardID) -> String? { (model.content.bodies[card]?.drawnText).map(trimmed) }

  /// A text without line feeds and blanks at its end.
  private func trimmed(_ text: String) -> String {
    var text = text
    while let last = text.last, last == "\n" || last == " " { text.removeLast() }
    return text
  }
}
