import Glibc

/// A charset in which text may be, beside UTF-8, by its name to iconv(3).
package struct TextCharset: Hashable, Sendable {
  package let name: String

  /// A charset that the C library knows; nil for others.
  package init?(_ name: String) {
    guard let converter = unsafe Self.converter(name) else { return nil }
    unsafe iconv_close(converter)
    self.name = name
  }

  private static func converter(_ name: String) -> iconv_t? {
    let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
    guard isName, !name.isEmpty, name.utf8.count < 64 else { return nil }
    let converter = unsafe iconv_open("UTF-8", name)
    // iconv_open(3) returns −1 for an unknown name.
    return unsafe Int(bitPattern: converter) == -1 ? nil : converter
  }

  /// The text that bytes are; nil if they are none in UTF-8 and none in the charset, or have a NUL.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - isWhole: Whether they end with the text; if not, a character at their end may be incomplete.
  ///   - charset: The charset of text that is not UTF-8.
  /// - Returns: The text.
  package static func text(
    _ bytes: ArraySlice<UInt8>,
    isWhole: Bool,
    charset: TextCharset? = nil
  ) -> String? {
    guard !bytes.contains(0) else { return nil }
    let whole = isWhole ? bytes : bytes.dropLast(incompleteBytes(at: bytes))
    if let text = String(validating: whole, as: UTF8.self) { return text }
    return charset?.decoded(bytes, isWhole: isWhole)
  }

  /// The number of bytes at the end that begin a character and do not end it.
  private static func incompleteBytes(at bytes: ArraySlice<UInt8>) -> Int {
    for count in 1...3 {
      guard let byte = bytes.dropLast(count - 1).last else { return 0 }
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? count : 0
    }
    return 0
  }

  private func decoded(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> String? {
    guard let converter = unsafe Self.converter(name) else { return nil }
    defer { unsafe iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No charset has characters that are longer in UTF-8 than four bytes for each of their own.
    var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    var (unread, room) = (input.count, output.count)
    let result = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        var (from, to) = (input.baseAddress, output.baseAddress)
        return unsafe iconv(converter, &from, &unread, &to, &room)
      }
    }
    // EINVAL is a character that the bytes end within.
    guard result != -1 || !isWhole && errno == EINVAL else { return nil }
    let made = output.prefix(output.count - room).map { UInt8(bitPattern: $0) }
    return made.contains(0) ? nil : String(validating: made, as: UTF8.self)
  }
}

extension TextCharset {
  /// The charset of the locale that the environment names; nil if that is UTF-8 or unknown.
  package static let ofLocale: TextCharset? = {
    guard let locale = unsafe newlocale(Int32(LC_CTYPE_MASK), "", nil) else { return nil }
    defer { unsafe freelocale(locale) }
    let name = unsafe String(cString: nl_langinfo_l(Int32(CODESET), locale))
    return name == "UTF-8" ? nil : TextCharset(name)
  }()
}
