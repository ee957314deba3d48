import Testing
import WidgetKitCore

@Suite struct `The header of a picture` {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    let size = [width, height].flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    return signature + [0, 0, 0, 13] + Array("IHDR".utf8) + size + [8, 6, 0, 0, 0]
  }

  /// A JPEG file with a comment and the tables of Exif before its frame.
  private static func jpeg(frame: UInt8 = 0xC0, fill: Int = 0) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 0x61, 0x62, 0xFF, 0xE1, 0, 3, 0]
      + Array(repeating: 0xFF, count: fill) + [0xFF, frame, 0, 11, 8, 1, 44, 1, 144, 1, 0, 0, 0]
  }

  private static func gif(_ version: String) -> [UInt8] {
    Array("GIF\(version)".utf8) + [0x40, 0x01, 0xC8, 0x00, 0x80, 0, 0]
  }

  private static func webp(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8\(kind)".utf8) + [0, 0, 0, 0] + content
  }

  @Test(arguments: [
    (png(480, 270), ImageHeader(.png, width: 480, height: 270)),
    (
      png(1_000_000_000, 1_000_000_000),
      ImageHeader(.png, width: 1_000_000_000, height: 1_000_000_000)
    ),
    (png(.max, .max), ImageHeader(.png, width: 4_294_967_295, height: 4_294_967_295)),
    (jpeg(), ImageHeader(.jpeg, width: 400, height: 300)),
    (jpeg(frame: 0xC2), ImageHeader(.jpeg, width: 400, height: 300)),
    (jpeg(fill: 5), ImageHeader(.jpeg, width: 400, height: 300)),
    (gif("87a"), ImageHeader(.gif, width: 320, height: 200)),
    (gif("89a"), ImageHeader(.gif, width: 320, height: 200)),
    (
      webp(" ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x90, 0x81, 0x2C, 0x41]),
      ImageHeader(.webp, width: 400, height: 300)
    ),
    (webp("L", [0x2F, 0x8F, 0xC1, 0x4A, 0x00]), ImageHeader(.webp, width: 400, height: 300)),
    (
      webp("X", [0, 0, 0, 0, 0x8F, 0x01, 0x00, 0x2B, 0x01, 0x00]),
      ImageHeader(.webp, width: 400, height: 300)
    ),
  ])
  func `has the format and the size`(_ bytes: [UInt8], _ header: ImageHeader) {
    #expect(ImageHeader(bytes) == header)
    #expect(ImageHeader(bytes + [0, 1, 2, 3]) == header)
  }

  @Test(arguments: [
    png(400, 300), jpeg(), gif("89a"), webp("X", [0, 0, 0, 0, 0x8F, 0x01, 0, 0x2B, 0x01, 0]),
  ])
  func `is missing in every shorter beginning that lacks a number`(_ bytes: [UInt8]) {
    for count in 0..<8 { #expect(ImageHeader(Array(bytes.prefix(count))) == nil) }
    for count in 8..<bytes.count {
      guard let header = ImageHeader(Array(bytes.prefix(count))) else { continue }
      #expect(header == ImageHeader(bytes))
    }
  }

  @Test(arguments: [
    [], Array("hello, world, this is a text".utf8), png(0, 300), png(400, 0),
    // A segment of no length, a scan before the frame, and no marker where one must be.
    [0xFF, 0xD8, 0xFF, 0xE1, 0, 0, 0, 0, 0, 0], [0xFF, 0xD8, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0],
    [0xFF, 0xD8, 0x00, 0xC0, 0, 11, 8, 1, 44, 1, 144], webp("?", [0, 0, 0, 0, 0, 0, 0, 0]),
    Array("RIFF".utf8), Array("<svg width='1' height='1'/>".utf8),
  ])
  func `is not in other files`(_ bytes: [UInt8]) {
    #expect(ImageHeader(bytes) == nil)
  }

  /// Exif with the orientation, before the frame.
  private static func turned(_ orientation: UInt8, isLittle: Bool) -> [UInt8] {
    let tiff: [UInt8] =
      isLittle
      ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
      : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
    let exif = Array("Exif".utf8) + [0, 0] + tiff
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
      + [0xFF, 0xC0, 0, 11, 8, 1, 44, 1, 144, 1, 0, 0, 0]
  }

  @Test(arguments: 0...9, [true, false])
  func `of a photo has the size as it is shown, however it is stored`(
    orientation: UInt8,
    isLittle: Bool
  ) throws {
    let header = try #require(ImageHeader(Self.turned(orientation, isLittle: isLittle)))
    let isKnown = (1...8).contains(orientation)
    #expect(header.orientation == (isKnown ? Int(orientation) : 1))
    let isTurned = (5...8).contains(orientation)
    #expect([header.width, header.height] == (isTurned ? [300, 400] : [400, 300]))
    #expect(header.storedSize == Size(columns: 400, rows: 300))
  }

  @Test func `is read although the orientation is damaged`() {
    let file = Self.turned(6, isLittle: false)
    for place in 6..<34 {
      for byte: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = file
        damaged[place] = byte
        let header = ImageHeader(damaged)
        #expect(header?.storedSize == Size(columns: 400, rows: 300), "\(place)")
      }
    }
  }

  private static let whole: [(ImageHeader.Format, [UInt8])] = [
    (.png, png(1, 1) + [1, 2, 3, 4, 0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]),
    (
      .jpeg,
      jpeg() + [0xFF, 0xDA, 0, 3, 0, 7, 0xFF, 0, 0xFF, 0xD3, 9, 0xFF, 0xC4, 0, 3, 1, 0xFF, 0xD9]
    ),
    (
      .gif,
      gif("89a") + Array(repeating: 0, count: 6) + [0x21, 0xF9, 1, 0, 0]
        + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    ),
    (.webp, Array("RIFF".utf8) + [10, 0, 0, 0] + Array("WEBPVP8L".utf8) + [0, 0]),
  ]

  @Test func `does not say whether the picture is whole, but its end does`() {
    for (format, bytes) in Self.whole {
      #expect(ImageHeader.isWhole(bytes, format), "\(format)")
      #expect(ImageHeader.isWhole(bytes + [0, 1], format), "\(format)")
      for count in 0..<bytes.count {
        #expect(!ImageHeader.isWhole(Array(bytes.prefix(count)), format), "\(format) \(count)")
      }
    }
  }

  @Test func `counts pixels without overflow`() {
    #expect(
      ImageHeader(.png, width: 1_000_000_000, height: 1_000_000_000).pixels
        == 1_000_000_000_000_000_000
    )
    #expect(ImageHeader(.png, width: .max, height: 2).pixels == .max)
  }
}
