/// A colour as named by a widget; the theme and the terminal decide how it looks.
///
/// On the wire it is a semantic name (`"accent"`), `"#rrggbb"`, or an index from 0 to 255.
public enum Color: Hashable, Sendable {
  /// A name for which the theme defines the colour.
  case semantic(SemanticColor)
  /// Red, green and blue from 0 to 255; shown as the nearest colour of the terminal.
  case rgb(red: UInt8, green: UInt8, blue: UInt8)
  /// An entry of the terminal's own palette of 256.
  case indexed(UInt8)
}

/// The colour names that every theme defines.
public enum SemanticColor: String, Hashable, Sendable, Codable, CaseIterable {
  /// Primary text.
  case label
  /// Secondary text.
  case secondaryLabel
  /// Tertiary text.
  case tertiaryLabel
  /// Separators.
  case separator
  /// The colour of the focus.
  case accent
  /// For errors.
  case red
  /// For warnings.
  case orange
  /// For caution.
  case yellow
  /// For success.
  case green
  /// A light green.
  case mint
  /// A blue green.
  case teal
  /// A light blue.
  case cyan
  /// For information.
  case blue
  /// A deep blue.
  case indigo
  /// A violet.
  case purple
  /// A light red.
  case pink
  /// A dark orange.
  case brown
  /// No colour.
  case gray
}

extension Color {
  /// Primary text.
  public static let label = Color.semantic(.label)
  /// Secondary text.
  public static let secondary = Color.semantic(.secondaryLabel)
  /// Tertiary text.
  public static let tertiary = Color.semantic(.tertiaryLabel)
  /// Separators.
  public static let separator = Color.semantic(.separator)
  /// The colour of the focus.
  public static let accent = Color.semantic(.accent)
  /// For errors.
  public static let red = Color.semantic(.red)
  /// For warnings.
  public static let orange = Color.semantic(.orange)
  /// For caution.
  public static let yellow = Color.semantic(.yellow)
  /// For success.
  public static let green = Color.semantic(.green)
  /// A light green.
  public static let mint = Color.semantic(.mint)
  /// A blue green.
  public static let teal = Color.semantic(.teal)
  /// A light blue.
  public static let cyan = Color.semantic(.cyan)
  /// For information.
  public static let blue = Color.semantic(.blue)
  /// A deep blue.
  public static let indigo = Color.semantic(.indigo)
  /// A violet.
  public static let purple = Color.semantic(.purple)
  /// A light red.
  public static let pink = Color.semantic(.pink)
  /// A dark orange.
  public static let brown = Color.semantic(.brown)
  /// No colour.
  public static let gray = Color.semantic(.gray)
}

extension Color: Codable, ViewReadable {
  /// Reads a name, `#rrggbb` or an index.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  /// Writes the form that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .semantic(let name): try container.encode(name)
    case .rgb(let red, let green, let blue):
      let digits = [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      try container.encode("#" + digits.joined())
    case .indexed(let index): try container.encode(index)
    }
  }

  /// Creates a colour from `#rrggbb`; nil if the text has another form.
  public init?(hex: String) {
    let digits = hex.utf8.dropFirst()
    guard hex.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      digits.allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
      }),
      let value = UInt32(hex.dropFirst(), radix: 16)
    else { return nil }
    self = .rgb(
      red: UInt8(truncatingIfNeeded: value >> 16),
      green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value)
    )
  }

  init(_ source: ViewSource) throws {
    if let name = source.json.string {
      if let semantic = SemanticColor(rawValue: name) {
        self = .semantic(semantic)
        return
      }
      if let rgb = Color(hex: name) {
        self = rgb
        return
      }
    } else if let index = source.json.integer.flatMap(UInt8.init(exactly:)) {
      self = .indexed(index)
      return
    }
    throw source.expected(
      "a colour: a semantic name, #rrggbb or an index from 0 to 255, found \(source.json.words)"
    )
  }
}
