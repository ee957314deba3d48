import WidgetKitCore

/// The messages between the program and its decoder (Sources/ImageDecoder/decoder.h).
nonisolated enum DecoderMessage {
  /// The bytes of the beginning of an answer.
  static let headBytes = 20
  private static let magic: UInt32 = 0x676D_4974
  private static let cellBytes = 12
  private static let faultBytes = 1_000

  fileprivate enum Kind: UInt32 {
    case pixels = 1
    case symbols
    case failed
  }

  /// Returns a request without the bytes of the file, which follow it.
  static func request(_ request: ImageRequest, byteCount: Int) -> [UInt8] {
    let size = request.answerSize
    var (kind, colors, glyphs) = (Kind.pixels, 0, GlyphSet.unicode)
    if case .symbols(let count, let set) = request.look {
      (kind, colors, glyphs) = (.symbols, count, set)
    }
    let (stored, orientation) = (request.header.storedSize, request.header.orientation)
    let numbers = [
      stored.columns, stored.rows, size.columns, size.rows, colors, glyphs.code, orientation,
      byteCount,
    ].map { UInt32(clamping: $0) }
    return ([magic, kind.rawValue, request.header.format.rawValue] + numbers)
      .flatMap { number in unsafe withUnsafeBytes(of: number) { unsafe Array($0) } }
  }

  /// The beginning of an answer.
  struct Head {
    fileprivate var kind: Kind
    /// How many bytes follow.
    var byteCount: Int
  }

  /// Reads the beginning of the answer to a request; nil if it is not one.
  static func head(_ bytes: ArraySlice<UInt8>, of request: ImageRequest) -> Head? {
    let numbers = (0..<5).map { number(bytes, at: 4 * $0) }
    guard numbers[0] == magic, let kind = Kind(rawValue: numbers[1]) else { return nil }
    let (size, count) = (request.answerSize, Int(numbers[4]))
    let cells = size.columns * size.rows
    let isSized = Int(numbers[2]) == size.columns && Int(numbers[3]) == size.rows
    let isGood =
      switch (kind, request.look) {
      case (.failed, _): count <= faultBytes
      case (.pixels, .pixels): isSized && count == cells * 4
      case (.symbols, .symbols): isSized && count == cells * cellBytes
      default: false
      }
    return isGood ? Head(kind: kind, byteCount: count) : nil
  }

  /// Reads the rest of an answer.
  static func result(
    _ head: Head,
    _ bytes: ArraySlice<UInt8>,
    of request: ImageRequest
  ) -> Result<ImageResult, ImageFault> {
    switch head.kind {
    case .failed:
      let words = SafeText(String(decoding: bytes, as: UTF8.self)).string
      return .failure(ImageFault("cannot be decoded: \(words)"))
    case .symbols:
      guard case .symbols(let colors, _) = request.look else { return .failure(.noDecoder) }
      return .success(
        .symbols(
          stride(from: 0, to: bytes.count, by: cellBytes).map { cell(bytes, at: $0, colors) }
        )
      )
    case .pixels:
      let size = request.answerSize
      let pixels = ImagePixels(width: size.columns, height: size.rows, bytes: Array(bytes))
      return pixels.map { .success(.pixels($0)) } ?? .failure(.noDecoder)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>, at place: Int) -> UInt32 {
    let start = bytes.startIndex + place
    return bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func cell(_ bytes: ArraySlice<UInt8>, at place: Int, _ colors: Int) -> Cell {
    let code = number(bytes, at: place)
    let color = { (offset: Int) -> Color? in
      let value = Int32(bitPattern: number(bytes, at: place + offset))
      guard value >= 0, colors > 0 else { return nil }
      guard colors > 256 else { return value < min(colors, 256) ? .indexed(UInt8(value)) : nil }
      return .rgb(
        red: UInt8(truncatingIfNeeded: value >> 16),
        green: UInt8(truncatingIfNeeded: value >> 8),
        blue: UInt8(truncatingIfNeeded: value)
      )
    }
    return Cell(
      glyph: glyph(code),
      style: CellStyle(foreground: color(4), background: color(8))
    )
  }

  /// A character of a picture; a blank for any other.
  private static func glyph(_ code: UInt32) -> Glyph {
    switch code {
    case 0x21...0x7E, 0x2580...0x259F:
      Unicode.Scalar(code).flatMap { Glyph.glyphs(of: String($0)).first } ?? .space
    default: .space
    }
  }
}

nonisolated extension GlyphSet {
  fileprivate var code: Int {
    switch self {
    case .unicode: 0
    case .ascii: 1
    case .console: 2
    }
  }
}
