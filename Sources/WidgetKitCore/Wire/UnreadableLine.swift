/// Finds the request that an unreadable line was meant to answer.
package enum UnreadableLine {
  /// The waiting request that the line was meant to answer; nil if unknown.
  ///
  /// This is the request whose id is in the line. Without an id, it is the only waiting request, unless
  /// the line names a method, which an answer does not.
  package static func answered(
    _ line: ArraySlice<UInt8>,
    waiting: some Collection<Int>
  ) -> Int? {
    if position(after: "id", in: line) != nil {
      let id = number(after: "id", in: line)
      return waiting.first { $0 == id }
    }
    guard waiting.count == 1, position(after: "method", in: line) == nil else { return nil }
    return waiting.first
  }

  /// The integer value of a member, whatever the rest of the line contains.
  private static func number(after name: StaticString, in line: ArraySlice<UInt8>) -> Int? {
    guard let start = position(after: name, in: line) else { return nil }
    let digits = line[start...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return Int(String(decoding: digits.prefix(19), as: UTF8.self))
  }

  /// The start of the value of a member, whose name may be in single or double quotes.
  private static func position(after name: StaticString, in line: ArraySlice<UInt8>) -> Int? {
    name.withUTF8Buffer { name in
      var place = line.startIndex
      while let quote = line[place...].firstIndex(where: isQuote) {
        place = quote + 1
        let rest = line[place...]
        guard rest.starts(with: name), rest.dropFirst(name.count).first == line[quote] else {
          continue
        }
        let colon = skippingSpace(rest.dropFirst(name.count + 1))
        guard colon.first == UInt8(ascii: ":") else { continue }
        return skippingSpace(colon.dropFirst()).startIndex
      }
      return nil
    }
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static func skippingSpace(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.drop { $0 == 0x20 || $0 == 0x09 }
  }
}
