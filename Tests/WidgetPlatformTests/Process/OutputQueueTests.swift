import Testing

@testable import WidgetPlatform

@Suite struct OutputQueueTests {
  /// Takes at most this many bytes a time, and nothing after so many in all.
  private func drain(_ queue: inout OutputQueue, each: Int, all: Int) -> [UInt8] {
    var taken: [UInt8] = []
    queue.drain { bytes in
      let count = min(each, all - taken.count, bytes.count)
      guard count > 0 else { return nil }
      taken += bytes.prefix(count)
      return count
    }
    return taken
  }

  @Test(arguments: [1, 2, 3, 100])
  func `lines are written whole and in order in pieces of any size`(each: Int) {
    var queue = OutputQueue()
    for line in ["one\n", "two\n", "three\n"] { #expect(queue.append(Array(line.utf8)) == true) }
    #expect(drain(&queue, each: each, all: .max) == Array("one\ntwo\nthree\n".utf8))
    #expect(queue.isEmpty)
    #expect(queue.byteCount == 0)
  }

  @Test func `writing continues in the middle of a line`() {
    var queue = OutputQueue()
    _ = queue.append(Array("one\n".utf8))
    _ = queue.append(Array("two\n".utf8))
    #expect(drain(&queue, each: 100, all: 6) == Array("one\ntw".utf8))
    #expect(queue.byteCount == 2)
    #expect(drain(&queue, each: 100, all: 100) == Array("o\n".utf8))
  }

  @Test func `64 messages may wait and no more`() {
    var queue = OutputQueue()
    for _ in 0..<64 { #expect(queue.append([1]) == true) }
    #expect(queue.append([1]) == false)
    _ = drain(&queue, each: 1, all: 1)
    #expect(queue.append([1]) == true)
  }

  @Test func `256 KiB may wait and no more`() {
    var queue = OutputQueue()
    #expect(queue.append([UInt8](repeating: 1, count: 256 * 1024)) == true)
    #expect(queue.append([1]) == false)
  }

  @Test func `a single line above the limit is written alone`() {
    var queue = OutputQueue()
    #expect(queue.append([UInt8](repeating: 1, count: 300 * 1024)) == true)
    #expect(queue.append([1]) == false)
  }
}
