import Testing
import WidgetTestSupport

@testable import TerminalInput

@Suite struct InputParserTests {
  private let start = ContinuousClock.now

  /// Reads portions that come some time apart, and what is left after a long time.
  private func read(_ portions: [[UInt8]], apart pause: Duration = .milliseconds(60))
    -> [InputEvent]
  {
    var parser = InputParser()
    var now = start
    var events: [InputEvent] = []
    for portion in portions {
      events += parser.expire(at: now)
      events += parser.take(portion, at: now)
      now += pause
    }
    events += parser.expire(at: now + .seconds(10))
    #expect(parser.deadline == nil && parser.pendingCount == 0)
    return Self.joined(events)
  }

  /// The parts of a paste as one.
  private static func joined(_ events: [InputEvent]) -> [InputEvent] {
    events.reduce(into: []) { result, event in
      if case .paste(let part) = event, case .paste(let before)? = result.last {
        result[result.count - 1] = .paste(before + part)
      } else {
        result.append(event)
      }
    }
  }

  private func read(_ text: String) -> [InputEvent] { read([Array(text.utf8)]) }

  @Test(arguments: RecordedInput.all)
  func `what a terminal has sent is the same in one portion`(input: RecordedInput) {
    #expect(read([input.bytes]) == input.events)
  }

  @Test(arguments: RecordedInput.all)
  func `and split at every byte, 60 ms apart`(input: RecordedInput) {
    for place in input.bytes.indices.dropFirst() {
      let portions = [Array(input.bytes[..<place]), Array(input.bytes[place...])]
      #expect(read(portions) == input.events, "split at \(place)")
    }
  }

  @Test(arguments: RecordedInput.all)
  func `and byte by byte, 60 ms apart`(input: RecordedInput) {
    #expect(read(input.bytes.map { [$0] }) == input.events)
  }

  @Test func `all of it behind each other is the same, in portions of every size`() {
    let bytes = RecordedInput.all.flatMap(\.bytes)
    let events = RecordedInput.all.flatMap(\.events)
    for size in 1...40 {
      let portions = stride(from: 0, to: bytes.count, by: size).map {
        Array(bytes[$0..<min($0 + size, bytes.count)])
      }
      #expect(read(portions) == Self.joined(events), "in portions of \(size)")
    }
  }

  @Test func `a lone ESC is the key after a tenth of a second, and not before`() {
    var parser = InputParser()
    #expect(parser.take([0x1B], at: start).isEmpty)
    #expect(parser.deadline == start + .milliseconds(100))
    #expect(parser.expire(at: start + .milliseconds(99)).isEmpty)
    #expect(parser.expire(at: start + .milliseconds(100)) == [RecordedInput.key(.escape)])
    #expect(parser.deadline == nil)
    #expect(parser.take([0x71], at: start + .seconds(1)) == RecordedInput.typed("q"))
  }

  @Test func `two and three ESC are as many keys`() {
    for count in 1...3 {
      let keys = Array(repeating: RecordedInput.key(.escape), count: count)
      #expect(read([Array(repeating: 0x1B, count: count)]) == keys)
    }
  }

  @Test(arguments: ["[", "O", "]", "P", "_", "^", "X"])
  func `the beginning of a sequence alone is Alt with its character`(character: String) throws {
    let scalar = try #require(character.unicodeScalars.first)
    #expect(read("\u{1B}\(character)") == [RecordedInput.key(.character(scalar), .alt)])
  }

  @Test(arguments: [
    "\u{1B}[1;", "\u{1B}[M!", "\u{1B}O1;", "\u{1B}]11;rgb:", "\u{1B}P>|kit", "\u{1B}_Gi=31;O",
    "\u{1B}[[", "\u{1B}[?2026;2$",
  ])
  func `a torn sequence is no key, and the next key is one`(text: String) {
    #expect(
      read([Array(text.utf8), Array("q".utf8)], apart: .seconds(2)) == RecordedInput.typed("q")
    )
    #expect(
      read([Array(text.utf8) + [0x1B], Array("q".utf8)], apart: .seconds(2))
        == [RecordedInput.key(.escape)] + RecordedInput.typed("q")
    )
  }

  @Test func `bytes that the program was too busy to read in time are joined`() {
    var parser = InputParser()
    #expect(parser.take([0x1B], at: start).isEmpty)
    let late = start + .milliseconds(400)
    #expect(parser.take([0x5B, 0x41], at: late) == [RecordedInput.key(.up)])
  }

  @Test(arguments: ["\u{1B}]52;c;", "\u{1B}P1", "\u{1B}_G"])
  func `of a text without an end, nothing is a key and little is kept`(text: String) {
    var parser = InputParser()
    var events = parser.take(Array(text.utf8), at: start)
    for _ in 0..<50 {
      events += parser.take(Array(repeating: 0x71, count: 5_000), at: start)
      #expect(parser.pendingCount <= InputScanner.textLimit + 10)
    }
    #expect(events.isEmpty)
    events += parser.take(Array("\u{1B}".utf8), at: start)
    events += parser.take(Array("\\j".utf8), at: start)
    #expect(events == RecordedInput.typed("j"))
  }

  @Test func `a text that never ends is dropped to a limit, and then keys are read`() {
    var parser = InputParser()
    var events = parser.take(Array("\u{1B}]0".utf8), at: start)
    let flood = [UInt8](repeating: 0x78, count: InputParser.droppedLimit + InputScanner.textLimit)
    events += parser.take(flood, at: start)
    #expect(events.count <= InputScanner.textLimit + 10)
    #expect(parser.take([0x71], at: start) == RecordedInput.typed("q"))
  }

  @Test func `keys end a text without an end`() {
    let long = "\u{1B}]0" + String(repeating: "x", count: 9_000)
    #expect(read(long + "\r") == [RecordedInput.key(.enter)])
    #expect(read(long + "\u{1B}") == [RecordedInput.key(.escape)])
    #expect(read(long + "\u{7}a") == RecordedInput.typed("a"))
    let numbers = "\u{1B}[" + String(repeating: "1;", count: 9_000)
    #expect(read(numbers + "~a") == RecordedInput.typed("a"))
    #expect(read(numbers + "\u{3}") == [RecordedInput.key(.character("c"), .control)])
  }

  @Test(arguments: [
    "\u{1B}[<0;-1;-5M", "\u{1B}[<35;-12;3m", "\u{1B}[1;-2A", "\u{1B}[ 1q", "\u{1B}[?1$2$y",
    "\u{1B}[1 2 3 4~",
  ])
  func `a malformed sequence is dropped up to its end, and nothing of it is typed`(text: String) {
    let bytes = Array(text.utf8)
    #expect(read(text + "a") == RecordedInput.typed("a"))
    for place in bytes.indices.dropFirst() {
      let portions = [Array(bytes[..<place]), Array(bytes[place...]) + Array("a".utf8)]
      #expect(read(portions) == RecordedInput.typed("a"), "split at \(place)")
    }
    let torn = [Array(bytes.dropLast()), Array("q".utf8)]
    #expect(read(torn, apart: .seconds(2)) == RecordedInput.typed("q"))
    #expect(read(text.dropLast() + "\r") == [RecordedInput.key(.enter)])
  }

  @Test func `numbers of any length are read`() {
    #expect(
      read("\u{1B}[\(String(repeating: "9", count: 900))~a").last == RecordedInput.typed("a")[0]
    )
    #expect(read("\u{1B}[<0;99999999999999999999;1M").count == 1)
    #expect(read("\u{1B}[1;99999999999999999999A").count == 1)
    #expect(read("\u{1B}[99999999999999999999u\u{1B}[55296u\u{1B}[0u").count == 3)
  }

  // MARK: - Pastes

  @Test func `a paste is handed on as it comes, without cutting characters`() {
    var parser = InputParser()
    let bytes = Array("\u{1B}[200~a漢".utf8)
    #expect(parser.take(Array(bytes.dropLast()), at: start) == [.paste("a")])
    #expect(parser.take([bytes[bytes.count - 1]], at: start) == [.paste("漢")])
    #expect(parser.take(Array("b\n\n".utf8), at: start) == [.paste("b")])
    #expect(parser.take(Array("\u{1B}[201~".utf8), at: start).isEmpty)
    #expect(parser.deadline == nil)
  }

  @Test func `a paste whose end never comes ends after two seconds without a byte`() {
    var parser = InputParser()
    #expect(parser.take(Array("\u{1B}[200~a\n".utf8), at: start) == [.paste("a")])
    let later = start + .milliseconds(1_900)
    #expect(parser.take(Array("b".utf8), at: later) == [.paste("\nb")])
    #expect(parser.expire(at: later + .milliseconds(1_999)).isEmpty)
    #expect(parser.expire(at: later + .seconds(2)).isEmpty)
    #expect(parser.take([0x71], at: later + .seconds(3)) == RecordedInput.typed("q"))
    #expect(parser.take(Array("\u{1B}[201~".utf8), at: later + .seconds(4)).isEmpty)
  }

  // MARK: - Descriptions of terminals, and other encodings

  @Test func `keys of the terminal's description are known, whole and in parts`() {
    let extras = ExtraSequences([
      (Array("\u{1B}[I".utf8), KeyStroke(.pageUp)),
      (Array("\u{1}@\r".utf8), KeyStroke(.function(1))),
      (Array("\u{1B}?x".utf8), KeyStroke(.end)), ([0x8], KeyStroke(.left)),
    ])
    let text = "\u{1B}[I\u{1}@\r\u{1B}?x\u{1B}[A\u{8}"
    let keys: [InputEvent] = [
      .key(KeyStroke(.pageUp)), .key(KeyStroke(.function(1))), .key(KeyStroke(.end)),
      .key(KeyStroke(.up)), .key(KeyStroke(.backspace)),
    ]
    for size in 1...text.utf8.count {
      var parser = InputParser(extras: extras)
      var events: [InputEvent] = []
      let bytes = Array(text.utf8)
      for place in stride(from: 0, to: bytes.count, by: size) {
        events += parser.take(Array(bytes[place..<min(place + size, bytes.count)]), at: start)
      }
      #expect(events == keys, "in portions of \(size)")
    }
    var parser = InputParser(extras: extras)
    #expect(parser.take([1], at: start).isEmpty)
    #expect(
      parser.expire(at: start + .milliseconds(100)) == [
        RecordedInput.key(.character("a"), .control)
      ]
    )
    #expect(parser.take(Array("\u{1B}?".utf8), at: start).isEmpty)
    #expect(
      parser.expire(at: start + .seconds(1)) == [RecordedInput.key(.character("?"), .alt)]
    )
  }

  @Test func `a locale with one byte for each character has its own`() {
    var table = (0..<128).map { UInt32($0 + 0x80) }
    table[0x24] = 0x20AC
    var parser = InputParser(encoding: .bytes(table))
    #expect(parser.take([0xE4, 0xA4, 0x85, 0x61], at: start) == RecordedInput.typed("ä€a"))
    var without = InputParser(encoding: .bytes([]))
    #expect(without.take([0xE4, 0x61], at: start) == RecordedInput.typed("a"))
  }

  @Test func `random bytes in random portions never end in a state without a way out`() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var parser = InputParser()
      for _ in 0..<random.number(1...40) {
        let bytes = (0..<random.number(1...20)).map { _ in
          random.once(in: 3)
            ? random.one(of: Array("\u{1B}[O]P_<;?$0123M~\u{7}\\".utf8))
            : UInt8(random.number(0...255))
        }
        _ = parser.take(bytes, at: start)
      }
      _ = parser.expire(at: start + .seconds(20))
      #expect(parser.deadline == nil && parser.pendingCount == 0, "seed \(seed)")
      #expect(parser.take([0x71], at: start + .seconds(21)) == RecordedInput.typed("q"))
    }
  }
}
