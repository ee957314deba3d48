/// What can be told of a line that is no message: whether an answer is lost with it.
package enum UnreadableLine {
  /// Which of the waiting requests the line was to answer; nil where that cannot be told.
  ///
  /// The one whose id stands in the line. Without an id it is the only one that waits, unless the
  /// line names a method, which an answer does not.
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

  /// The whole number that is the value of a member, however the rest of the line is written.
  private static func number(after name: StaticString, in line: ArraySlice<UInt8>) -> Int? {
    guard let start = position(after: name, in: line) else { return nil }
    let digits = line[start...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return Int(String(decoding: digits.prefix(19), as: UTF8.self))
  }

  /// Where the value of a member begins; its name may stand in quotation marks of either kind.
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
