extension ImageHeader {
  /// Whether a file has the end of its picture; a decoder draws a part of one that does not.
  ///
  /// Of a moving picture, the end of the first one counts, as no other is shown.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - format: Its format.
  /// - Returns: True if there is an end.
  /// - Complexity: O(*n*) in the length of the file.
  package static func isWhole(_ bytes: [UInt8], _ format: Format) -> Bool {
    let reader = ByteReader(bytes)
    return switch format {
    case .png: isWholePNG(reader)
    case .jpeg: isWholeJPEG(reader)
    case .gif: isWholeGIF(reader)
    case .webp: reader.little(4, at: 4).map { $0 + 8 <= bytes.count } ?? false
    }
  }

  /// The last chunk is IEND (W3C, 5.6).
  private static func isWholePNG(_ bytes: ByteReader) -> Bool {
    var place = 8
    while let length = bytes.big(4, at: place) {
      if bytes.has(Array("IEND".utf8), at: place + 4) { return bytes[place + 11 + length] != nil }
      place += 12 + length
    }
    return false
  }

  /// There is an end of image behind the first scan (ITU-T T.81, B.1.1).
  private static func isWholeJPEG(_ bytes: ByteReader) -> Bool {
    var place = 2
    var isInScan = false
    while let byte = bytes[place] {
      guard byte == 0xFF else {
        guard isInScan else { return false }
        place += 1
        continue
      }
      guard let code = bytes[place + 1] else { return false }
      switch code {
      case 0xD9: return isInScan
      case 0xFF: place += 1
      // A byte of the scan, or a mark in it.
      case 0x00, 0x01, 0xD0...0xD8: place += 2
      default:
        guard let length = bytes.big(2, at: place + 2), length >= 2 else { return false }
        isInScan = isInScan || code == 0xDA
        place += 2 + length
      }
    }
    return false
  }

  /// The blocks of the first picture end with an empty one (89a, 15 and 20).
  private static func isWholeGIF(_ bytes: ByteReader) -> Bool {
    guard let flags = bytes[10] else { return false }
    var place = 13 + tableBytes(flags)
    while let kind = bytes[place] {
      let isPicture = kind == 0x2C
      if isPicture, let flags = bytes[place + 9] {
        place += 11 + tableBytes(flags)
      } else if kind == 0x21 {
        place += 2
      } else {
        return false
      }
      while let count = bytes[place], count > 0 { place += 1 + Int(count) }
      guard bytes[place] != nil else { return false }
      if isPicture { return true }
      place += 1
    }
    return false
  }

  /// The length of a table of colours, by the flags before it.
  private static func tableBytes(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }
}
