import FoundationEssentials
import Testing
import WidgetKitCore

@Suite struct `A picture in a view` {
  private static let file = ImageSource.path("a.png")
  /// Twice as wide as high, so in cells four times as wide as high.
  private static let found = FoundImage(number: 7, pixels: Size(columns: 400, rows: 200))

  private func layOut(
    _ members: String = "",
    width: Int = 40,
    height: Int? = nil,
    ready: [Size] = [],
    isFound: Bool = true,
    redacts: Bool = false
  ) throws -> LaidOutView {
    var environment = LayoutEnvironment(
      now: Date(timeIntervalSince1970: 0),
      dates: DateWording(offsetFromGMT: 0),
      redactsPrivate: redacts
    )
    if isFound { environment.images.found = [Self.file: Self.found] }
    environment.images.ready = Set(ready.map { ImageDrawing(number: 7, size: $0) })
    let json = #"{"type":"image","path":"a.png","alt":"a clown"\#(members)}"#
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    return ViewLayout.layOut(node, width: width, height: height, in: environment)
  }

  private func text(_ view: LaidOutView) -> String {
    view.runs.map { $0.cells.map(\.glyph.text).joined() }.joined(separator: "\n")
  }

  @Test(
    arguments: [
      (400, 200, 40, nil, 40, 10), (400, 200, 20, nil, 20, 5), (400, 200, 200, nil, 50, 13),
      (400, 200, 40, 5, 20, 5), (400, 200, 10, 5, 10, 3), (16, 16, 40, nil, 2, 1),
      (1, 1, 40, nil, 1, 1), (1, 10_000, 40, nil, 1, 40), (10_000, 1, 40, nil, 40, 1),
      (100, 10_000, 40, 100, 2, 100), (400, 200, 0, nil, 0, 0), (400, 200, 40, 0, 0, 0),
      (400, 200, 10_000, 10_000, 256, 64), (.max, .max, 40, nil, 40, 20), (400, 200, 1, nil, 1, 1),
    ] as [(Int, Int, Int, Int?, Int, Int)]
  )
  func `has the ratio of its pixels`(
    _ width: Int,
    _ height: Int,
    _ columns: Int,
    _ rows: Int?,
    _ wide: Int,
    _ high: Int
  ) {
    let size = ImageDrawing.size(
      of: Size(columns: width, rows: height),
      width: columns,
      rows: rows
    )
    #expect(size == Size(columns: wide, rows: high))
  }

  @Test func `has its height before it is drawn, and shows its alt until then`() throws {
    let view = try layOut()
    #expect(view.size == Size(columns: 40, rows: 10))
    #expect(text(view) == "a clown")
    #expect(view.images == [ImageDrawing(number: 7, size: Size(columns: 40, rows: 10))])
  }

  @Test func `is drawn cell by cell when it is ready`() throws {
    let view = try layOut(ready: [Size(columns: 40, rows: 10)])
    #expect(view.size.rows == 10)
    #expect(view.runs.count == 10)
    let cells = view.runs.map(\.cells)
    #expect(cells.allSatisfy { $0.count == 40 })
    #expect(
      cells[3][5].glyph.image
        == ImageCell(
          ImageDrawing(number: 7, size: Size(columns: 40, rows: 10)),
          at: Position(column: 5, row: 3)
        )
    )
    // A cell of a picture has no text, which would be its numbers.
    #expect(cells.joined().allSatisfy { $0.glyph.text.isEmpty && $0.glyph.width == 1 })
  }

  @Test func `is clipped like text`() throws {
    let view = try layOut(
      #","frame":{"width":40},"padding":{"left":30}"#,
      width: 20,
      height: 4,
      ready: [Size(columns: 4, rows: 1)]
    )
    #expect(
      view.runs.allSatisfy { $0.position.row < 4 && $0.position.column + $0.cells.count <= 20 }
    )
    let cut = try layOut(#","height":8"#, height: 3, ready: [Size(columns: 32, rows: 8)])
    #expect(cut.runs.map(\.position.row) == [0, 1, 2])
  }

  @Test func `of another size is not drawn in its place`() throws {
    #expect(text(try layOut(ready: [Size(columns: 39, rows: 10)])) == "a clown")
  }

  @Test func `has the height of its alt, or the one requested, if there is no file`() throws {
    #expect(try layOut(isFound: false).size.rows == 1)
    #expect(try layOut(#","height":3"#, isFound: false).size.rows == 3)
    #expect(try layOut(isFound: false).images.isEmpty)
  }

  @Test func `is not drawn where private content is redacted, and neither is its alt`() throws {
    let view = try layOut(
      #","privacySensitive":true"#,
      ready: [Size(columns: 40, rows: 10)],
      redacts: true
    )
    #expect(view.size.rows == 10)
    #expect(view.images.isEmpty)
    #expect(view.runs.joinedGlyphs.allSatisfy { $0.image == nil })
    #expect(!text(view).contains("clown"))
  }

  @Test func `lists each file of a view once`() throws {
    let json = #"""
      {"type":"vstack","children":[{"type":"image","path":"a.png"},{"type":"image","data":"QQ=="},
        {"type":"hstack","children":[{"type":"image","path":"a.png"},{"type":"image"}]}]}
      """#
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    #expect(node.imageSources == [.path("a.png"), .data("QQ==")])
  }

  @Test func `cannot be imitated by a text`() {
    #expect(SafeText("\u{10EEEE}\u{0305}\u{0305}").string.unicodeScalars.first == "\u{FFFD}")
    for number in [0, 1, Glyph.largestImageNumber] {
      let cell = ImageCell(
        ImageDrawing(number: number, size: ImageDrawing.largest),
        at: Position(column: 255, row: 99)
      )
      #expect(Glyph(image: cell).image == cell)
    }
    #expect(Glyph.glyphs(of: "a\u{10FFFF}").allSatisfy { $0.image == nil })
  }
}

extension [CellRun] {
  fileprivate var joinedGlyphs: [Glyph] { flatMap { $0.cells.map(\.glyph) } }
}
