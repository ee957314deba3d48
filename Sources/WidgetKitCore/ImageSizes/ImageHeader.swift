/// The format and the size of a picture, as the beginning of its file states them.
///
/// Only the numbers are read, so that a layout knows the height of a picture before it is decoded.
package struct ImageHeader: Hashable, Sendable {
  /// The formats that are known.
  package enum Format: UInt32, Sendable {
    case png = 1
    case jpeg
    case gif
    case webp
  }

  /// The format.
  package var format: Format
  /// Columns of pixels as it is shown, from 1.
  package var width: Int
  /// Rows of pixels as it is shown, from 1.
  package var height: Int
  /// How its file has to be turned and mirrored, as Exif numbers it: 1 is not at all, from 5 on rows
  /// become columns.
  package var orientation: Int

  /// Creates a header.
  package init(_ format: Format, width: Int, height: Int, orientation: Int = 1) {
    self.format = format
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  /// Columns and rows of pixels in the file.
  package var storedSize: Size {
    orientation < 5
      ? Size(columns: width, rows: height) : Size(columns: height, rows: width)
  }

  /// Reads a header; nil if the format is not known, the size is 0, or the beginning is too short.
  ///
  /// - Parameter bytes: The file, or its beginning.
  package init?(_ bytes: [UInt8]) {
    let reader = ByteReader(bytes)
    guard
      let header = Self.png(reader) ?? Self.gif(reader) ?? Self.webp(reader) ?? Self.jpeg(reader),
      header.width > 0, header.height > 0
    else { return nil }
    self = header
  }

  /// How many pixels it has; the largest number if there are more.
  package var pixels: Int {
    let (product, isTooMany) = width.multipliedReportingOverflow(by: height)
    return isTooMany ? .max : product
  }

  /// PNG (W3C, 11.2.2): the first chunk is IHDR.
  private static func png(_ bytes: ByteReader) -> ImageHeader? {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard bytes.has(signature, at: 0), bytes.has(Array("IHDR".utf8), at: 12),
      let width = bytes.big(4, at: 16), let height = bytes.big(4, at: 20)
    else { return nil }
    return ImageHeader(.png, width: width, height: height)
  }

  /// GIF (89a, 18): the logical screen.
  private static func gif(_ bytes: ByteReader) -> ImageHeader? {
    guard bytes.has(Array("GIF87a".utf8), at: 0) || bytes.has(Array("GIF89a".utf8), at: 0),
      let width = bytes.little(2, at: 6), let height = bytes.little(2, at: 8)
    else { return nil }
    return ImageHeader(.gif, width: width, height: height)
  }

  /// WebP (RFC 9649): a lossy, a lossless or an extended file.
  private static func webp(_ bytes: ByteReader) -> ImageHeader? {
    guard bytes.has(Array("RIFF".utf8), at: 0), bytes.has(Array("WEBPVP8".utf8), at: 8) else {
      return nil
    }
    switch bytes[15] {
    case UInt8(ascii: " ")?:
      guard bytes.has([0x9D, 0x01, 0x2A], at: 23), let width = bytes.little(2, at: 26),
        let height = bytes.little(2, at: 28)
      else { return nil }
      return ImageHeader(.webp, width: width & 0x3FFF, height: height & 0x3FFF)
    case UInt8(ascii: "L")?:
      guard bytes[20] == 0x2F, let bits = bytes.little(4, at: 21) else { return nil }
      return ImageHeader(.webp, width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    case UInt8(ascii: "X")?:
      guard let width = bytes.little(3, at: 24), let height = bytes.little(3, at: 27) else {
        return nil
      }
      return ImageHeader(.webp, width: width + 1, height: height + 1)
    default: return nil
    }
  }

  /// JPEG (ITU-T T.81, B.2): the first frame header, behind any number of other segments, one of which
  /// may tell the orientation.
  private static func jpeg(_ bytes: ByteReader) -> ImageHeader? {
    guard bytes.has([0xFF, 0xD8], at: 0) else { return nil }
    var place = 2
    var orientation: Int?
    while let mark = bytes[place] {
      guard mark == 0xFF, let code = bytes[place + 1] else { return nil }
      switch code {
      // Bytes that only fill.
      case 0xFF: place += 1
      case 0x01, 0xD0...0xD7: place += 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard let height = bytes.big(2, at: place + 5), let width = bytes.big(2, at: place + 7)
        else { return nil }
        let turn = orientation ?? 1
        return turn < 5
          ? ImageHeader(.jpeg, width: width, height: height, orientation: turn)
          : ImageHeader(.jpeg, width: height, height: width, orientation: turn)
      // The picture begins without a frame header, or ends.
      case 0xD8...0xDA: return nil
      default:
        guard let length = bytes.big(2, at: place + 2), length >= 2 else { return nil }
        if code == 0xE1, orientation == nil {
          orientation = exifOrientation(bytes, place + 4..<place + 2 + length)
        }
        place += 2 + length
      }
    }
    return nil
  }

  /// The orientation in a segment of Exif (JEITA CP-3451, 4.5.4 and 4.6): an entry of its first
  /// directory; nil if there is none.
  private static func exifOrientation(_ bytes: ByteReader, _ segment: Range<Int>) -> Int? {
    let start = segment.lowerBound + 6
    guard bytes.has(Array("Exif".utf8) + [0, 0], at: segment.lowerBound) else { return nil }
    let isLittle = bytes.has(Array("II*".utf8) + [0], at: start)
    guard isLittle || bytes.has(Array("MM".utf8) + [0, 42], at: start) else { return nil }
    let number = { (count: Int, place: Int) -> Int? in
      guard place >= start, place + count <= segment.upperBound else { return nil }
      return isLittle ? bytes.little(count, at: place) : bytes.big(count, at: place)
    }
    guard let directory = number(4, start + 4), let count = number(2, start + directory) else {
      return nil
    }
    for index in 0..<count {
      let entry = start + directory + 2 + 12 * index
      guard let tag = number(2, entry) else { return nil }
      guard tag == 0x0112 else { continue }
      // A short number.
      guard number(2, entry + 2) == 3, let value = number(2, entry + 8) else { return nil }
      return (1...8).contains(value) ? value : nil
    }
    return nil
  }
}

/// Numbers in bytes; nil where there are none.
struct ByteReader {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  subscript(_ place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

  func has(_ part: [UInt8], at place: Int) -> Bool { bytes.dropFirst(place).starts(with: part) }

  /// The number in `count` bytes, the highest first.
  func big(_ count: Int, at place: Int) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The number in `count` bytes, the lowest first.
  func little(_ count: Int, at place: Int) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
