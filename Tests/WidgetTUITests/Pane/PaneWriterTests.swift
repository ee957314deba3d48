import Testing
import WidgetKitCore

@testable import WidgetTUI

@Suite struct PaneWriterTests {
  private func canvas(_ lines: [SafeText], columns: Int = 10) -> Canvas {
    var canvas = Canvas(size: Size(columns: columns, rows: lines.count))
    for (row, line) in lines.enumerated() {
      canvas.write(line, style: .plain, at: Position(column: 0, row: row), in: canvas.bounds)
    }
    return canvas
  }

  private func writer(_ isUTF8: Bool = true) -> PaneWriter {
    PaneWriter(Theme(depth: .none), isUTF8: isUTF8, showsFramesWhole: false)
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
  }

  @Test func `rows are made room for, and the cursor is where it was`() {
    var writer = writer()
    #expect(
      text(writer.bytes(of: canvas(["ab", "c"])))
        == "\n^[1A\r^[0mab^[m^[K^[1B\r^[0mc^[m^[K^[1A\r"
    )
  }

  @Test func `only what has changed is written`() {
    var writer = writer()
    _ = writer.bytes(of: canvas(["ab", "cd"]))
    #expect(text(writer.bytes(of: canvas(["ab", "cx"]))) == "^[1B\r^[1C^[0mx^[m^[1A\r")
    #expect(writer.bytes(of: canvas(["ab", "cx"])) == [])
  }

  @Test func `behind a prompt it begins on the next row`() {
    var writer = writer()
    writer.begin(atColumn: 4)
    #expect(text(writer.bytes(of: canvas(["a"]))) == "\n^[1A^[1B\r^[0ma^[m^[K^[1A\r^[4C")
  }

  @Test func `outside of UTF-8 it is ASCII`() {
    var writer = writer(false)
    let bytes = writer.bytes(of: canvas(["äöü …"]))
    #expect(bytes.allSatisfy { $0 < 0x80 })
  }
}
