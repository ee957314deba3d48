/// The colours of a graph by height: a list of its own, or one colour that is less prominent further down.
struct GraphTone: Equatable {
  private let gradient: [Color]
  private let fades: Bool

  /// The colours of `gradient` from the bottom to the top; if there are none, the colour of the graph, which `fades`.
  init(_ gradient: [Color], fades: Bool = true) {
    self.gradient = gradient
    self.fades = fades && gradient.isEmpty
  }

  /// Whether all heights look the same.
  var isFlat: Bool { gradient.isEmpty && !fades }

  /// The look of a bar in one row whose height is `part` of it, 0 to 1.
  ///
  /// Bars beside each other with more and less of one colour would look like stripes.
  func style(_ style: CellStyle, ofBar part: Double) -> CellStyle {
    var style = style
    if let color = color(at: part) { style.foreground = color }
    return style
  }

  /// The look of a row of a graph, counted from the top.
  func style(_ style: CellStyle, row: Int, of rows: Int) -> CellStyle {
    guard rows > 0 else { return style }
    var style = style
    if let color = color(at: (Double(rows - row) - 0.5) / Double(rows)) {
      style.foreground = color
    } else if fades {
      style.attributes.shade = 3 - Int((Double(rows - row) / Double(rows) * 3).rounded())
    }
    return style
  }

  private func color(at height: Double) -> Color? {
    guard !gradient.isEmpty else { return nil }
    let place = Int(min(max(height, 0), 1) * Double(gradient.count))
    return gradient[min(place, gradient.count - 1)]
  }
}
