import Testing
import WidgetKitCore

@testable import WidgetPlatform

@Suite struct ErrorLogTests {
  @Test func `an incomplete last line is kept`() {
    var log = ErrorLog()
    #expect(log.append(Array("whole\nTraceback".utf8)) == ["whole"])
    #expect(log.finish() == ["Traceback"])
    #expect(log.finish() == [])
    #expect(log.lines == ["whole", "Traceback"])
  }

  @Test func `complete lines are passed on`() {
    var log = ErrorLog()
    #expect(log.append("one\ntw".utf8) == ["one"])
    #expect(log.append("o\n".utf8) == ["two"])
    #expect(log.lines == ["one", "two"])
  }

  @Test func `no line can act on the terminal`() {
    var log = ErrorLog()
    let lines = log.append("a\u{1b}[2Jb\u{07}\u{9b}c\u{202e}d\n".utf8)
    let text = lines.map(\.string).joined()
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
    #expect(!text.unicodeScalars.contains("\u{202e}"))
  }

  @Test func `invalid UTF-8 is replaced`() {
    var log = ErrorLog()
    #expect(log.append([0xFF, 0x61, 0x0A]).first?.string.contains("a") == true)
  }

  @Test func `a long line is cut at 4 KiB`() {
    var log = ErrorLog()
    let lines = log.append([UInt8](repeating: UInt8(ascii: "x"), count: 10_000))
    #expect(lines.map(\.string.utf8.count) == [4_096, 4_096])
  }

  @Test func `only the last 64 KiB are kept`() {
    var log = ErrorLog()
    for number in 0..<10_000 { _ = log.append("line number \(number)\n".utf8) }
    #expect(log.lines.last == "line number 9999")
    let size = log.lines.reduce(0) { $0 + $1.string.utf8.count }
    #expect(size <= 64 * 1024)
    #expect(size > 60 * 1024)
  }

  @Test func `empty lines count towards the limit of lines`() {
    var log = ErrorLog()
    #expect(log.append("\n\n".utf8) == ["", ""])
    _ = log.append([UInt8](repeating: UInt8(ascii: "\n"), count: 10_000))
    #expect(log.lines.count == 4_096)
    _ = log.append("last\n".utf8)
    #expect(log.lines.count == 4_096)
    #expect(log.lines.last == "last")
  }

  @Test func `the cost of a line does not depend on their number`() {
    var log = ErrorLog()
    let some = [UInt8](repeating: UInt8(ascii: "\n"), count: 512)
    func time() -> Duration {
      let start = ContinuousClock.now
      for _ in 0..<8 { _ = log.append(some) }
      return start.duration(to: .now)
    }
    let first = time()
    for _ in 0..<8 { _ = time() }
    #expect(time() < first * 4 + .milliseconds(50))
  }
}
