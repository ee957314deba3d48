extension JSONValue {
  /// The value at which `decoder` is: the value itself if the decoder is one of a ``JSONDocument``,
  /// otherwise a copy of the decoder's value as a separate document.
  ///
  /// With this, a type that is read from a JSONValue can be decoded by any decoder, though more slowly.
  ///
  /// - Throws: `DecodingError` from the decoder, or if a value has no counterpart in JSON.
  init(_ decoder: any Decoder) throws {
    if let value = decoder as? JSONValue {
      self = value
      return
    }
    var copy = JSONCopy()
    try copy.add(decoder)
    let path = decoder.codingPath.map { PathKey($0) }
    do {
      self.init(try JSONDocument(copy.text[...], depthLimit: 512, allowsNUL: true), prefix: path)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path, debugDescription: "expected a value that JSON can have")
      )
    }
  }
}

/// Writes the value of a decoder as JSON text.
private struct JSONCopy {
  private(set) var text: [UInt8] = []

  mutating func add(_ decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: PathKey.self) {
      text.append(UInt8(ascii: "{"))
      for key in members.allKeys {
        add(key.stringValue)
        text.append(UInt8(ascii: ":"))
        try add(members.superDecoder(forKey: key))
        text.append(UInt8(ascii: ","))
      }
      close(UInt8(ascii: "}"))
    } else if var items = try? decoder.unkeyedContainer() {
      text.append(UInt8(ascii: "["))
      while !items.isAtEnd {
        try add(items.superDecoder())
        text.append(UInt8(ascii: ","))
      }
      close(UInt8(ascii: "]"))
    } else {
      try addScalar(decoder.singleValueContainer())
    }
  }

  private mutating func addScalar(_ value: any SingleValueDecodingContainer) throws {
    if value.decodeNil() {
      text += "null".utf8
    } else if let flag = try? value.decode(Bool.self) {
      text += (flag ? "true" : "false").utf8
    } else if let string = try? value.decode(String.self) {
      add(string)
    } else if let whole = try? value.decode(Int.self) {
      text += "\(whole)".utf8
    } else {
      let number = try value.decode(Double.self)
      guard number.isFinite else {
        throw DecodingError.dataCorruptedError(
          in: value,
          debugDescription: "expected a finite number, found \(number)"
        )
      }
      text += "\(number)".utf8
    }
  }

  private mutating func add(_ string: String) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: text += ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }

  /// Ends an array or an object, and removes the last comma.
  private mutating func close(_ bracket: UInt8) {
    if text.last == UInt8(ascii: ",") { text.removeLast() }
    text.append(bracket)
  }
}
