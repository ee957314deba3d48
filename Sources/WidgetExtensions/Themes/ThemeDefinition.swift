public import WidgetKitCore

/// The colours of a theme, as its file declares them.
public struct ThemeDefinition: Hashable, Sendable {
  /// How the user selects it: the name of its file without `.json`.
  public var id: String
  /// Its name in lists.
  public var name: SafeText
  /// Whether it is for dark backgrounds.
  public var isDark: Bool
  /// The background that it paints; nil leaves the terminal's.
  public var background: Color?
  /// The colour that cards are filled with, in place of lines around them; nil for lines.
  ///
  /// A terminal of few colours has lines in any case.
  public var surface: Color?
  /// The colours of a gauge from empty to full, where no threshold of the widget says what its value means; none for the
  /// colour of the widget.
  public var gauge: [Color]
  /// The colours; a name that is missing has the colour of ``standard(isDark:)``, and a missing
  /// `label` is the terminal's own colour of text if no background is painted.
  public var colors: [SemanticColor: Color]

  /// Creates a theme.
  public init(
    id: String,
    name: SafeText,
    isDark: Bool,
    background: Color? = nil,
    surface: Color? = nil,
    gauge: [Color] = [],
    colors: [SemanticColor: Color] = [:]
  ) {
    self.id = id
    self.name = name
    self.isDark = isDark
    self.background = background
    self.surface = surface
    self.gauge = gauge
    self.colors = colors
  }

  /// The theme for a dark or a light background if the user chose none; it needs no file.
  public static func standard(isDark: Bool) -> ThemeDefinition { isDark ? dark : light }

  /// The theme `dark`; the same as its file, so that the first picture waits for no file.
  private static let dark = ThemeDefinition(
    id: "dark",
    name: "Dark",
    isDark: true,
    colors: [
      .secondaryLabel: Color(hex: 0xA6ADB9), .tertiaryLabel: Color(hex: 0x9CA3AF),
      .separator: Color(hex: 0x4A5160), .accent: Color(hex: 0x6CB4FF),
      .red: Color(hex: 0xFF8A84), .orange: Color(hex: 0xFFAB57), .yellow: Color(hex: 0xF0D06A),
      .green: Color(hex: 0x6FD69A), .mint: Color(hex: 0x84DFC6), .teal: Color(hex: 0x5CC8CE),
      .cyan: Color(hex: 0x78D3F5), .blue: Color(hex: 0x82B4FF), .indigo: Color(hex: 0xA6A4FF),
      .purple: Color(hex: 0xCB9BEC), .pink: Color(hex: 0xFF8FBA), .brown: Color(hex: 0xCBA67A),
      .gray: Color(hex: 0xA6ADB9),
    ]
  )

  /// The theme `light`; the same as its file.
  private static let light = ThemeDefinition(
    id: "light",
    name: "Light",
    isDark: false,
    colors: [
      .secondaryLabel: Color(hex: 0x555C67), .tertiaryLabel: Color(hex: 0x5D636E),
      .separator: Color(hex: 0xC2C7D0), .accent: Color(hex: 0x0A56B8),
      .red: Color(hex: 0xB3211F), .orange: Color(hex: 0x964300), .yellow: Color(hex: 0x725600),
      .green: Color(hex: 0x176A34), .mint: Color(hex: 0x0D665E), .teal: Color(hex: 0x0C637B),
      .cyan: Color(hex: 0x07628A), .blue: Color(hex: 0x1B54BF), .indigo: Color(hex: 0x4741C0),
      .purple: Color(hex: 0x7D3A9C), .pink: Color(hex: 0xAB1F50), .brown: Color(hex: 0x6E482E),
      .gray: Color(hex: 0x555C67),
    ]
  )
}

extension Color {
  /// A colour from `0xRRGGBB`.
  init(hex: UInt32) {
    self = .rgb(
      red: UInt8(truncatingIfNeeded: hex >> 16),
      green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex)
    )
  }
}
