import WidgetKitCore

nonisolated extension Theme {
  /// The colours of a look in a picture, exchanged where it is reversed.
  func pictureColors(_ style: CellStyle) -> (foreground: RGB, background: RGB?) {
    let foreground = style.foreground.map(rgb) ?? rgb(.label)
    let background = style.background.map(rgb)
    let isReversed = style.attributes.contains(.reverse)
    let front = isReversed ? background ?? windowBackground : foreground
    let back = isReversed ? foreground : background
    guard style.attributes.contains(.dim) else { return (front, back) }
    return (dimmed(front, on: back), back)
  }
}
