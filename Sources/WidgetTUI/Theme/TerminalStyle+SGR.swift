import WidgetKitCore

nonisolated extension TerminalStyle {
  /// The parameters of the SGR sequence (ECMA-48) for it, without the 0 that ends the style before.
  var sgr: [String] {
    let known: [(CellAttributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
      (.strikethrough, "9"),
    ]
    return known.filter { attributes.contains($0.0) }.map(\.1)
      + (foreground.map { code($0, base: 30) } ?? [])
      + (background.map { code($0, base: 40) } ?? [])
  }

  private func code(_ color: TerminalColor, base: Int) -> [String] {
    switch color {
    case .indexed(let index) where index < 8: ["\(base + Int(index))"]
    case .indexed(let index) where index < 16: ["\(base + 52 + Int(index))"]
    case .indexed(let index): ["\(base + 8)", "5", "\(index)"]
    case .rgb(let rgb): ["\(base + 8)", "2", "\(rgb.red)", "\(rgb.green)", "\(rgb.blue)"]
    }
  }
}
