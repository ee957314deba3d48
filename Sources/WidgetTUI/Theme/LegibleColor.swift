import WidgetKitCore

nonisolated extension Theme {
  /// The colour of text with the contrast that it needs on the background of the theme.
  ///
  /// Scripts and widgets bring colours that were chosen for one background, and are shown on many. Such a colour is
  /// mixed with white or black, which keeps its hue, until it can be read; one that comes with a background of its own
  /// stays, as pictures of blocks have both.
  ///
  /// - Parameters:
  ///   - color: The colour that was sent; nil for none.
  ///   - back: The background of the cell; nil for that of the page.
  /// - Returns: The colour, or one like it.
  func legible(_ color: Color?, on back: Color?) -> Color? {
    guard let color, depth > .none, back == nil || back == surface else { return color }
    switch color {
    case .semantic: return color
    // How the first sixteen look is not known; the user has chosen them for the terminal.
    case .indexed(let index) where index < 16: return color
    case .indexed, .rgb: break
    }
    let given = rgb(color)
    let moved = legible(given, on: back.map(rgb))
    guard moved != given else { return color }
    return .rgb(red: moved.red, green: moved.green, blue: moved.blue)
  }

  private func legible(_ color: RGB, on back: RGB?) -> RGB {
    var grounds = grounds(back)
    // The nearest colour of the palette may have less contrast, and so has the background there.
    if depth < .full { grounds += grounds.map { RGB(index: $0.nearest(of: 16..<256)) } }
    let end = RGB(hex: isDark ? 0xFFFFFF : 0x000000)
    let steps = 24
    for step in 0..<steps {
      let mixed = color.mixed(with: end, Double(step) / Double(steps))
      let shown = depth == .palette ? RGB(index: mixed.nearest(of: 16..<256)) : mixed
      if grounds.allSatisfy({ shown.contrast(with: $0) >= RGB.textContrast }) { return mixed }
    }
    return end
  }

  /// The colour of a low part of a graph: nearer to the background than that of a high one.
  ///
  /// - Parameters:
  ///   - color: The colour of the whole; nil for the terminal's own.
  ///   - style: The style of the cell.
  ///   - shade: How far it is from the top, 1 to 3.
  /// - Returns: The colour, or one between it and the background.
  func shaded(_ color: TerminalColor?, _ style: CellStyle, _ shade: Int) -> TerminalColor? {
    // Few colours have no steps, and how the first sixteen look is not known.
    guard depth >= .palette else { return color }
    if case .indexed(let index)? = color, index < 16 { return color }
    let own = legible(style.foreground, on: style.background) ?? .label
    let mixed = shaded(rgb(own), on: style.background.map(rgb), shade)
    return depth == .full ? .rgb(mixed) : .indexed(mixed.nearest(of: 16..<256))
  }

  /// The same in 24 bits.
  func shaded(_ color: RGB, on back: RGB?, _ shade: Int) -> RGB {
    color.mixed(with: back ?? windowBackground, Double(min(max(shade, 0), 3)) * 0.19)
  }
}
