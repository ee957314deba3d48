import WidgetKitCore

/// The classes of a web page for the looks of cells, each in the colours of a light and of a dark theme.
nonisolated struct WebStyles {
  /// A style and its use.
  private struct Use: Hashable {
    var style: CellStyle
    /// Whether it is drawn, as bars are, and not read.
    var isShape: Bool
  }

  /// The grounds of a page in one theme.
  struct Ground {
    var theme: Theme

    /// The background of the page.
    var page: RGB {
      theme.isDark ? theme.windowBackground : theme.windowBackground.mixed(with: label, 0.045)
    }
    /// The background of a card.
    var card: RGB {
      if let surface = theme.surface { return theme.rgb(surface) }
      return theme.isDark ? theme.windowBackground.mixed(with: label, 0.05) : theme.windowBackground
    }
    /// The line around a card.
    var edge: RGB { card.mixed(with: label, 0.13) }
    /// The colour of text.
    var label: RGB { theme.rgb(.label) }

    /// A colour of text that can be read on a ground.
    func text(_ color: RGB, on ground: RGB) -> RGB {
      let end = RGB(hex: ground.luminance < 0.18 ? 0xFFFFFF : 0x000000)
      for step in 0..<20 {
        let mixed = color.mixed(with: end, Double(step) / 20)
        if mixed.contrast(with: ground) >= RGB.textContrast { return mixed }
      }
      return end
    }
  }

  /// The light and the dark look.
  let light: Ground
  let dark: Ground
  private var numbers: [Use: Int] = [:]
  private var uses: [Use] = []

  init(light: Theme, dark: Theme) {
    self.light = Ground(theme: light)
    self.dark = Ground(theme: dark)
  }

  /// The class of a look; nil for that of plain text.
  mutating func name(of style: CellStyle, isShape: Bool) -> String? {
    guard style != .plain else { return nil }
    let use = Use(style: style, isShape: isShape)
    if let number = numbers[use] { return "c\(number)" }
    numbers[use] = uses.count
    uses.append(use)
    return "c\(uses.count - 1)"
  }

  /// The rules of all classes that have a name.
  var rules: String {
    let common = uses.indices.compactMap { index in
      let lines = Self.attributes(uses[index].style)
      return lines.isEmpty ? nil : ".c\(index){\(lines.joined(separator: ";"))}"
    }
    return """
      \(common.joined(separator: "\n"))
      :root{\(variables(light))}
      \(colors(light))
      @media (prefers-color-scheme:dark){
      :root{\(variables(dark))}
      \(colors(dark))
      }
      """
  }

  private static func attributes(_ style: CellStyle) -> [String] {
    var lines: [String] = []
    if style.attributes.contains(.bold) { lines.append("font-weight:600") }
    if style.attributes.contains(.italic) { lines.append("font-style:italic") }
    if let decoration = style.attributes.textDecoration {
      lines.append("text-decoration:\(decoration)")
    }
    // The background of an inline box is lower than its row, so that rows below each other would not join.
    if style.isPainted {
      lines += ["display:inline-block", "height:var(--row)", "vertical-align:top"]
    }
    return lines
  }

  private func variables(_ ground: Ground) -> String {
    let quiet = ground.theme.rgb(.secondary)
    let trouble = ground.theme.rgb(named: .orange)
    let colors = [
      ("page", ground.page), ("card", ground.card), ("edge", ground.edge),
      ("text", ground.text(ground.label, on: ground.card)),
      ("quiet", ground.text(quiet, on: ground.theme.isDark ? ground.card : ground.page)),
      ("warn", ground.text(trouble, on: ground.card)),
      ("link", ground.text(ground.theme.rgb(.accent), on: ground.card)),
    ]
    return colors.map { "--\($0.0):\($0.1.hexText)" }.joined(separator: ";")
  }

  private func colors(_ ground: Ground) -> String {
    uses.enumerated().map { index, use in
      let colors = ground.theme.pictureColors(use.style)
      let front =
        use.isShape
        ? colors.foreground
        : ground.text(colors.foreground, on: colors.background ?? ground.card)
      let back = colors.background.map { ";background:\($0.hexText)" } ?? ""
      return ".c\(index){color:\(front.hexText)\(back)}"
    }.joined(separator: "\n")
  }
}
