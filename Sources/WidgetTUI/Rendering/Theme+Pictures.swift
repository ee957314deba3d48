import WidgetKitCore

nonisolated extension Theme {
  /// The colours of a look in a picture, exchanged where it is reversed.
  func pictureColors(_ style: CellStyle) -> (foreground: RGB, background: RGB?) {
    let background = style.background.map(rgb)
    var foreground =
      legible(style.foreground, on: style.background).map(rgb) ?? label(on: background)
    let shade = style.attributes.shade
    if shade > 0 { foreground = shaded(foreground, on: background, shade) }
    let isReversed = style.attributes.contains(.reverse)
    let front = isReversed ? background ?? windowBackground : foreground
    let back = isReversed ? foreground : background
    guard style.attributes.contains(.dim) else { return (front, back) }
    return (dimmed(front, on: back), back)
  }

  /// The colour of text that has none of its own: on a background that a widget has chosen, whichever can be read.
  private func label(on background: RGB?) -> RGB {
    let label = rgb(.label)
    guard let background, label.contrast(with: background) < RGB.textContrast else { return label }
    let other = windowBackground
    return other.contrast(with: background) > label.contrast(with: background) ? other : label
  }
}
