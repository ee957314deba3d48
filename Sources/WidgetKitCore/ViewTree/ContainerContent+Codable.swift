extension StackContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    self.init(
      children: try members.list(.children, of: "nodes"),
      spacing: try members.extent(.spacing),
      alignment: try members.choice(.alignment) ?? .leading
    )
  }

  func write(to members: inout ViewNode.Writer, type: String) throws {
    try members.encode(type, forKey: .type)
    try members.encode(children, forKey: .children, unless: [])
    try members.encodeIfPresent(spacing, forKey: .spacing)
    try members.encode(alignment, forKey: .alignment, unless: .leading)
  }
}

extension LayeredContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    self.init(
      children: try members.list(.children, of: "nodes"),
      alignment: try members.choice(.alignment) ?? .center,
      interval: try members.extent(.interval).flatMap { $0 > 0 ? $0 : nil }
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("zstack", forKey: .type)
    try members.encode(children, forKey: .children, unless: [])
    try members.encode(alignment, forKey: .alignment, unless: .center)
    try members.encodeIfPresent(interval, forKey: .interval)
  }
}

extension GridContent {
  /// Reads rows one at a time, so that a limit stops the reading early.
  init(_ members: borrowing ViewNode.Reader) throws {
    let columns: [GridColumn] = try members.list(.columns, of: "columns")
    try members.budget?.check(gridColumns: columns.count)
    self.init(
      rows: try Self.rows(members),
      columns: columns,
      columnSpacing: try members.extent(.columnSpacing) ?? 1,
      rowSpacing: try members.extent(.rowSpacing) ?? 0
    )
  }

  private static func rows(_ members: borrowing ViewNode.Reader) throws -> [[ViewNode]] {
    guard let value = members[.rows] else { return [] }
    guard let lists = value.items else { throw members.expected("an array of rows", forKey: .rows) }
    let budget = members.budget
    var rows: [[ViewNode]] = []
    for list in lists {
      try budget?.check(gridRows: rows.count + 1)
      guard let cells = list.items else { throw value.expected("an array of nodes") }
      var row: [ViewNode] = []
      for cell in cells {
        try budget?.check(gridColumns: row.count + 1)
        row.append(try ViewNode(cell))
      }
      rows.append(row)
    }
    return rows
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("grid", forKey: .type)
    try members.encode(rows, forKey: .rows, unless: [])
    try members.encode(columns, forKey: .columns, unless: [])
    try members.encode(columnSpacing, forKey: .columnSpacing, unless: 1)
    try members.encode(rowSpacing, forKey: .rowSpacing, unless: 0)
  }
}

extension GridColumn: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case alignment, width, minWidth, priority

    static let names = listNames()
  }

  /// Reads a column; every member is optional.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    self.init(
      alignment: try members.choice(.alignment) ?? .leading,
      width: try members.extent(.width),
      minWidth: try members.extent(.minWidth),
      priority: try members.number(.priority) ?? 0
    )
  }

  /// Writes the members that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(alignment, forKey: .alignment, unless: .leading)
    try members.encodeIfPresent(width, forKey: .width)
    try members.encodeIfPresent(minWidth, forKey: .minWidth)
    try members.encode(priority, forKey: .priority, unless: 0)
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
