import FoundationEssentials
import Testing

@testable import WidgetCards

/// The file of the contents that a card has had.
@Suite nonisolated struct PastFileTests {
  private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private func entry(_ words: String, _ minute: Double) -> [UInt8] {
    PastFile.bytes(of: Array("{\"view\":\"\(words)\"}".utf8)[...], made: start + minute * 60)
  }

  private func words(_ file: PastFile) -> [String] {
    file.entries.map { String(decoding: file.body(of: $0), as: UTF8.self) }
  }

  @Test func `has its entries in order, with their dates`() {
    let file = PastFile(entry("a", 0) + entry("b", 1) + entry("c", 2))
    #expect(words(file) == ["{\"view\":\"a\"}", "{\"view\":\"b\"}", "{\"view\":\"c\"}"])
    #expect(file.entries.map(\.made) == [start, start + 60, start + 120])
    #expect(PastFile.firstDate(Array(entry("a", 3).prefix(PastFile.firstDateBytes))) == start + 180)
    #expect(PastFile([]).entries.isEmpty)
  }

  @Test func `loses a damaged entry, and no other one`() {
    let good = entry("a", 0)
    let last = entry("c", 2)
    let damaged: [[UInt8]] = [
      Array(entry("b", 1).dropLast(5)) + [0x0A],  // cut off by a full disk
      entry("b", 1).map { $0 == UInt8(ascii: "b") ? 0 : $0 },  // zeros after a power failure
      Array("today-past 1 1e999 5 0\n{}\n".utf8), Array("today-past 1 5 99999999999 0\n".utf8),
      Array("today-past 1 5 -1 0\n\n".utf8), Array("today-past 2 5 2 0\n{}\n".utf8),
      Array(repeating: 0, count: 300) + [0x0A], Array("\n\n".utf8),
    ]
    for part in damaged {
      #expect(words(PastFile(good + part + last)) == words(PastFile(good + last)))
    }
    // One that is being written.
    for count in 1..<last.count {
      #expect(words(PastFile(good + last.prefix(count))) == words(PastFile(good)))
    }
  }

  @Test func `keeps the newest entries that have room, and none that is too old`() {
    let file = PastFile((0..<100).flatMap { entry("\($0 + 100)", Double($0)) })
    let kept = PastFile(file.keeping(since: start + 50 * 60, byteLimit: .max))
    #expect(kept.entries.map(\.made) == (50..<100).map { start + Double($0) * 60 })
    let size = entry("100", 0).count
    let few = PastFile(file.keeping(since: start, byteLimit: 10 * size + 5))
    #expect(words(few).first == "{\"view\":\"190\"}" && few.entries.count == 10)
    #expect(file.keeping(since: start + 1_000_000, byteLimit: .max).isEmpty)
  }
}
