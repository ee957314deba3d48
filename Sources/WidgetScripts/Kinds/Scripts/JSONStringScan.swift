/// Tells which bytes of JSON are in strings, where brackets and commas are characters like others.
struct JSONStringScan {
  /// Whether the next byte is in a string.
  private(set) var isInString = false
  private var isEscaped = false

  /// Takes the next byte; returns whether it is in a string, as the quotes at its ends are.
  mutating func take(_ byte: UInt8) -> Bool {
    guard isInString else {
      isInString = byte == UInt8(ascii: "\"")
      return isInString
    }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
    return true
  }
}
