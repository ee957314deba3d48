/// One line between two programs of which one shows a page of the other: the number of a card, a space, and a message.
///
/// Card 0 is the page itself: the machine sends ``PageNews``, and gets ``PageOrder``. The messages of the other cards are
/// those that a widget and its host exchange, unchanged.
/// ```
/// 0 {"protocol":1,"today":"0.9.0","page":"Home","cards":[{"id":"org.today.Clock","name":"Clock"}]}
/// 0 {"open":{"number":1,"card":"org.today.Clock"}}
/// 1 {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}
/// ```
package struct PageFrame {
  /// The version of what the two programs say about the page.
  package static let protocolVersion = 1
  /// The number of the page itself.
  package static let page = 0
  /// The bytes before a message.
  package static let headBytes = 12
  private static let digitLimit = 9

  /// The number of the card.
  let card: Int
  /// The message, without the end of its line.
  let message: ArraySlice<UInt8>

  /// Reads a line; nil if it does not begin with a number.
  init?(_ line: ArraySlice<UInt8>) {
    let digits = line.prefix(Self.digitLimit + 1).prefix { $0 != UInt8(ascii: " ") }
    guard !digits.isEmpty, digits.count <= Self.digitLimit, digits.endIndex < line.endIndex,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    card = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    message = line[(digits.endIndex + 1)...]
  }

  /// A line with its end; the message may have one already.
  static func line(_ card: Int, _ message: some Collection<UInt8>) -> [UInt8] {
    var line = Array("\(card) ".utf8)
    line.append(contentsOf: message)
    if line.last != UInt8(ascii: "\n") { line.append(UInt8(ascii: "\n")) }
    return line
  }
}
