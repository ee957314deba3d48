import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct CanvasTests {
  private func text(_ canvas: Canvas) -> [String] { TextWriter.lines(canvas) }

  @Test(arguments: [
    Size(columns: 0, rows: 0), Size(columns: -3, rows: 2), Size(columns: 1, rows: 1),
  ])
  func `drawing on any size stays inside`(size: Size) {
    var canvas = Canvas(size: size)
    canvas.write("日本語 abc", style: .plain, at: Position(column: -1, row: 0), in: canvas.bounds)
    canvas.fill(
      Rect(column: -5, row: -5, columns: 100, rows: 100),
      style: .plain,
      in: canvas.bounds
    )
    #expect(canvas.cells.count == max(0, size.columns) * max(0, size.rows))
  }

  @Test func `a wide glyph cut at an edge leaves a blank`() {
    var canvas = Canvas(size: Size(columns: 3, rows: 2))
    canvas.write("ab日", style: .plain, at: .zero, in: canvas.bounds)
    canvas.write("日本", style: .plain, at: Position(column: -1, row: 1), in: canvas.bounds)
    #expect(text(canvas) == ["ab", " 本"])
  }

  @Test func `writing over half of a wide glyph blanks the other half`() {
    var canvas = Canvas(size: Size(columns: 6, rows: 2))
    canvas.write("日本語", style: .plain, at: .zero, in: canvas.bounds)
    canvas.write("x", style: .plain, at: Position(column: 1, row: 0), in: canvas.bounds)
    canvas.write("日本語", style: .plain, at: Position(column: 0, row: 1), in: canvas.bounds)
    canvas.write("xy", style: .plain, at: Position(column: 3, row: 1), in: canvas.bounds)
    #expect(text(canvas) == [" x本語", "日 xy"])
    for row in 0..<2 { #expect(isWhole(canvas, row: row)) }
  }

  @Test func `every pair of glyphs at every place leaves whole glyphs`() {
    for first in -1...5 {
      for second in -1...5 {
        var canvas = Canvas(size: Size(columns: 5, rows: 1))
        let clip = Rect(column: 0, row: 0, columns: 4, rows: 1)
        canvas.write("日a本", style: .plain, at: Position(column: first, row: 0), in: clip)
        canvas.write("界", style: .plain, at: Position(column: second, row: 0), in: canvas.bounds)
        #expect(isWhole(canvas, row: 0), "\(first) \(second)")
      }
    }
  }

  @Test func `a difference contains whole glyphs and only changed cells`() {
    var old = Canvas(size: Size(columns: 8, rows: 2))
    old.write("日本 abc", style: .plain, at: .zero, in: old.bounds)
    var new = old
    new.write("界", style: .plain, at: Position(column: 2, row: 0), in: new.bounds)
    new.write("x", style: .plain, at: Position(column: 7, row: 0), in: new.bounds)
    let segments = CanvasDiff.segments(from: old, to: new)
    #expect(segments.map(\.position.column) == [2, 7])
    #expect(segments.map(\.cells.count) == [2, 1])
    #expect(CanvasDiff.segments(from: new, to: new).isEmpty)
    #expect(CanvasDiff.segments(from: nil, to: new).count == 2)
    let larger = Canvas(size: Size(columns: 9, rows: 3))
    #expect(CanvasDiff.segments(from: new, to: larger).count == 3)
  }

  /// Whether every continuation follows a wide glyph, and every wide glyph has one.
  private func isWhole(_ canvas: Canvas, row: Int) -> Bool {
    let cells = Array(canvas.row(row))
    return cells.indices.allSatisfy { index in
      let isContinuation = cells[index].glyph.width == 0
      let followsWide = index > 0 && cells[index - 1].glyph.width == 2
      return isContinuation == followsWide
    } && cells.last?.glyph.width != 2
  }
}
