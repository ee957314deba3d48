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

  @Test(arguments: [GlyphSet.unicode, .console, .ascii])
  func `a row that does something when it is pressed has a mark in the margin`(
    glyphs: GlyphSet
  ) throws {
    let rows = """
      {"id":"a","view":"acts","action":"go"},{"id":"b","view":"leads","link":"https://example.com"},
      {"id":"c","view":"stays"},{"id":"d","view":{"type":"text","text":"one two three"},"action":"go"}
      """
    let json = #"{"type":"list","id":"l","rows":[\#(rows)]}"#
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    let look = PageLook(glyphs: glyphs, now: SamplePage.now)
    /// What stands in the last column between the borders, row by row.
    func marks(_ card: Card, width: Int = 8, editing: ListEditing? = nil) -> String {
      var environment = LayoutEnvironment(now: SamplePage.now, glyphs: glyphs)
      environment.state.editing = editing
      let body = CardBody(ViewLayout.layOut(node, width: width, in: environment))
      var canvas = Canvas(size: Size(columns: width + 4, rows: body.size.rows + 2))
      let view = CardView(card: card, body: body, look: look)
      view.draw(on: &canvas, frame: canvas.bounds, clip: canvas.bounds, focus: .none)
      return (1...body.size.rows).map { Array(canvas.row($0))[width + 2].glyph.text }.joined()
    }
    let card = SamplePage.card("A", .live, age: 0)
    let mark = glyphs == .unicode ? "›" : ">"
    #expect(marks(card) == "\(mark)\(mark) \(mark) ")
    #expect(marks(card, width: 40) == "\(mark)\(mark) \(mark)")
    let editing = ListEditing(removes: true, moves: false, adds: false)
    #expect(marks(card, width: 40, editing: editing) == "    ")
    var withoutMargin = card
    withoutMargin.marginInsets.right = 0
    #expect(marks(withoutMargin) == "     ")
    var leaving = card
    leaving.leaving = 0
    #expect(marks(leaving) == "     ")
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
