import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore

@testable import WidgetTUI

@Suite struct `Pictures on a canvas` {
  private static let drawing = ImageDrawing(number: 3, size: Size(columns: 4, rows: 3))

  /// A canvas with the picture at a place, cut at the edges.
  static func canvas(
    _ size: Size = Size(columns: 10, rows: 5),
    at origin: Position,
    attributes: CellAttributes = []
  ) -> Canvas {
    var canvas = Canvas(size: size)
    for row in 0..<drawing.size.rows {
      let cells = (0..<drawing.size.columns).map { column in
        let cell = ImageCell(drawing, at: Position(column: column, row: row))
        return Cell(glyph: Glyph(image: cell), style: CellStyle(attributes: attributes))
      }
      let run = CellRun(
        position: Position(column: origin.column, row: origin.row + row),
        cells: cells,
        element: nil
      )
      canvas.put(run, in: canvas.bounds)
    }
    return canvas
  }

  static let symbols: DrawnImages = [
    drawing: .symbols(
      (0..<12).map { index in
        Cell(
          glyph: Glyph.glyphs(of: String("abcdefghijkl".dropFirst(index).prefix(1)))[0],
          style: CellStyle(foreground: .indexed(UInt8(index)))
        )
      }
    )
  ]

  @Test(arguments: [
    (Position(column: 2, row: 1), Rect(column: 2, row: 1, columns: 4, rows: 3), Position.zero),
    (
      Position(column: -1, row: -2), Rect(column: 0, row: 0, columns: 3, rows: 1),
      Position(column: 1, row: 2)
    ),
    (Position(column: 8, row: 4), Rect(column: 8, row: 4, columns: 2, rows: 1), Position.zero),
  ])
  func `are found as one piece with the part that is visible`(
    _ origin: Position,
    _ area: Rect,
    _ start: Position
  ) {
    let pieces = Self.canvas(at: origin).imagePieces
    #expect(pieces.map(\.area) == [area])
    #expect(pieces.map(\.start) == [start])
    #expect(pieces.first?.drawing == Self.drawing)
  }

  @Test func `are found in several pieces where something covers them`() {
    var canvas = Self.canvas(at: Position(column: 2, row: 1))
    canvas.write("x", style: .plain, at: Position(column: 4, row: 2), in: canvas.bounds)
    let areas = canvas.imagePieces.map(\.area)
    #expect(areas.reduce(0) { $0 + $1.size.columns * $1.size.rows } == 11)
    #expect(areas.count == 4)
  }

  @Test func `become their characters, with the attributes of the place`() {
    let canvas = Self.canvas(at: Position(column: -1, row: 0), attributes: .dim)
      .withSymbols(of: Self.symbols)
    #expect(TextWriter.lines(canvas).prefix(3) == ["bcd", "fgh", "jkl"])
    #expect(canvas.row(1)[0].style == CellStyle(foreground: .indexed(5), attributes: .dim))
  }

  @Test func `become blanks where they are not drawn, and never their numbers`() {
    let canvas = Self.canvas(at: Position(column: 0, row: 0))
    #expect(TextWriter.text(canvas.withSymbols(of: [:])) == "\n\n\n\n\n")
    #expect(TextWriter.text(canvas.withoutImages) == "\n\n\n\n\n")
    #expect(!TextWriter.text(canvas).unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test func `are embedded in SVG and HTML as pictures of the program's own`() throws {
    let pixels = try #require(
      ImagePixels(width: 2, height: 1, bytes: [255, 0, 0, 255, 0, 0, 255, 128])
    )
    let images: DrawnImages = [Self.drawing: .pixels(pixels)]
    let canvas = Self.canvas(at: Position(column: 2, row: 1))
    let url = "data:image/png;base64,\(Base64.text(of: PNGFile.bytes(of: pixels)))"
    let svg = SVGWriter(theme: Theme(depth: .full), images: images).text(canvas)
    #expect(svg.contains(##"<image id="image1" width="33.72" height="54" href="\##(url)"/>"##))
    let place = ##"<svg x="16.86" y="18" width="33.72" height="54" viewBox="0 0 33.72 54">"##
    #expect(svg.contains("\(place)<use href=\"#image1\"/>"))
    let html = HTMLWriter(theme: Theme(depth: .full), images: images).text(canvas)
    #expect(html.contains("b.image1{background-image:url(\(url))}"))
    #expect(html.contains("left:calc(1em + 2ch);top:calc(1em + 17.5px);width:4ch;height:52.5px"))
    #expect(html.contains("left:-0ch;top:-0px;width:4ch;height:52.5px"))
    // Not stretched to its cells.
    #expect(html.contains(".image b{background:center/contain no-repeat}"))
  }

  @Test func `that are cut show their visible part in SVG`() throws {
    let pixels = try #require(ImagePixels(width: 1, height: 1, bytes: [1, 2, 3, 4]))
    let svg = SVGWriter(theme: Theme(depth: .full), images: [Self.drawing: .pixels(pixels)])
      .text(Self.canvas(at: Position(column: -1, row: -2)))
    #expect(svg.contains(#"width="25.29" height="18" viewBox="8.43 36 25.29 18""#))
  }
}

@Suite struct `A PNG file` {
  private let pixels = ImagePixels(
    width: 3,
    height: 2,
    bytes: (0..<24).map { UInt8(truncatingIfNeeded: $0 * 37) }
  )

  @Test func `has the size of its pixels and whole chunks`() throws {
    let pixels = try #require(pixels)
    let bytes = PNGFile.bytes(of: pixels)
    #expect(ImageHeader(bytes) == ImageHeader(.png, width: 3, height: 2))
    #expect(bytes.suffix(12) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }

  @Test func `is not larger than without compression`() throws {
    let even = Array(repeating: UInt8(7), count: 100_000)
    #expect(Zlib.compressed(even).count < 1_000)
    #expect(Zlib.stored(even).count == 100_000 + 2 + 2 * 5 + 4)
    #expect(Zlib.stored([]) == [0x78, 0x01, 1, 0, 0, 0xFF, 0xFF, 0, 0, 0, 1])
    // The checksum of RFC 1950: that of “Wikipedia” is 11E60398.
    #expect(Zlib.stored(Array("Wikipedia".utf8)).suffix(4) == [0x11, 0xE6, 0x03, 0x98])
  }

  @Test func `cannot be made of a wrong number of bytes`() {
    #expect(ImagePixels(width: 2, height: 2, bytes: [1, 2, 3]) == nil)
    #expect(ImagePixels(width: 0, height: 2, bytes: []) == nil)
    #expect(ImagePixels(width: .max, height: .max, bytes: []) == nil)
  }
}
