import WidgetCards
import WidgetKitCore

extension CardBody {
  /// The picture that is shown, or is animated to.
  var picture: LaidOutView { to ?? from }
}

extension LaidOutView {
  /// The text of the picture, row by row, without trailing blanks.
  var textRows: [String] {
    var cells = Array(
      repeating: [String](repeating: " ", count: max(0, size.columns)),
      count: max(0, size.rows)
    )
    for run in runs where cells.indices.contains(run.position.row) {
      for (index, cell) in run.cells.enumerated() {
        let column = run.position.column + index
        guard cells[run.position.row].indices.contains(column) else { continue }
        cells[run.position.row][column] = cell.glyph.text
      }
    }
    return cells.map { row in
      String(row.joined().reversed().drop { $0 == " " }.reversed())
    }
  }
}
