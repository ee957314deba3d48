import FoundationEssentials
import Testing
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetSessions

@testable import WidgetTUI

/// Cards that are filled, and colours that are moved so that they can be read.
@Suite struct SurfaceTests {
  private static let themes: [ThemeDefinition] = {
    let themes = ThemeCatalog(environment: ["HOME": "/nowhere"])
    return themes.ids.compactMap {
      if case .found(let theme) = themes.theme($0) { theme } else { nil }
    }
  }()

  private static let ground = Color.rgb(red: 0, green: 0, blue: 9)

  private func draw(_ size: Size, _ surface: Color?, focus: Int? = nil) -> Canvas {
    var look = PageLook(now: SamplePage.now)
    look.fill = surface.map { CardFill(surface: $0, ground: Self.ground) }
    var model = SamplePage.model(size, look: look)
    model.place.focus = focus.map { PageFocus(card: model.content.cards[$0].id) }
    return TodayView.draw(model)
  }

  @Test func `two of the shipped themes fill cards, a dark one and a light one`() {
    let filled = Self.themes.filter { $0.surface != nil }
    #expect(Set(filled.map(\.isDark)) == [true, false] && filled.count == 2)
    #expect(filled.allSatisfy { $0.background != nil })
    for theme in filled {
      #expect(Theme(depth: .palette, theme).surface == theme.surface)
      #expect(Theme(depth: .sixteen, theme).surface == nil)
      #expect(Theme(depth: .none, theme).surface == nil)
    }
  }

  private static func bar(_ json: String, _ gauge: [Color]) throws -> [Color?] {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    let body = ViewLayout.layOut(node, width: 8, in: LayoutEnvironment(now: SamplePage.now))
    var look = PageLook(showsBorders: false, now: SamplePage.now)
    look.gauge = gauge
    var card = SamplePage.card("Card", .live)
    card.marginInsets = .zero
    let frame = Rect(column: 0, row: 0, columns: 8, rows: 2)
    var canvas = Canvas(size: frame.size)
    CardView(card: card, body: CardBody(body), look: look)
      .draw(on: &canvas, frame: frame, clip: frame, focus: .none)
    return canvas.row(1).map(\.style.foreground)
  }

  @Test func `bars have the colours of the theme, unless thresholds say what the value means`()
    throws
  {
    let gauge: [Color] = [.green, .yellow, .orange, .red]
    let track = [Color?](repeating: .separator, count: 2)
    #expect(
      try Self.bar(#"{"type":"gauge","value":0.75,"style":{"foreground":"blue"}}"#, gauge)
        == [.green, .green, .yellow, .yellow, .orange, .orange] + track
    )
    let rated =
      #"{"type":"gauge","value":0.75,"thresholds":[{"at":0.5,"foreground":"purple"}]}"#
    #expect(try Self.bar(rated, gauge) == [Color?](repeating: .purple, count: 6) + track)
    #expect(
      try Self.bar(#"{"type":"gauge","value":0.75}"#, []) == [Color?](repeating: nil, count: 6)
        + track
    )
  }

  @Test func `the colours of gauges are mixed where there are enough, and named ones elsewhere`() {
    var definition = ThemeDefinition(id: "a", name: "A", isDark: true, gauge: [.green, .red])
    let mixed = Theme(depth: .full, definition).gauge
    let theme = Theme(depth: .full, definition)
    #expect(mixed.count > 16 && Set(mixed).count == mixed.count)
    #expect(mixed.first.map(theme.rgb) == theme.rgb(.green))
    #expect(mixed.last.map(theme.rgb) == theme.rgb(.red))
    #expect(Theme(depth: .sixteen, definition).gauge == [.green, .red])
    #expect(Theme(depth: .none, definition).gauge == [])
    definition.gauge = [.green, .rgb(red: 1, green: 2, blue: 3)]
    #expect(Theme(depth: .eight, definition).gauge == [])
  }

  @Test func `shipped themes of both kinds of background have colours of gauges or none`() {
    #expect(Self.themes.filter { !$0.gauge.isEmpty }.map(\.id).sorted() == ["ember", "midnight"])
  }

  @Test(arguments: [80, 120, 200]) func `a filled card has the words of one with lines`(width: Int)
  {
    let surface = Color.rgb(red: 1, green: 2, blue: 3)
    let lines = draw(Size(columns: width, rows: 40), nil)
    let filled = draw(Size(columns: width, rows: 40), surface)
    let isLetter = { (glyph: Glyph) in glyph.text.allSatisfy { $0.isLetter || $0.isNumber } }
    #expect(
      lines.cells.map(\.glyph).filter(isLetter) == filled.cells.map(\.glyph).filter(isLetter)
    )
    let corners: Set<String> = ["╭", "╮", "╰", "╯", "│"]
    #expect(!filled.cells.contains { corners.contains($0.glyph.text) })
    #expect(filled.cells.contains { $0.style.background == surface })
    // The last row of a card is half of its colour and half of the page's.
    #expect(
      filled.cells.contains {
        $0.glyph.text == "▀" && $0.style.foreground == surface && $0.style.background == Self.ground
      }
    )
  }

  @Test func `the left edge of a filled card shows the focus`() {
    let surface = Color.rgb(red: 1, green: 2, blue: 3)
    let size = Size(columns: 80, rows: 40)
    let edge = { (canvas: Canvas) in
      canvas.cells.filter { $0.glyph.text == "▐" && $0.style.foreground == .accent }
    }
    #expect(edge(draw(size, surface)).isEmpty)
    let focused = edge(draw(size, surface, focus: 0))
    #expect(!focused.isEmpty && focused.allSatisfy { $0.style.background == Self.ground })
  }

  @Test(arguments: [ColorDepth.full, .palette])
  func `text on filled cards has a contrast of 4.5 to 1 or more`(depth: ColorDepth) throws {
    for definition in Self.themes {
      let theme = Theme(depth: depth, definition)
      guard let surface = theme.surface else { continue }
      for name in SemanticColor.allCases where name != .separator {
        for attributes: CellAttributes in [[], .dim] {
          let style = CellStyle(
            foreground: .semantic(name),
            background: surface,
            attributes: attributes
          )
          let drawn = theme.resolve(style)
          let contrast = try #require(rgb(drawn.foreground)).contrast(
            with: try #require(rgb(drawn.background))
          )
          #expect(contrast >= RGB.textContrast, "\(definition.id): \(name): \(contrast)")
        }
      }
    }
  }

  private func rgb(_ color: TerminalColor?) -> RGB? {
    switch color {
    case .rgb(let rgb)?: rgb
    case .indexed(let index)?: RGB(index: index)
    case nil: nil
    }
  }

  // MARK: - Colours of scripts and widgets

  @Test(arguments: [ColorDepth.full, .palette])
  func `every colour that is sent has a contrast of 4.5 to 1 in every theme`(depth: ColorDepth)
    throws
  {
    let parts: [UInt8] = [0, 90, 175, 255]
    let sent =
      parts.flatMap { red in
        parts.flatMap { green in
          parts.map { blue in Color.rgb(red: red, green: green, blue: blue) }
        }
      } + (16...255).map { Color.indexed($0) }
    for definition in Self.themes where definition.id != "ansi" {
      let theme = Theme(depth: depth, definition)
      for back in [nil, theme.surface] {
        for color in sent {
          let drawn = theme.resolve(CellStyle(foreground: color, background: back))
          let ground = rgb(drawn.background) ?? theme.windowBackground
          let contrast = try #require(rgb(drawn.foreground)).contrast(with: ground)
          #expect(contrast >= RGB.textContrast, "\(definition.id): \(color): \(contrast)")
        }
      }
    }
  }

  @Test func `a colour that is moved keeps its hue, and one that can be read stays`() {
    let theme = Theme(depth: .full, isDark: true)
    let moved = theme.pictureColors(CellStyle(foreground: .rgb(red: 0, green: 0, blue: 200)))
      .foreground
    #expect(moved.blue > moved.red && moved.red == moved.green)
    let readable = Color.rgb(red: 255, green: 200, blue: 90)
    #expect(theme.legible(readable, on: nil) == readable)
    #expect(theme.legible(.indexed(4), on: nil) == .indexed(4))
    #expect(theme.legible(.red, on: nil) == .red)
    // A picture of blocks has both colours.
    let dark = Color.rgb(red: 9, green: 9, blue: 9)
    #expect(theme.legible(dark, on: .rgb(red: 0, green: 0, blue: 0)) == dark)
    #expect(Theme(depth: .none).legible(dark, on: nil) == dark)
  }

  @Test func `a low part of a graph is nearer to the background, where there are colours`() {
    var low = CellStyle(foreground: .green)
    low.attributes.shade = 3
    let high = CellStyle(foreground: .green)
    for depth in [ColorDepth.full, .palette] {
      let theme = Theme(depth: depth)
      #expect(theme.resolve(low).foreground != theme.resolve(high).foreground)
      #expect(theme.resolve(low).attributes == [])
    }
    for depth in [ColorDepth.none, .eight, .sixteen] {
      let theme = Theme(depth: depth)
      #expect(theme.resolve(low) == theme.resolve(high))
    }
    let theme = Theme(depth: .full)
    let ground = theme.windowBackground
    #expect(
      theme.pictureColors(low).foreground.contrast(with: ground)
        < theme.pictureColors(high).foreground.contrast(with: ground)
    )
  }
}
