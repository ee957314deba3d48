import FoundationEssentials

extension JSONTree {
  /// The value as JSON, without spaces.
  package var json: [UInt8] {
    switch self {
    case .null: Array("null".utf8)
    case .boolean(let flag): Array((flag ? "true" : "false").utf8)
    case .number(let number): Array((Int(exactly: number).map { "\($0)" } ?? "\(number)").utf8)
    case .wholeNumber(let numeral): Array(numeral.utf8)
    case .string(let text): Self.quoted(text)
    case .array(let items):
      [UInt8(ascii: "[")] + Self.joined(items.map(\.json)) + [UInt8(ascii: "]")]
    case .object(let members):
      [UInt8(ascii: "{")]
        + Self.joined(members.map { Self.quoted($0.name) + [UInt8(ascii: ":")] + $0.value.json })
        + [UInt8(ascii: "}")]
    }
  }

  private static func joined(_ parts: [[UInt8]]) -> [UInt8] {
    Array(parts.joined(separator: [UInt8(ascii: ",")]))
  }

  private static func quoted(_ text: String) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { Array($0) } ?? Array("\"\"".utf8)
  }
}
