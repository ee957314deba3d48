import WidgetCards
import WidgetKitCore

/// One card on the whole page, with a scroll position of its own.
nonisolated struct PageZoom: Hashable, Sendable {
  let card: CardID
  /// The first row of the interior of the card that is on the screen.
  var scrollRow = 0
}

nonisolated extension TodayModel {
  /// Shows the card with the focus alone, or all cards again.
  mutating func toggleZoom() {
    if place.zoom != nil {
      place.zoom = nil
    } else if let card = place.focus?.card {
      place.zoom = PageZoom(card: card)
    }
  }

  /// Shows all cards again if the card that is shown alone has gone.
  mutating func checkZoom() {
    guard let zoom = place.zoom else { return }
    if let card = card(zoom.card), card.leaving == nil {
      let last = lastZoomRow
      place.zoom?.scrollRow = min(max(0, zoom.scrollRow), last)
    } else {
      place.zoom = nil
    }
  }

  /// The size inside the frame of a card that is shown alone.
  var zoomInterior: Size {
    let border = chrome.showsBorders ? 1 : 0
    return Size(
      columns: max(0, viewport.size.columns - 2 * border),
      rows: max(0, viewport.size.rows - 1 - border)
    )
  }

  /// The frame of a card that is shown alone: as high as what it shows, and at most the screen.
  var zoomFrame: Rect {
    guard let zoom = place.zoom, let card = card(zoom.card), let body = content.bodies[zoom.card],
      body.to == nil
    else { return viewport }
    let frameRows = viewport.size.rows - zoomInterior.rows
    let rows = body.from.drawnRows + card.marginInsets.rows + frameRows
    var frame = viewport
    frame.size.rows = min(viewport.size.rows, max(rows, frameRows))
    return frame
  }

  /// The last row that ``PageZoom/scrollRow`` may have.
  private var lastZoomRow: Int {
    guard let zoom = place.zoom, let card = card(zoom.card) else { return 0 }
    let rows = (content.bodies[zoom.card]?.size.rows ?? 0) + card.marginInsets.rows
    return max(0, rows - zoomInterior.rows)
  }

  /// Scrolls the card that is shown alone; false if there is none.
  mutating func scrollZoom(by rows: Int) -> Bool {
    guard let zoom = place.zoom else { return false }
    let last = lastZoomRow
    // The rows may be as many as the page has, or any number.
    place.zoom?.scrollRow = zoom.scrollRow + min(max(rows, -zoom.scrollRow), last - zoom.scrollRow)
    return true
  }

  /// Scrolls as little as it takes to see the element with the focus; false if no card is shown alone.
  mutating func revealInZoom() -> Bool {
    guard let zoom = place.zoom, let card = card(zoom.card) else { return false }
    guard let target = focusedTarget, place.focus?.card == zoom.card else { return true }
    let top = target.frame.minRow + card.marginInsets.top
    let end = top + target.frame.size.rows
    var row = zoom.scrollRow
    if end > row + zoomInterior.rows { row = end - zoomInterior.rows }
    let last = lastZoomRow
    place.zoom?.scrollRow = min(max(0, min(row, top)), last)
    return true
  }
}

nonisolated extension LaidOutView {
  /// The rows down to the last one in which something is drawn or can be pressed.
  fileprivate var drawnRows: Int {
    let runs = runs.reduce(0) { max($0, $1.position.row + 1) }
    return targets.reduce(min(runs, size.rows)) { max($0, min($1.frame.maxRow, size.rows)) }
  }
}
