/// A text that is being pasted, up to its end mark (bracketed paste, xterm).
///
/// Its parts are handed on as they come, so that one whose end never comes loses nothing. Line breaks at its
/// end are left out.
struct PastedText: Sendable {
  private static let end = Array("\u{1B}[201~".utf8)

  /// Bytes whose meaning depends on those that follow.
  private var held: [UInt8] = []

  /// Takes bytes.
  ///
  /// - Returns: the next part of the text, if there is one, and the bytes behind the end mark; nil while the end
  ///   has not come.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> (text: String?, rest: ArraySlice<UInt8>?) {
    let all = (held + bytes)[...]
    held = []
    if let place = Self.endMark(in: all) {
      let text = Self.withoutLastBreaks(all[..<place])
      return (Self.text(text), all[(place + Self.end.count)...])
    }
    let kept = Self.open(all)
    held = Array(all.suffix(kept))
    return (Self.text(all.dropLast(kept)), nil)
  }

  /// What was held back of a text whose end has not come.
  mutating func giveUp() -> String? {
    defer { held = [] }
    return Self.text(held[...])
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func endMark(in bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while let start = bytes[index...].firstIndex(of: end[0]) {
      if bytes[start...].starts(with: end) { return start }
      index = start + 1
    }
    return nil
  }

  /// How many bytes at the end of a part may belong to the end mark, to line breaks before it, or to a
  /// character whose rest has not come.
  private static func open(_ bytes: ArraySlice<UInt8>) -> Int {
    let mark =
      (1..<end.count).reversed().first { bytes.suffix($0).elementsEqual(end.prefix($0)) } ?? 0
    let text = bytes.dropLast(mark)
    let whole = withoutLastBreaks(text)
    if whole.count < text.count { return mark + text.count - whole.count }
    return mark + cutCharacter(text)
  }

  private static func withoutLastBreaks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let count = bytes.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
    return bytes.dropLast(count)
  }

  /// How many bytes at the end are the beginning of a character.
  private static func cutCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}
