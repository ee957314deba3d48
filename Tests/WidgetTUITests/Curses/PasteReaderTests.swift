import Testing

@testable import WidgetTUI

@Suite struct PasteReaderTests {
  private let start = ContinuousClock.now

  /// What is read of portions that come at a time each, with neighbours joined.
  private func read(_ portions: [[UInt8]], pause: Duration = .zero) -> [PasteReader.Piece] {
    var reader = PasteReader()
    var pieces: [PasteReader.Piece] = []
    for (index, portion) in portions.enumerated() {
      for piece in reader.take(portion, at: start + pause * index) {
        switch (pieces.last, piece) {
        case (.keys(let old)?, .keys(let new)): pieces[pieces.count - 1] = .keys(old + new)
        case (.paste(let old)?, .paste(let new)): pieces[pieces.count - 1] = .paste(old + new)
        default: pieces.append(piece)
        }
      }
    }
    return pieces
  }

  private func keys(_ text: String) -> PasteReader.Piece { .keys(Array(text.utf8)) }

  private static let paste = "j\u{1B}[200~q\u{1B}[A é東\r\nq\n\u{1B}[201~k"

  @Test func `a pasted text is no keys, wherever it is split`() {
    let bytes = Array(Self.paste.utf8)
    let expected = [keys("j"), .paste("q\u{1B}[A é東\r\nq"), keys("k")]
    #expect(read([bytes]) == expected)
    #expect(read([Array(bytes.prefix(4))] + bytes.dropFirst(4).map { [$0] }) == expected)
    for split in bytes.indices {
      let portions = [Array(bytes[..<split]), Array(bytes[split...])]
      // The first two bytes of the mark alone are more likely Esc and a key.
      guard !(2...3).contains(split) else { continue }
      #expect(read(portions) == expected, "split at \(split)")
    }
  }

  @Test func `keys are passed on unchanged, and the beginning of a mark waits for its rest`() {
    let typed = "\u{1B}[A\u{1B}[2~\u{1B}[20~\u{1B}[<0;1;1M\u{1B}"
    #expect(read([Array(typed.utf8)]) == [keys(typed)])
    #expect(read([Array("\u{1B}[2".utf8)]) == [])
    #expect(read([Array("\u{1B}[2".utf8), Array("~".utf8)]) == [keys("\u{1B}[2~")])
  }

  @Test func `of a paste without an end everything is read, and then keys work again`() {
    let open = Array("\u{1B}[200~abc".utf8)
    #expect(read([open, Array("def".utf8)]) == [.paste("abcdef")])
    let after = read([open, Array("q".utf8)], pause: .seconds(3))
    #expect(after == [.paste("abc"), keys("q")])
    let late = read([open, Array("q\u{1B}[201~j".utf8)], pause: .seconds(3))
    #expect(late == [.paste("abc"), keys("qj")])
  }

  @Test func `bytes that are no text do no harm`() {
    let (start, end) = (Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8))
    let bytes = start + [0xFF, 0xC3, 0x28, 0xF0, 0x9F] + end
    #expect(read([bytes]).count == 1)
    #expect(read([Array("\u{1B}[201~\u{1B}[201~q".utf8)]) == [keys("q")])
    #expect(read([Array("\u{1B}[200~\u{1B}[201~q".utf8)]) == [keys("q")])
  }
}
