/// Bounds on an element's size, in cells; nil leaves that bound open.
public struct FrameBounds: Hashable, Sendable {
  /// No bound at all.
  public static let open = FrameBounds()

  /// Exactly this many columns.
  public var width: Int?
  /// Exactly this many rows.
  public var height: Int?
  /// At least this many columns.
  public var minWidth: Int?
  /// At most this many columns.
  public var maxWidth: Int?
  /// At least this many rows.
  public var minHeight: Int?
  /// At most this many rows.
  public var maxHeight: Int?

  /// Creates bounds; omitted ones are open.
  public init(
    width: Int? = nil,
    height: Int? = nil,
    minWidth: Int? = nil,
    maxWidth: Int? = nil,
    minHeight: Int? = nil,
    maxHeight: Int? = nil
  ) {
    self.width = width
    self.height = height
    self.minWidth = minWidth
    self.maxWidth = maxWidth
    self.minHeight = minHeight
    self.maxHeight = maxHeight
  }
}

extension FrameBounds: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case width, height, minWidth, maxWidth, minHeight, maxHeight
    static let names = listNames()
  }

  /// Reads bounds; every member is optional.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    self.init(
      width: try members.extent(.width),
      height: try members.extent(.height),
      minWidth: try members.extent(.minWidth),
      maxWidth: try members.extent(.maxWidth),
      minHeight: try members.extent(.minHeight),
      maxHeight: try members.extent(.maxHeight)
    )
  }

  /// Writes the bounds that are set.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(width, forKey: .width)
    try members.encodeIfPresent(height, forKey: .height)
    try members.encodeIfPresent(minWidth, forKey: .minWidth)
    try members.encodeIfPresent(maxWidth, forKey: .maxWidth)
    try members.encodeIfPresent(minHeight, forKey: .minHeight)
    try members.encodeIfPresent(maxHeight, forKey: .maxHeight)
  }
}

extension FrameBounds {
  /// The bounds with each extent limited to the range of the wire, also for values that were not
  /// decoded.
  var bounded: FrameBounds {
    FrameBounds(
      width: width?.boundedExtent,
      height: height?.boundedExtent,
      minWidth: minWidth?.boundedExtent,
      maxWidth: maxWidth?.boundedExtent,
      minHeight: minHeight?.boundedExtent,
      maxHeight: maxHeight?.boundedExtent
    )
  }
}

extension Int {
  /// The nearest number of cells from 0 to 10,000.
  var boundedExtent: Int { Swift.min(Swift.max(self, 0), Size.limit.upperBound) }
}
