import TerminalInput
import Testing

@testable import WidgetTUI

/// What is typed for the shell while answers of the terminal are awaited comes to it whole, or not at all.
@Suite struct TypedAheadTests {
  private func events(_ text: String) -> [InputEvent] {
    var parser = InputParser()
    return parser.take(Array(text.utf8), at: .now)
  }

  /// What is typed of a text, and whether all that waits is discarded.
  private func givenBack(
    _ parts: [String],
    accepts limit: Int = .max
  ) -> (text: String, discards: Bool) {
    var typedAhead = TypedAhead()
    for part in parts { typedAhead.take(events(part)) }
    var typed: [UInt8] = []
    var discards = false
    typedAhead.giveBack(
      typing: { byte in
        guard typed.count < limit else { return false }
        typed.append(byte)
        return true
      },
      discarding: { discards = true }
    )
    #expect(typedAhead.isEmpty)
    return (String(decoding: typed, as: UTF8.self), discards)
  }

  @Test func `text comes back in its order, without the answers in it`() {
    let answer = "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[?64;1;2c"
    let parts = ["echo Grüße; ", answer, "ls\t\u{7F}\r"]
    #expect(givenBack(parts) == ("echo Grüße; ls\t\u{7F}\r", false))
    #expect(givenBack([answer]) == ("", false))
    #expect(givenBack([]) == ("", false))
  }

  @Test(arguments: [
    "rm -rf x\u{15}ls\r", "cd x\u{1B}[D\u{1B}[D && rm y\r", "a\u{03}b\r", "a\u{1B}bc\r",
    "\u{1B}[200~text\u{1B}[201~ and more\r", String(repeating: "x", count: 1_025) + "\r",
  ])
  func `nothing comes back of what cannot come back whole, and what follows goes too`(
    text: String
  ) {
    let result = givenBack([text])
    #expect(result == ("", true))
  }

  @Test(arguments: [0, 1, 5])
  func `where the system refuses it, what waits is discarded`(limit: Int) {
    #expect(givenBack(["cd x && rm y\r"], accepts: limit).discards)
  }
}
