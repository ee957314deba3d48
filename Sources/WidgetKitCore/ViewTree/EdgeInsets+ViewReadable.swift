extension EdgeInsets: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case top, left, bottom, right
    static let names = listNames()
  }

  /// Reads four members, or one number for all of them.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    if let all = source.json.integer {
      guard Size.limit.contains(all) else {
        throw source.expected("a whole number from 0 to 10000, found \(all)")
      }
      self.init(top: all, left: all, bottom: all, right: all)
      return
    }
    guard let members = source.members(CodingKeys.self) else {
      throw source.expected(
        "a whole number from 0 to 10000 or an object of top, left, bottom, right"
      )
    }
    self.init(
      top: try members.extent(.top) ?? 0,
      left: try members.extent(.left) ?? 0,
      bottom: try members.extent(.bottom) ?? 0,
      right: try members.extent(.right) ?? 0
    )
  }

  /// Writes the four members.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(top, forKey: .top)
    try members.encode(left, forKey: .left)
    try members.encode(bottom, forKey: .bottom)
    try members.encode(right, forKey: .right)
  }
}

extension EdgeInsets {
  /// The insets with each distance limited to the range of the wire, also for values that were not
  /// decoded.
  var bounded: EdgeInsets {
    EdgeInsets(
      top: top.boundedExtent,
      left: left.boundedExtent,
      bottom: bottom.boundedExtent,
      right: right.boundedExtent
    )
  }
}
