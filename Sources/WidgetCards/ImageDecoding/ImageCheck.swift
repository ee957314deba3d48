import WidgetKitCore
import WidgetPlatform

/// Whether pictures can be decoded and drawn on this system, tried with tiny ones.
public nonisolated struct ImageCheck: Hashable, Sendable {
  /// Why a PNG file cannot be decoded; nil if it can.
  public var decoding: String?
  /// Why a WebP file cannot be decoded; nil if it can.
  public var webp: String?
  /// Why a picture cannot be drawn with characters; nil if it can.
  public var symbols: String?

  /// Creates a result.
  public init(decoding: String? = nil, webp: String? = nil, symbols: String? = nil) {
    self.decoding = decoding
    self.webp = webp
    self.symbols = symbols
  }

  /// Tries the decoder that belongs to a program.
  @MainActor
  public static func run(executable: String) async -> ImageCheck {
    let decoder = ImageDecoder(
      program: HelperProgram.imageDecoder.path(beside: executable),
      clock: SystemClock()
    )
    defer { decoder.rest() }
    let pixels = ImageLook.pixels(cellWidth: 1, cellHeight: 1)
    return ImageCheck(
      decoding: await fault(of: png, pixels, decoder),
      webp: await fault(of: webp, pixels, decoder),
      symbols: await fault(of: png, .symbols(colors: 256, .unicode), decoder)
    )
  }

  @MainActor
  private static func fault(
    of file: String,
    _ look: ImageLook,
    _ decoder: ImageDecoder
  ) async -> String? {
    guard let bytes = try? ImageOrigin.bytes(file), let header = ImageHeader(bytes) else {
      return ImageFault.unknownFormat.description
    }
    let request = ImageRequest(header: header, size: Size(columns: 1, rows: 1), look: look)
    return await withCheckedContinuation { continuation in
      decoder.draw(request, bytes) { result in
        if case .failure(let fault) = result {
          continuation.resume(returning: fault.description)
        } else {
          continuation.resume(returning: nil)
        }
      }
    }
  }

  /// One pixel.
  private static let png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    + "gg=="
  private static let webp = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="
}
