public import WidgetKitCore

/// What pictures are drawn with.
public nonisolated enum ImageLook: Hashable, Sendable {
  /// Characters, in so many colours.
  case symbols(colors: Int, GlyphSet)
  /// Pixels, so many for a cell.
  case pixels(cellWidth: Int, cellHeight: Int)
}

/// Pixels with red, green, blue and alpha, row by row.
public nonisolated struct ImagePixels: Hashable, Sendable {
  /// Columns of pixels, from 1.
  public let width: Int
  /// Rows of pixels, from 1.
  public let height: Int
  /// Four bytes for each pixel.
  public let bytes: [UInt8]

  /// Creates a picture; nil if the number of bytes does not fit its size.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width > 0, height > 0,
      bytes.count == width.multipliedSaturated(by: height).multipliedSaturated(by: 4)
    else {
      return nil
    }
    self.width = width
    self.height = height
    self.bytes = bytes
  }
}

/// A picture that can be drawn.
public nonisolated enum ImageResult: Hashable, Sendable {
  /// The characters of its cells, row by row.
  case symbols([Cell])
  case pixels(ImagePixels)

  /// The memory that it takes, about.
  var byteCount: Int {
    switch self {
    case .symbols(let cells): cells.count * MemoryLayout<Cell>.stride
    case .pixels(let pixels): pixels.bytes.count
    }
  }
}

/// A request to draw a picture.
package nonisolated struct ImageRequest: Hashable, Sendable {
  var header: ImageHeader
  var size: Size
  var look: ImageLook

  /// The size of the answer: in cells, or in pixels; a picture is not enlarged and not distorted.
  var answerSize: (columns: Int, rows: Int) {
    guard case .pixels(let width, let height) = look else { return (size.columns, size.rows) }
    let scale = min(
      1,
      Double(size.columns * width) / Double(header.width),
      Double(size.rows * height) / Double(header.height)
    )
    let part = { (extent: Int) in max(1, Int(saturated: (Double(extent) * scale).rounded())) }
    return (part(header.width), part(header.height))
  }
}

/// Draws pictures, each at a time of its own.
package protocol ImageDrawer: AnyObject {
  /// Draws a picture; `completion` is called once, later.
  func draw(
    _ request: ImageRequest,
    _ bytes: [UInt8],
    completion: @escaping (Result<ImageResult, ImageFault>) -> Void
  )
  /// Releases what is not needed until the next picture.
  func rest()
}
