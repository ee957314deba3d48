/// Where the file of a picture is.
package enum ImageSource: Hashable, Sendable {
  /// A path in the bundle or in a container.
  case path(String)
  /// The file itself, in base64.
  case data(String)
}

/// A picture that the host has found.
package struct FoundImage: Hashable, Sendable {
  /// Its number.
  package var number: Int
  /// Its columns and rows of pixels.
  package var pixels: Size

  /// Creates a picture.
  package init(number: Int, pixels: Size) {
    self.number = number
    self.pixels = pixels
  }
}

/// What layout needs to know of the pictures of a view: which there are, and which can be drawn now.
package struct ViewImages: Sendable {
  /// The pictures that were found.
  package var found: [ImageSource: FoundImage] = [:]
  /// The drawings that are ready; any other picture is drawn as its `alt`.
  package var ready: Set<ImageDrawing> = []

  /// Creates a value without pictures.
  package init() {}
}
