import Testing

@testable import WidgetKitCore

@Suite struct UnreadableLineTests {
  /// The line, the requests that wait, and which of them is answered.
  static let lines: [(String, [Int], Int?)] = [
    // The id that can still be read.
    (#"{"jsonrpc":"2.0","id":2,"result":{"view":NaN}}"#, [1, 2, 3], 2),
    ("{'jsonrpc': '2.0', 'id': 3, 'result': None}", [1, 2, 3], 3),
    (#"{"id" : 1 , "result":"#, [1, 2], 1),
    (#"{"id":9,"result":nil}"#, [1, 2], nil),
    (#"{"id":9,"result":nil}"#, [1], nil),
    (#"{"id":99999999999999999999,"result":nil}"#, [1], nil),
    // A name inside a text is no member.
    (#"{"result":{"view":"the id\": 2"#, [1, 2], nil),
    // Without an id only one can be meant, and not by what was to be no answer.
    (#"{"result":{"view":"#, [4], 4),
    ("Traceback (most recent call last):", [4], 4),
    ("", [4], 4),
    (#"{"result":{"view":"#, [4, 5], nil),
    (#"{"result":{"view":"#, [], nil),
    (#"{"jsonrpc":"2.0","method":"setView","params":{"view":NaN}}"#, [4], nil),
  ]

  @Test(arguments: lines)
  func `an unreadable line is matched to the request that it answers`(
    line: String,
    waiting: [Int],
    answered: Int?
  ) {
    let bytes = Array(("..." + line).utf8)
    #expect(UnreadableLine.answered(bytes[3...], waiting: waiting) == answered)
  }
}
