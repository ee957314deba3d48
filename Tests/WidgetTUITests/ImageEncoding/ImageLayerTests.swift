import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore

@testable import WidgetTUI

@Suite struct `Pictures on a terminal with graphics` {
  private let drawing = ImageDrawing(number: 3, size: Size(columns: 4, rows: 3))
  private let theme = Theme(depth: .full)

  private func graphics(_ reports: TerminalReport...) -> TerminalGraphics {
    var graphics = TerminalGraphics(
      TerminalKind(environment: ["TERM": "xterm-kitty"]),
      isUTF8: true
    )
    _ = graphics.question(at: .now)
    for report in reports { graphics.take(report) }
    return graphics
  }

  private var kitty: TerminalGraphics {
    graphics(.graphics(true), .cellPixels(width: 2, height: 6), .attributes([62, 4]))
  }

  private var sixel: TerminalGraphics {
    graphics(.cellPixels(width: 2, height: 6), .attributes([62, 4]))
  }

  /// A red picture of 8 × 18 pixels.
  private func images(_ byte: UInt8 = 255) throws -> DrawnImages {
    let bytes = (0..<8 * 18).flatMap { _ in [byte, 0, 0, 255] as [UInt8] }
    return [drawing: .pixels(try #require(ImagePixels(width: 8, height: 18, bytes: bytes)))]
  }

  /// What is sent for a page, after what was drawn before.
  private func send(
    _ page: Canvas,
    _ images: DrawnImages,
    _ graphics: TerminalGraphics,
    on layer: inout ImageLayer,
    after shown: inout Canvas?,
    isFrame: Bool = false
  ) -> (canvas: Canvas, before: String, behind: String) {
    let canvas = layer.canvas(page, images, graphics, theme, isFrame: isFrame)
    let segments = CanvasDiff.segments(from: shown, to: canvas)
    shown = canvas
    let bytes = layer.bytes(
      page,
      images,
      drawn: segments,
      graphics,
      theme,
      isFrame: isFrame
    )
    return (
      canvas, String(decoding: bytes.before, as: UTF8.self),
      String(decoding: bytes.behind, as: UTF8.self)
    )
  }

  private func page(
    column: Int = 2,
    row: Int = 1,
    attributes: CellAttributes = []
  ) -> Canvas {
    `Pictures on a canvas`.canvas(at: Position(column: column, row: row), attributes: attributes)
  }

  /// A picture of 8 × 18 pixels, from red to blue, with a transparent corner.
  private func gradient() throws -> DrawnImages {
    let bytes = (0..<8 * 18).flatMap { index -> [UInt8] in
      let share = UInt8(index / 8 * 14)
      return [255 - share, 0, share, index % 8 + index / 8 < 3 ? 0 : 255]
    }
    return [drawing: .pixels(try #require(ImagePixels(width: 8, height: 18, bytes: bytes)))]
  }

  /// What is sent, a line for each sequence, with a fixed number for the picture of kitty.
  private func readable(_ text: String) -> String {
    var text = text
    if let id = text.firstRange(of: ",i="),
      let number = Int(text[id.upperBound...].prefix { $0 != "," })
    {
      let color = { (id: Int) in "38;2;\(id >> 16 & 255);\(id >> 8 & 255);\(id & 255)m" }
      text = text.replacing(color(number), with: color(0x123456))
      text = text.replacing("i=\(number)", with: "i=1193046")
    }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar.value {
      case 0x1B: result += "\nESC "
      case 0x20...0x7E: result.unicodeScalars.append(scalar)
      default: result += "<\(String(scalar.value, radix: 16))>"
      }
    } + "\n"
  }

  @Test(arguments: ["plain", "dim", "focused"], ["kitty", "sixel", "moving"])
  func `are sent as recorded, in each tone`(tone: String, method: String) throws {
    let attributes: CellAttributes = tone == "plain" ? [] : tone == "dim" ? .dim : .reverse
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    let sent = send(
      page(attributes: attributes),
      try gradient(),
      method == "kitty" ? kitty : sixel,
      on: &layer,
      after: &shown,
      isFrame: method == "moving"
    )
    let text =
      method == "moving"
      ? ANSIWriter(theme: theme).text(sent.canvas) : sent.before + sent.behind
    Golden.expect(readable(text), matches: "Picture.\(method).\(tone).txt")
  }

  @Test func `change their tone, and are shown plain until they have`() throws {
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    let first = send(page(), try images(), kitty, on: &layer, after: &shown)
    let focused = page(attributes: .reverse)
    let second = send(focused, try images(), kitty, on: &layer, after: &shown)
    #expect(second.before.contains("a=T,U=1") && second.before != first.before)
    #expect(second.behind.contains("\u{10EEEE}\u{305}\u{305}"))
    // The terminal has both then.
    let third = send(page(), try images(), kitty, on: &layer, after: &shown)
    #expect(third.before.isEmpty && third.behind.contains("\u{10EEEE}\u{305}\u{305}"))
    #expect(
      String(decoding: layer.farewell(), as: UTF8.self).components(separatedBy: "a=d").count == 3
    )

    // Sixels are drawn again in the other tone.
    (layer, shown) = (ImageLayer(), nil)
    let bright = send(page(), try images(), sixel, on: &layer, after: &shown)
    let dim = send(page(attributes: .dim), try images(), sixel, on: &layer, after: &shown)
    #expect(dim.behind.contains("\u{1B}P") && dim.behind != bright.behind)
  }

  @Test func `that are not drawn any more are blanks`() {
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    let sent = send(page(), [:], kitty, on: &layer, after: &shown)
    #expect(sent.before.isEmpty && sent.behind.isEmpty)
    #expect(sent.canvas == page())
  }

  @Test func `are sent once, and then stand in characters`() throws {
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    let first = send(page(), try images(), kitty, on: &layer, after: &shown)
    #expect(first.before.hasPrefix("\u{1B}_Ga=T,U=1,q=2,f=100,t=d,i="))
    #expect(first.before.contains(",c=4,r=3,m=0;iVBOR"))
    #expect(first.before.hasSuffix("\u{1B}\\"))
    let cell =
      "\u{10EEEE}\u{305}\u{305}\u{10EEEE}\u{305}\u{30D}\u{10EEEE}\u{305}\u{30E}\u{10EEEE}\u{305}\u{310}"
    #expect(first.behind.hasPrefix("\u{1B}7\u{1B}[2;3H\u{1B}[0;38;2;"))
    #expect(first.behind.contains(cell))
    #expect(first.behind.hasSuffix("\u{1B}[0m\u{1B}8"))
    #expect(!layer.isUnfinished)
    let again = send(page(), try images(), kitty, on: &layer, after: &shown)
    #expect(again.before.isEmpty && again.behind.isEmpty)
    // One row further up only the characters are sent, those that are still on the screen.
    let moved = send(page(row: -1), try images(), kitty, on: &layer, after: &shown)
    #expect(moved.before.isEmpty)
    #expect(moved.behind.contains("\u{1B}[1;3H"))
    #expect(moved.behind.contains("\u{10EEEE}\u{30D}\u{305}"))
    #expect(!moved.behind.contains(cell))
  }

  @Test func `are blanks for ncurses that it does not erase`() throws {
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    let sent = send(page(), try images(), kitty, on: &layer, after: &shown)
    #expect(sent.canvas.row(1)[2].glyph.text == "\u{A0}")
    #expect(sent.canvas.cells.allSatisfy { $0.glyph.image == nil })
  }

  @Test func `are written again in a row that ncurses has written`() throws {
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    _ = send(page(), try images(), kitty, on: &layer, after: &shown)
    var other = page()
    other.write("x", style: .plain, at: Position(column: 0, row: 2), in: other.bounds)
    let sent = send(other, try images(), kitty, on: &layer, after: &shown)
    #expect(sent.behind.contains("\u{1B}[3;3H") && !sent.behind.contains("\u{1B}[2;3H"))
  }

  @Test func `are removed when they are not drawn any more, and at the end`() throws {
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    let first = send(page(), try images(), kitty, on: &layer, after: &shown)
    let id = try #require(first.before.split(separator: ",").first { $0.hasPrefix("i=") })
    let blank = Canvas(size: page().size)
    let removed = send(blank, [:], kitty, on: &layer, after: &shown)
    #expect(removed.before == "\u{1B}_Ga=d,d=I,\(id),q=2\u{1B}\\")
    _ = send(page(), try images(), kitty, on: &layer, after: &shown)
    #expect(String(decoding: layer.farewell(), as: UTF8.self).contains("a=d,d=I,i="))
    #expect(layer.farewell().isEmpty)
    // After that everything is sent again.
    let again = send(page(), try images(), kitty, on: &layer, after: &shown)
    #expect(again.before.contains("a=T,U=1"))
  }

  @Test func `that are large are sent in parts, with a frame between them`() throws {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<300 * 300 * 4).map {
      $0 % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &generator)
    }
    let pixels = try #require(ImagePixels(width: 300, height: 300, bytes: bytes))
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    var sent = send(page(), [drawing: .pixels(pixels)], kitty, on: &layer, after: &shown)
    #expect(layer.isUnfinished && sent.behind.isEmpty)
    var text = sent.before
    var count = 1
    while layer.isUnfinished, count < 100 {
      sent = send(page(), [drawing: .pixels(pixels)], kitty, on: &layer, after: &shown)
      #expect(sent.before.utf8.count < 70_000)
      text += sent.before
      count += 1
    }
    #expect(count > 3 && sent.behind.contains("\u{10EEEE}\u{305}\u{305}"))
    let parts = text.components(separatedBy: "\u{1B}_G").dropFirst()
    #expect(parts.dropFirst().dropLast().allSatisfy { $0.hasPrefix("q=2,m=1;") })
    #expect(parts.last?.hasPrefix("q=2,m=0;") == true)
    let file = parts.map { $0.drop { $0 != ";" }.dropFirst().prefix { $0 != "\u{1B}" } }.joined()
    #expect(file == Base64.text(of: PNGFile.bytes(of: pixels)))
  }

  @Test func `are sixels of whole cells where they are visible`() throws {
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    let sent = send(page(column: 8), try images(), sixel, on: &layer, after: &shown)
    #expect(sent.before.isEmpty)
    // Two of four columns are on the screen: 4 × 18 pixels in three bands of one colour.
    #expect(sent.behind.contains("\u{1B}[2;9H\u{1B}P0;1;0q\"1;1;4;18#"))
    let definition = try #require(sent.behind.components(separatedBy: "4;18").last)
    #expect(definition.hasPrefix("#210;2;100;0;0#210!4~-#210!4~-#210!4~-\u{1B}\\"))
    #expect(sent.behind.hasSuffix("\u{1B}[0m\u{1B}8"))
    let again = send(page(column: 8), try images(), sixel, on: &layer, after: &shown)
    #expect(again.behind.isEmpty)
  }

  @Test func `never scroll the screen, and are characters while they move`() throws {
    var (layer, shown) = (ImageLayer(), Canvas?.none)
    // The last row of the screen is left out.
    let low = send(page(row: 3), try images(), sixel, on: &layer, after: &shown)
    #expect(low.behind.contains("\"1;1;8;6#"))
    let moving = send(page(), try images(), sixel, on: &layer, after: &shown, isFrame: true)
    #expect(moving.behind.isEmpty && layer.isUnfinished)
    let cell = moving.canvas.row(1)[2]
    #expect(cell.glyph.text == "▀")
    #expect(cell.style.foreground == .rgb(red: 255, green: 0, blue: 0))
    let still = send(page(), try images(), sixel, on: &layer, after: &shown)
    #expect(still.behind.contains("\u{1B}P") && !layer.isUnfinished)
  }

  @Test func `are decided by what the terminal says, within a time`() {
    var silent = graphics()
    #expect(silent.method == nil && silent.isUndecided(at: .now))
    #expect(!silent.isUndecided(at: .now + .seconds(1)))
    silent.take(.attributes([1, 2]))
    #expect(silent.method == nil && !silent.isUndecided(at: .now))
    #expect(kitty.method == .kitty && sixel.method == .sixel)
    #expect(graphics(.attributes([4])).method == nil)
    #expect(graphics(.graphics(false), .attributes([1])).method == nil)
    #expect(graphics(.cellPixels(width: 0, height: 9_999), .attributes([4])).method == nil)
    // After another program has used the terminal, it may be another one.
    var back = kitty
    back.forget()
    #expect(back.method == nil && back.isUndecided(at: .now))
    #expect(!back.question(at: .now).isEmpty && back.cellPixels == kitty.cellPixels)
    var other = TerminalGraphics(TerminalKind(environment: ["TERM": "vt100"]), isUTF8: true)
    #expect(other.question(at: .now).isEmpty && !other.isUndecided(at: .now))
    var plain = TerminalGraphics(TerminalKind(environment: ["TERM": "xterm"]), isUTF8: false)
    #expect(plain.question(at: .now).isEmpty && !plain.isUndecided(at: .now))
  }

  @Test func `have a mark for each row and column`() {
    #expect(PlaceholderMarks.all.count == 256)
    #expect(Set(PlaceholderMarks.all).count == 256)
  }
}
