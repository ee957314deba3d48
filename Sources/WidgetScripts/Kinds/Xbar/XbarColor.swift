import WidgetKitCore

/// The colours of `color=`.
enum XbarColor {
  /// Reads a colour; nil for any other text.
  ///
  /// It is `#RGB`, `#RGBA`, `#RRGGBB`, `#RRGGBBAA`, `#RRRGGGBBB`, `#RRRRGGGGBBBB` or a name.
  static func color(_ text: String) -> Color? {
    let name = text.lowercased()
    guard name.hasPrefix("#") else { return names[name] }
    let digits = name.dropFirst()
    switch digits.count {
    case 3, 4: return Color(hex: "#" + digits.prefix(3).map { "\($0)\($0)" }.joined())
    case 6, 8: return Color(hex: "#" + digits.prefix(6))
    // Pango has three and four digits for each of the three too.
    case 9, 12:
      let parts = [0, 1, 2].map { digits.dropFirst($0 * digits.count / 3).prefix(2) }
      return Color(hex: "#" + parts.joined())
    default: return nil
    }
  }

  /// The 148 names of CSS Color 4; those that plugins use most have the colour of the theme, which can be read on its
  /// background.
  static let names: [String: Color] = [
    "aliceblue": .css(0xF0F8FF), "antiquewhite": .css(0xFAEBD7), "aqua": .cyan,
    "aquamarine": .css(0x7FFFD4), "azure": .css(0xF0FFFF), "beige": .css(0xF5F5DC),
    "bisque": .css(0xFFE4C4), "black": .label, "blanchedalmond": .css(0xFFEBCD), "blue": .blue,
    "blueviolet": .css(0x8A2BE2), "brown": .brown, "burlywood": .css(0xDEB887),
    "cadetblue": .css(0x5F9EA0), "chartreuse": .css(0x7FFF00), "chocolate": .css(0xD2691E),
    "coral": .css(0xFF7F50), "cornflowerblue": .css(0x6495ED), "cornsilk": .css(0xFFF8DC),
    "crimson": .red, "cyan": .cyan, "darkblue": .css(0x00008B), "darkcyan": .css(0x008B8B),
    "darkgoldenrod": .css(0xB8860B), "darkgray": .gray, "darkgreen": .green, "darkgrey": .gray,
    "darkkhaki": .css(0xBDB76B), "darkmagenta": .css(0x8B008B), "darkolivegreen": .css(0x556B2F),
    "darkorange": .orange, "darkorchid": .css(0x9932CC), "darkred": .red,
    "darksalmon": .css(0xE9967A), "darkseagreen": .css(0x8FBC8F), "darkslateblue": .css(0x483D8B),
    "darkslategray": .css(0x2F4F4F), "darkslategrey": .css(0x2F4F4F),
    "darkturquoise": .css(0x00CED1), "darkviolet": .css(0x9400D3), "deeppink": .css(0xFF1493),
    "deepskyblue": .css(0x00BFFF), "dimgray": .css(0x696969), "dimgrey": .css(0x696969),
    "dodgerblue": .blue, "firebrick": .css(0xB22222), "floralwhite": .css(0xFFFAF0),
    "forestgreen": .green, "fuchsia": .purple, "gainsboro": .css(0xDCDCDC),
    "ghostwhite": .css(0xF8F8FF), "gold": .yellow, "goldenrod": .css(0xDAA520), "gray": .gray,
    "green": .green, "greenyellow": .css(0xADFF2F), "grey": .gray, "honeydew": .css(0xF0FFF0),
    "hotpink": .css(0xFF69B4), "indianred": .css(0xCD5C5C), "indigo": .indigo,
    "ivory": .css(0xFFFFF0), "khaki": .css(0xF0E68C), "lavender": .css(0xE6E6FA),
    "lavenderblush": .css(0xFFF0F5), "lawngreen": .css(0x7CFC00), "lemonchiffon": .css(0xFFFACD),
    "lightblue": .css(0xADD8E6), "lightcoral": .css(0xF08080), "lightcyan": .css(0xE0FFFF),
    "lightgoldenrodyellow": .css(0xFAFAD2), "lightgray": .secondary, "lightgreen": .mint,
    "lightgrey": .secondary, "lightpink": .css(0xFFB6C1), "lightsalmon": .css(0xFFA07A),
    "lightseagreen": .css(0x20B2AA), "lightskyblue": .css(0x87CEFA),
    "lightslategray": .css(0x778899), "lightslategrey": .css(0x778899),
    "lightsteelblue": .css(0xB0C4DE), "lightyellow": .css(0xFFFFE0), "lime": .green,
    "limegreen": .css(0x32CD32), "linen": .css(0xFAF0E6), "magenta": .purple,
    "maroon": .css(0x800000), "mediumaquamarine": .css(0x66CDAA), "mediumblue": .css(0x0000CD),
    "mediumorchid": .css(0xBA55D3), "mediumpurple": .css(0x9370DB),
    "mediumseagreen": .css(0x3CB371), "mediumslateblue": .css(0x7B68EE),
    "mediumspringgreen": .css(0x00FA9A), "mediumturquoise": .css(0x48D1CC),
    "mediumvioletred": .css(0xC71585), "midnightblue": .css(0x191970), "mintcream": .css(0xF5FFFA),
    "mistyrose": .css(0xFFE4E1), "moccasin": .css(0xFFE4B5), "navajowhite": .css(0xFFDEAD),
    "navy": .blue, "oldlace": .css(0xFDF5E6), "olive": .css(0x808000), "olivedrab": .css(0x6B8E23),
    "orange": .orange, "orangered": .css(0xFF4500), "orchid": .css(0xDA70D6),
    "palegoldenrod": .css(0xEEE8AA), "palegreen": .css(0x98FB98), "paleturquoise": .css(0xAFEEEE),
    "palevioletred": .css(0xDB7093), "papayawhip": .css(0xFFEFD5), "peachpuff": .css(0xFFDAB9),
    "peru": .css(0xCD853F), "pink": .pink, "plum": .css(0xDDA0DD), "powderblue": .css(0xB0E0E6),
    "purple": .purple, "rebeccapurple": .css(0x663399), "red": .red, "rosybrown": .css(0xBC8F8F),
    "royalblue": .css(0x4169E1), "saddlebrown": .css(0x8B4513), "salmon": .css(0xFA8072),
    "sandybrown": .css(0xF4A460), "seagreen": .css(0x2E8B57), "seashell": .css(0xFFF5EE),
    "sienna": .css(0xA0522D), "silver": .secondary, "skyblue": .css(0x87CEEB),
    "slateblue": .css(0x6A5ACD), "slategray": .css(0x708090), "slategrey": .css(0x708090),
    "snow": .css(0xFFFAFA), "springgreen": .css(0x00FF7F), "steelblue": .css(0x4682B4),
    "tan": .css(0xD2B48C), "teal": .teal, "thistle": .css(0xD8BFD8), "tomato": .red,
    "turquoise": .css(0x40E0D0), "violet": .purple, "wheat": .css(0xF5DEB3), "white": .label,
    "whitesmoke": .css(0xF5F5F5), "yellow": .yellow, "yellowgreen": .css(0x9ACD32),
  ]
}

extension Color {
  /// A colour by the number that CSS gives for its name.
  fileprivate static func css(_ number: UInt32) -> Color {
    .rgb(
      red: UInt8(truncatingIfNeeded: number >> 16),
      green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number)
    )
  }
}
