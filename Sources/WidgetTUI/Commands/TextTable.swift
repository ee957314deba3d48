import WidgetKitCore

/// What a command prints in columns, for people: each as wide as its widest cell, with two spaces between them.
///
/// The last cell of a row may be as long as it is.
struct TextTable {
  /// The lines of the table, without control characters.
  let lines: [SafeText]

  /// - Parameters:
  ///   - rows: The cells of each row; a row may have fewer than others.
  ///   - widest: The most columns to which a cell widens the others; the next cell of a longer one begins further right.
  init(_ rows: [[String]], widest: Int = .max) {
    let rows = rows.map { $0.map { SafeText($0).onOneLine } }
    var widths: [Int] = []
    for (column, cell) in rows.flatMap({ $0.enumerated() }) {
      if column == widths.count { widths.append(0) }
      widths[column] = max(widths[column], min(cell.columns, widest))
    }
    lines = rows.map { row in
      let cells = zip(row.indices, row).map { column, cell in
        let isLast = column == row.count - 1
        let gap = isLast ? 0 : max(0, widths[column] - cell.columns)
        return "\(cell)" + String(repeating: " ", count: gap)
      }
      return SafeText(cells.joined(separator: "  "))
    }
  }

  /// Writes the lines to standard output.
  func write() {
    for line in lines { StandardStreams.writeLine(line) }
  }
}
