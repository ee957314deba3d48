/// What is looked at of content to know its types: its name and its first bytes.
package struct ContentSample: Sendable {
  /// The bytes that are looked at.
  package static let byteLimit = 64 * 1024

  /// The name of the file; nil if it has none.
  package var name: String?
  /// The first bytes.
  package var bytes: [UInt8]
  /// Whether these are all.
  package var isWhole: Bool
  /// The charset of text that is not UTF-8.
  package var charset: TextCharset?

  package init(
    name: String? = nil,
    bytes: [UInt8],
    isWhole: Bool,
    charset: TextCharset? = nil
  ) {
    (self.name, self.bytes) = (name, bytes)
    (self.isWhole, self.charset) = (isWhole, charset)
  }

  /// The types of the content, the most faithful first.
  ///
  /// The name decides if the content does not contradict it, then the content. Text has the type of plain text, too,
  /// so that it is offered where any text is accepted, and a single web address is one first of all.
  ///
  /// - Parameters:
  ///   - declared: The type that the user has named; nil to find it.
  ///   - table: The types that are known.
  ///   - sniffer: What recognizes content.
  /// - Returns: At least one type.
  package func types(
    declared: UniformType? = nil,
    _ table: TypeTable,
    _ sniffer: borrowing ContentSniffer
  ) -> [UniformType] {
    let text = TextCharset.text(bytes[...], isWhole: isWhole, charset: charset)
    var types: [UniformType] = []
    if let declared {
      types = [declared]
    } else {
      if let text, isWebAddress(text) { types = [.url] }
      if let found = type(isText: text != nil, table, sniffer) { types.append(found) }
    }
    if text != nil, !types.contains(.plainText) { types.append(.plainText) }
    return types.isEmpty ? [.data] : types
  }

  private func type(
    isText: Bool,
    _ table: TypeTable,
    _ sniffer: borrowing ContentSniffer
  ) -> UniformType? {
    if let named = name.flatMap({ table.type(forName: $0) }) {
      let claimsText = table.conforms(named, to: .text)
      // An empty file is whatever it is called.
      if bytes.isEmpty || !claimsText || isText { return named }
    }
    let found = sniffer.mimeType(of: bytes[...]).flatMap { table.type(forMIMEType: $0) }
    guard let found, !table.conforms(found, to: .text) || isText else { return nil }
    return found
  }

  /// The longest text that is taken for an address.
  private static let addressLimit = 2_048

  private func isWebAddress(_ text: String) -> Bool {
    guard isWhole, text.utf8.count <= Self.addressLimit else { return false }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let word = words.first?.lowercased() else { return false }
    return ["http://", "https://"].contains { scheme in
      word.hasPrefix(scheme) && word.dropFirst(scheme.count).first.map { $0 != "/" } == true
    }
  }
}
