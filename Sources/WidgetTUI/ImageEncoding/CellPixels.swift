/// The pixels of a cell of a terminal.
nonisolated struct CellPixels: Hashable, Sendable {
  var width: Int
  var height: Int

  /// What terminals have that do not tell.
  static let usual = CellPixels(width: 10, height: 20)
  private static let range = 2...100

  /// Creates a size.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// A size as a terminal tells it; nil if it cannot be one.
  init?(told width: Int, _ height: Int) {
    guard Self.range.contains(width), Self.range.contains(height) else { return nil }
    self.init(width: width, height: height)
  }
}
