/// Limits on the pictures of widgets.
public struct ImageLimits: Hashable, Sendable {
  /// Bytes of a file.
  public var fileBytes = 4 << 20
  /// Pixels of a picture.
  public var pixels = 32_000_000
  /// Pictures of one view.
  public var perView = 32
  /// Bytes of all drawings of a page.
  public var drawnBytes = 32 << 20

  /// The most bytes and pixels that can be allowed, for which the decoder has room.
  package static let largestFileBytes = 16 << 20
  package static let mostPixels = 64 << 20
  /// Bytes at the beginning of a file in which its size must be.
  package static let headerBytes = 256 << 10
  /// How long a picture may take.
  package static let time: Duration = .seconds(5)
  /// How long the decoder waits for the next picture before it ends.
  package static let idleTime: Duration = .seconds(10)

  /// Creates the defaults.
  public init() {}
}
