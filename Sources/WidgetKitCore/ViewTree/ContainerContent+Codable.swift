extension StackContent {
  init(_ members: ViewNode.Reader) throws {
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
  init(_ members: ViewNode.Reader) throws {
    self.init(
      children: try members.list(.children, of: "nodes"),
      alignment: try members.choice(.alignment) ?? .center
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("zstack", forKey: .type)
    try members.encode(children, forKey: .children, unless: [])
    try members.encode(alignment, forKey: .alignment, unless: .center)
  }
}

extension GridContent {
  /// Reads rows one at a time, so that a limit stops the reading and not only its result.
  init(_ members: ViewNode.Reader, budget: ViewBudget?) throws {
    let columns: [GridColumn] = try members.list(.columns, of: "columns")
    try budget?.check(gridColumns: columns.count)
    self.init(
      rows: try Self.rows(members, budget: budget),
      columns: columns,
      columnSpacing: try members.extent(.columnSpacing) ?? 1,
      rowSpacing: try members.extent(.rowSpacing) ?? 0
    )
  }

  private static func rows(_ members: ViewNode.Reader, budget: ViewBudget?) throws -> [[ViewNode]] {
    guard try members.holds(.rows) else { return [] }
    var container: any UnkeyedDecodingContainer
    do {
      container = try members.nestedUnkeyedContainer(forKey: .rows)
    } catch is DecodingError {
      throw members.expected("an array of rows", forKey: .rows)
    }
    var rows: [[ViewNode]] = []
    while !container.isAtEnd {
      try budget?.check(gridRows: rows.count + 1)
      var cells: any UnkeyedDecodingContainer
      do {
        cells = try container.nestedUnkeyedContainer()
      } catch is DecodingError {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "expected an array of nodes"
        )
      }
      var row: [ViewNode] = []
      while !cells.isAtEnd {
        try budget?.check(gridColumns: row.count + 1)
        row.append(try cells.decode(ViewNode.self))
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

extension GridColumn: Codable {
  private enum CodingKeys: String, CodingKey {
    case alignment, width, minWidth, priority
  }

  /// Reads a column; every member may be left out.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
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

extension FrameBounds: Codable {
  private enum CodingKeys: String, CodingKey {
    case width, height, minWidth, maxWidth, minHeight, maxHeight
  }

  /// Reads bounds; every member may be left out.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
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
