import WidgetKitCore

nonisolated extension CellAttributes {
  /// The lines through and below text, as a value of `text-decoration` in CSS and SVG; nil for none.
  var textDecoration: String? {
    let lines: [(CellAttributes, String)] = [
      (.underline, "underline"), (.strikethrough, "line-through"),
    ]
    let drawn = lines.filter { contains($0.0) }.map(\.1)
    return drawn.isEmpty ? nil : drawn.joined(separator: " ")
  }
}

nonisolated extension CellStyle {
  /// Whether something is behind the characters.
  var isPainted: Bool { background != nil || attributes.contains(.reverse) }
}
