import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct LinkLayerTests {
  private let theme = Theme(depth: .palette)

  private func canvas(_ text: SafeText) -> Canvas {
    var canvas = Canvas(size: Size(columns: 10, rows: 2))
    canvas.write(text, style: .plain, at: Position(column: 0, row: 1), in: canvas.bounds)
    return canvas
  }

  private func link(_ url: String, column: Int = 2, columns: Int = 3) -> PageLink {
    PageLink(area: Rect(column: column, row: 1, columns: columns, rows: 1), url: url)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `the cells of a link are written again with it, once`() {
    var layer = LinkLayer()
    let canvas = canvas("go here now")
    let all = CanvasDiff.segments(from: nil, to: canvas)
    let bytes = layer.bytes([link("https://a.example/")], on: canvas, drawn: all, theme)
    #expect(
      text(bytes)
        == "\u{1B}7\u{1B}[2;3H\u{1B}]8;;https://a.example/\u{1B}\\\u{1B}[0m \u{1B}[0mh\u{1B}[0me"
        + "\u{1B}]8;;\u{1B}\\\u{1B}8"
    )
    let again = layer.bytes([link("https://a.example/")], on: canvas, drawn: [], theme)
    #expect(again.isEmpty)
  }

  @Test func `a cell that is drawn again gets its link again, and one without a link loses it`() {
    var layer = LinkLayer()
    let before = canvas("go here now")
    let all = CanvasDiff.segments(from: nil, to: before)
    _ = layer.bytes([link("https://a.example/")], on: before, drawn: all, theme)
    let after = canvas("go Here now")
    let some = CanvasDiff.segments(from: before, to: after)
    let again = text(layer.bytes([link("https://a.example/")], on: after, drawn: some, theme))
    #expect(again.contains("\u{1B}[2;4H\u{1B}]8;;https://a.example/") && again.contains("H"))
    #expect(!again.contains("\u{1B}[2;3H"))
    let gone = text(layer.bytes([], on: after, drawn: [], theme))
    #expect(gone.contains("\u{1B}[2;3H") && !gone.contains("]8;;https"))
  }

  @Test(arguments: [(10, 1), (4, 2), (30, 4), (1, 1), (0, 0)])
  func `a screen of another size begins without links`(columns: Int, rows: Int) {
    var layer = LinkLayer()
    let before = canvas("go here now")
    let all = CanvasDiff.segments(from: nil, to: before)
    _ = layer.bytes([link("https://a.example/")], on: before, drawn: all, theme)
    let after = Canvas(size: Size(columns: columns, rows: rows))
    let some = CanvasDiff.segments(from: nil, to: after)
    #expect(layer.bytes([], on: after, drawn: some, theme).isEmpty)
    let back = text(layer.bytes([link("https://a.example/")], on: before, drawn: all, theme))
    #expect(back.contains("]8;;https://a.example/"))
  }

  @Test(arguments: [
    ("https://example.com/a?b=%20", true), ("HTTP://x", true), ("mailto:a@b", true),
    ("clowntown://x", false), ("javascript:alert(1)", false), ("https://a b", false),
    ("https://a\u{1B}\\", false), ("https://a\u{07}", false), ("https://ä", false), ("", false),
    ("https://" + String(repeating: "a", count: 3_000), false),
  ])
  func `only a URL that a terminal opens and that cannot act on it is a link`(
    url: String,
    isLink: Bool
  ) {
    #expect(LinkLayer.isLink(url) == isLink)
  }
}
