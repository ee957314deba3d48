import WidgetKitCore
import WidgetPlatform

/// Why a picture is not shown, as words that follow its name.
package nonisolated struct ImageFault: Error, Hashable, CustomStringConvertible {
  package var description: String

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
  static let cutShort = ImageFault("is cut short: its end is missing")
  static let noDecoder = ImageFault("cannot be decoded: the decoder is not installed")
  static let noMemory = ImageFault("is not shown: the pictures of the page take too much memory")

  static func tooMany(limit: Int) -> ImageFault {
    ImageFault("is one of more than \(limit) pictures in a view; the others are shown")
  }

  static func tooLong(_ bytes: Int, limit: Int) -> ImageFault {
    ImageFault("has \(bytes) bytes; the limit is \(limit)")
  }

  static func tooLarge(_ header: ImageHeader, limit: Int) -> ImageFault {
    ImageFault("has \(header.width) × \(header.height) pixels; the limit is \(limit) in all")
  }

  static func system(_ number: Int32) -> ImageFault {
    ImageFault("cannot be read: \(FileFault.system(number).words)")
  }
}
