import Testing
import WidgetKitCore
import WidgetTestSupport

@testable import Brokers

/// What the program for brokers and the host say.
@Suite struct BrokerFrameTests {
  private func frames(_ parts: [[UInt8]]) throws(BrokerFrameReader.Invalid) -> [BrokerFrame] {
    var reader = BrokerFrameReader()
    var found: [BrokerFrame] = []
    for part in parts {
      reader.append(part)
      while let frame = try reader.next() { found.append(frame) }
    }
    return found
  }

  private static let sent = [
    BrokerFrame("message", [Array("a/b".utf8), [0, 10, 255, 32], [], [49]]),
    BrokerFrame("connect"), BrokerFrame("published", "7", ""),
  ]

  @Test func `frames come at every split`() throws {
    let bytes = Self.sent.flatMap(\.bytes)
    for split in 0...bytes.count {
      #expect(try frames([Array(bytes[..<split]), Array(bytes[split...])]) == Self.sent)
    }
    #expect(try frames(bytes.map { [$0] }) == Self.sent)
  }

  @Test(arguments: [
    "\n", " 1\nx", "word -1\n", "word 1 1 1 1 1 1 1\n", "word 9999999999\n", "word 999999999\n",
    "word x\n", "word  1\n", "word 1 \n", String(repeating: "x", count: 200), "\u{1B}[2J 1a\n",
  ])
  func `hostile heads are refused`(text: String) {
    #expect(throws: BrokerFrameReader.Invalid.self) { try frames([Array(text.utf8)]) }
    #expect(throws: BrokerFrameReader.Invalid.self) { try frames([[255, 254, 32, 49, 10]]) }
  }

  @Test func `any bytes are frames or are refused`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var bytes = Self.sent.flatMap(\.bytes)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255,
          using: &generator
        )
      }
      for frame in (try? frames([bytes])) ?? [] { _ = BrokerReport(frame) }
    }
  }

  @Test func `reports are read from frames`() {
    #expect(BrokerReport(BrokerFrame("connected", "5", "")) == .connected(version: "5", words: nil))
    #expect(
      BrokerReport(BrokerFrame("disconnected", "password", "no\u{1B}[31m", "4"))
        == .disconnected(
          BrokerTrouble(.password, SafeText("no\u{1B}[31m").onOneLine),
          again: .seconds(4)
        )
    )
    #expect(
      BrokerReport(BrokerFrame("message", "a", "b", "1", "60", "text/plain"))
        == .message(
          BrokerMessage(
            topic: "a",
            payload: [98],
            isRetained: true,
            expiry: .seconds(60),
            contentType: "text/plain"
          )
        )
    )
    #expect(
      BrokerReport(BrokerFrame("large", "a", "70000")) == .large(topic: "a", byteCount: 70_000)
    )
  }

  @Test(arguments: [
    BrokerFrame("message", "a\u{1B}[2J", "b", "1", "", ""),
    BrokerFrame("message", "", "b", "1", "", ""),
    BrokerFrame("message", [[255], [], [], [], []]), BrokerFrame("message", "a", "b", "1", ""),
    BrokerFrame("large", "a", "-1"), BrokerFrame("large", "a", "x"),
    BrokerFrame("published", "x", ""),
    BrokerFrame("disconnected", "network", "words", "99999999999999999999"), BrokerFrame("unknown"),
    BrokerFrame("disconnected", "network", "words", "-1"),
  ])
  func `a report that cannot be used is left out`(frame: BrokerFrame) {
    #expect(BrokerReport(frame) == nil)
  }

  @Test func `an expiry beyond all numbers is none`() {
    let frame = BrokerFrame("message", "a", "b", "1", "99999999999999999999", "")
    #expect(
      BrokerReport(frame) == .message(BrokerMessage(topic: "a", payload: [98], isRetained: true))
    )
  }
}
