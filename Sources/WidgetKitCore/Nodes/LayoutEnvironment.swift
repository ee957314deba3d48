public import FoundationEssentials

/// The parameters of layout besides the tree and the width.
public struct LayoutEnvironment: Sendable {
  /// The present time, for `date` nodes.
  public var now: Date
  /// The characters that lines, bars and marks are drawn with.
  public var glyphs: GlyphSet
  /// The wording and zones of dates.
  public var dates: DateWording
  /// Whether privacy-sensitive nodes are drawn as blocks.
  public var redactsPrivate: Bool
  /// Whether the children of a `zstack` with an interval take turns; otherwise the first one stays.
  public var takesTurns = false
  /// What the user has changed in the view.
  package var state = ViewState.first
  /// The pictures of the view.
  package var images = ViewImages()
  /// Whether nodes with an accessibility label are drawn as that label, for screen readers.
  public var showsLabels = false

  /// Creates an environment.
  public init(
    now: Date,
    glyphs: GlyphSet = .unicode,
    dates: DateWording = .current,
    redactsPrivate: Bool = false
  ) {
    self.now = now
    self.glyphs = glyphs
    self.dates = dates
    self.redactsPrivate = redactsPrivate
  }
}
