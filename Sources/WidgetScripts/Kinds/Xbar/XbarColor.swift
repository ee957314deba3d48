import WidgetKitCore

/// The colours of `color=`.
enum XbarColor {
  /// Reads a colour; nil for any other text.
  ///
  /// It is `#RGB`, `#RGBA`, `#RRGGBB`, `#RRGGBBAA` or a name.
  static func color(_ text: String) -> Color? {
    let name = text.lowercased()
    guard name.hasPrefix("#") else { return names[name] }
    let digits = name.dropFirst()
    switch digits.count {
    case 3, 4: return Color(hex: "#" + digits.prefix(3).map { "\($0)\($0)" }.joined())
    case 6, 8: return Color(hex: "#" + digits.prefix(6))
    default: return nil
    }
  }

  /// The names of CSS for which every theme has a readable colour, and those that plugins use besides.
  private static let names: [String: Color] = [
    "red": .red, "darkred": .red, "crimson": .red, "tomato": .red, "orange": .orange,
    "darkorange": .orange, "yellow": .yellow, "gold": .yellow, "green": .green, "lime": .green,
    "darkgreen": .green, "forestgreen": .green, "lightgreen": .mint, "teal": .teal, "cyan": .cyan,
    "aqua": .cyan, "blue": .blue, "navy": .blue, "dodgerblue": .blue, "indigo": .indigo,
    "purple": .purple, "violet": .purple, "magenta": .purple, "fuchsia": .purple, "pink": .pink,
    "brown": .brown, "gray": .gray, "grey": .gray, "darkgray": .gray, "darkgrey": .gray,
    "lightgray": .secondary, "lightgrey": .secondary, "silver": .secondary, "white": .label,
    "black": .label,
  ]
}
