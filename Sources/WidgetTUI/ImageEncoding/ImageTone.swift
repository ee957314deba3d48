import WidgetCards
import WidgetKitCore

/// How a picture of pixels differs from its file, as the style of its cells says.
nonisolated enum ImageTone: Hashable, Sendable {
  case plain
  /// Less prominent, as old content is.
  case dim
  /// In the colour of the focus, as what is focused or pressed.
  case focused

  /// The tone of a cell with a style.
  init(_ attributes: CellAttributes) {
    if attributes.contains(.reverse) || attributes.contains(.underline) {
      self = .focused
    } else {
      self = attributes.contains(.dim) ? .dim : .plain
    }
  }
}

/// A picture in a tone.
nonisolated struct ImageCopy: Hashable, Sendable {
  var drawing: ImageDrawing
  var tone = ImageTone.plain
}

/// The colours of a tone: each is mixed with another one.
nonisolated struct ImageShade: Sendable {
  /// The mixed values of red, green and blue.
  private let tables: [[UInt8]]

  /// Creates a shade; nil for a tone that changes nothing.
  init?(_ tone: ImageTone, _ theme: Theme) {
    let (other, share): (RGB, Double)
    switch tone {
    case .plain: return nil
    case .dim: (other, share) = (theme.windowBackground, 0.5)
    case .focused: (other, share) = (theme.rgb(.accent), 0.4)
    }
    let mixed = (0...255).map { value in
      let part = UInt8(clamping: value)
      return RGB(red: part, green: part, blue: part).mixed(with: other, share)
    }
    tables = [mixed.map(\.red), mixed.map(\.green), mixed.map(\.blue)]
  }

  /// A colour in the shade.
  func color(_ color: RGB) -> RGB {
    RGB(
      red: tables[0][Int(color.red)],
      green: tables[1][Int(color.green)],
      blue: tables[2][Int(color.blue)]
    )
  }

  /// Pixels in the shade; what is transparent stays so.
  func pixels(_ pixels: ImagePixels) -> ImagePixels {
    var bytes = pixels.bytes
    for index in bytes.indices where index & 3 != 3 {
      bytes[index] = tables[index & 3][Int(bytes[index])]
    }
    return ImagePixels(width: pixels.width, height: pixels.height, bytes: bytes) ?? pixels
  }
}
