import WidgetKitCore

/// Text inside XML and HTML.
nonisolated enum MarkupText {
  /// `text` escaped for XML and HTML, also inside quotes.
  ///
  /// Characters that XML 1.0 (2.2) does not allow become U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
        result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}

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
