import WidgetKitCore

extension WidgetHarness {
  /// The text of a picture, row by row, without trailing blanks.
  static func rows(_ picture: LaidOutView) -> [String] {
    var cells = Array(
      repeating: [String](repeating: " ", count: max(0, picture.size.columns)),
      count: max(0, picture.size.rows)
    )
    for run in picture.runs where cells.indices.contains(run.position.row) {
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

  /// Names for a message: `; there is a, b`; nothing if there are none.
  static func list(_ names: [String], _ start: String) -> String {
    var seen: Set<String> = []
    let names = names.filter { !$0.isEmpty && seen.insert($0).inserted }
    guard !names.isEmpty else { return "" }
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return start + names.prefix(8).map { "“\($0)”" }.joined(separator: ", ") + rest
  }
}
