import WidgetCards

/// Writes pixels as a PNG file (W3C, PNG): the bytes of widgets are never passed on.
nonisolated enum PNGFile {
  /// The file.
  static func bytes(of pixels: ImagePixels) -> [UInt8] {
    let size =
      UInt32(clamping: pixels.width).bigEndianBytes
      + UInt32(clamping: pixels.height).bigEndianBytes
    // 8 bits, RGB with alpha, and the only methods of compression, filter and order.
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", size + [8, 6, 0, 0, 0])
      + chunk("IDAT", Zlib.compressed(filtered(pixels)))
      + chunk("IEND", [])
  }

  /// Each row as the differences of neighbouring pixels (9.2, type 1), which are smaller.
  private static func filtered(_ pixels: ImagePixels) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(pixels.bytes.count + pixels.height)
    let length = pixels.width * 4
    for row in 0..<pixels.height {
      result.append(1)
      let start = row * length
      for index in start..<start + length {
        let before = index < start + 4 ? 0 : pixels.bytes[index - 4]
        result.append(pixels.bytes[index] &- before)
      }
    }
    return result
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return UInt32(clamping: content.count).bigEndianBytes + body + checksum(body).bigEndianBytes
  }

  /// The checksum of a chunk (annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { sum, byte in
      table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
    }
  }

  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
  }
}
