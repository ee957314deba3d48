import WidgetKitCore

/// Why a picture is not shown, as words that follow its name.
nonisolated struct ImageFault: Error, Hashable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }

  static let outside = ImageFault(
    "is outside of the bundle and its containers; copy the file to one of them"
  )
  static let absent = ImageFault("is neither in the bundle nor in a container")
  static let noFile = ImageFault("is not a regular file")
  static let link = ImageFault("is behind a symbolic link, which is not followed")
  static let changed = ImageFault("was changed while it was read")
  static let unknownFormat = ImageFault("is not a PNG, JPEG, GIF or WebP file")
  static let badBase64 = ImageFault("has “data” that is not Base64")
  static let tooMany = ImageFault(
    "is one of more than \(ImageLimits.perView) pictures in a view; the others are shown"
  )
  static let noDecoder = ImageFault("cannot be decoded: the decoder is not installed")
  static let noMemory = ImageFault("is not shown: the pictures of the page take too much memory")

  static func tooLong(_ bytes: Int) -> ImageFault {
    ImageFault("has \(bytes) bytes; the limit is \(ImageLimits.bytes)")
  }

  static func tooLarge(_ header: ImageHeader) -> ImageFault {
    ImageFault(
      "has \(header.width) × \(header.height) pixels; the limit is \(ImageLimits.pixels) in all"
    )
  }

  static func system(_ number: Int32) -> ImageFault {
    ImageFault("cannot be read: \(FileFault.system(number).words)")
  }
}

/// Limits on the pictures of widgets.
nonisolated enum ImageLimits {
  /// Bytes of a file.
  static let bytes = 4 << 20
  /// Bytes at the beginning of a file in which its size must be.
  static let headerBytes = 256 << 10
  /// Pixels of a picture.
  static let pixels = 32_000_000
  /// Pictures of one view.
  static let perView = 32
  /// Bytes of all drawings of a page.
  static let drawnBytes = 32 << 20
  /// How long a picture may take.
  static let time: Duration = .seconds(5)
  /// How long the decoder waits for the next picture before it ends.
  static let idleTime: Duration = .seconds(10)
}
