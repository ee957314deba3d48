import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetSessions

@testable import WidgetTUI

/// What a page says without colours, and at its edges.
@Suite struct MannersTests {
  /// A card as a screen without colours shows it: characters, and attributes as letters.
  private func picture(_ card: Card, focus: CardView.Focus = .none) -> String {
    let look = PageLook(hasColors: false, now: SamplePage.now)
    var canvas = Canvas(size: Size(columns: 44, rows: 4))
    let body = CardBody(SamplePage.list(["press me"], width: 40))
    let view = CardView(card: card, body: body, look: look)
    view.draw(on: &canvas, frame: canvas.bounds, clip: canvas.bounds, focus: focus)
    let theme = Theme(depth: .none)
    return canvas.cells.map { cell in
      cell.glyph.text + "\(theme.resolve(cell.style).attributes.rawValue)"
    }.joined()
  }

  @Test func `every state of a card differs without colours`() throws {
    let live = SamplePage.card("Builds", .live, age: 250)
    var failed = SamplePage.card("Builds", .failed, age: 250)
    failed.message = "no answer"
    var stopped = SamplePage.card("Builds", .stopped, age: 250)
    stopped.message = "stopped after 5 failures"
    var updating = live
    updating.isUpdating = true
    var cue = live
    cue.pressCue = "press dropped"
    var expanded = live
    expanded.offersExpanded = true
    let pictures = [live, failed, stopped, updating, cue, expanded].map { picture($0) }
    #expect(Set(pictures).count == pictures.count)
    #expect(picture(live, focus: .card) != picture(live))
  }

  @Test(arguments: 3...12) func `a wide character in the last column is left out`(columns: Int) {
    let card = SamplePage.card("東京都庁", .live, age: 0)
    let body = SamplePage.list(["日本語日本語"], width: max(0, columns - 4))
    let look = PageLook(now: SamplePage.now)
    var canvas = Canvas(size: Size(columns: columns, rows: 3))
    let view = CardView(card: card, body: CardBody(body), look: look)
    view.draw(on: &canvas, frame: canvas.bounds, clip: canvas.bounds, focus: .none)
    for row in 0..<3 {
      let cells = Array(canvas.row(row))
      for (column, cell) in cells.enumerated() where cell.glyph.width == 2 {
        #expect(column + 1 < columns && cells[column + 1].glyph == .continuation)
      }
    }
  }
}
