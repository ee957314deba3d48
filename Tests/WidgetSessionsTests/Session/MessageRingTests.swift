import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetSessions

@Suite struct MessageRingTests {
  private let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

  @Test func `the last messages are kept, each with its begin`() throws {
    let ring = MessageRing()
    #expect(ring.messages.isEmpty)
    for number in 0..<100 {
      let text = "message \(number) " + String(repeating: "x", count: 2_000)
      ring.note(number % 2 == 0 ? .to : .from, Array(text.utf8)[...], at: date)
    }
    #expect(ring.messages.count == MessageRing.limit.messages)
    #expect(ring.messages.first?.text.string.hasPrefix("message 68 ") == true)
    let last = try #require(ring.messages.last)
    #expect(last.text.string.hasPrefix("message 99 ") && last.direction == .from)
    #expect(last.byteCount == 2_011)
    #expect(last.text.string.utf8.count <= MessageRing.limit.bytes)
  }

  @Test func `control characters, and a character that is cut, do no harm`() {
    let ring = MessageRing()
    let cut = [UInt8](repeating: 0x61, count: 999) + Array("€".utf8)
    ring.note(.from, cut[...], at: date)
    ring.note(.from, Array("\u{1B}[2J\n\u{7}".utf8)[...], at: date)
    #expect(
      ring.messages.allSatisfy { message in
        message.text.string.unicodeScalars.allSatisfy { $0.value >= 0x20 }
      }
    )
  }
}
