import WidgetCards
import WidgetKitCore

/// Pictures in a document: each as a PNG in a `data:` URL, written once.
nonisolated struct ImageMarkup {
  private let images: DrawnImages
  /// The numbers of the pictures, in the order in which they occur.
  private var numbers: [ImageDrawing: Int] = [:]
  private var order: [ImageDrawing] = []

  init(_ images: DrawnImages) {
    self.images = images
  }

  /// The number of a picture in the document; nil if it is not drawn.
  mutating func number(_ drawing: ImageDrawing) -> Int? {
    if let number = numbers[drawing] { return number }
    guard case .pixels? = images[drawing] else { return nil }
    order.append(drawing)
    numbers[drawing] = order.count
    return order.count
  }

  /// The pictures that have a number, in its order, each as a URL.
  var urls: [String] {
    order.map { drawing in
      guard case .pixels(let pixels)? = images[drawing] else { return "" }
      return "data:image/png;base64,\(Base64.text(of: PNGFile.bytes(of: pixels)))"
    }
  }
}
