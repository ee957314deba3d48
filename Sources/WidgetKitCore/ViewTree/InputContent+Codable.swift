extension FoldContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    guard let label: ViewNode = try members.value(.label) else {
      throw members.expected("a label: a text or a node", forKey: .label)
    }
    self.init(
      label: label,
      children: try members.list(.children, of: "nodes"),
      isOpen: try members.flag(.isOpen) ?? false
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("fold", forKey: .type)
    try members.encode(label, forKey: .label)
    try members.encode(children, forKey: .children, unless: [])
    try members.encode(isOpen, forKey: .isOpen, unless: false)
  }
}

extension ListContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    self.init(
      rows: try members.list(.rows, of: "rows"),
      minimumVisibleRowCount: try members.extent(.minimumVisibleRowCount) ?? 0,
      emptyText: try members.value(.emptyText),
      allowsAdding: try members.flag(.allowsAdding) ?? true
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("list", forKey: .type)
    try members.encode(rows, forKey: .rows, unless: [])
    try members.encode(minimumVisibleRowCount, forKey: .minimumVisibleRowCount, unless: 0)
    try members.encodeIfPresent(emptyText, forKey: .emptyText)
    try members.encode(allowsAdding, forKey: .allowsAdding, unless: true)
  }
}

extension ListRow: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case id, view, action, link, canRemove, canMove

    static let names = listNames()
  }

  /// Reads a row; it has an `id` and a `view`.
  public init(from decoder: any Decoder) throws {
    try self.init(ViewSource(decoder))
  }

  init(_ source: ViewSource) throws {
    let members = try source.requiredMembers(CodingKeys.self)
    guard let id = try members.string(.id) else {
      throw members.expected("the id of a row, a text", forKey: .id)
    }
    guard let view: ViewNode = try members.value(.view) else {
      throw members.expected("the view of a row: a node or a text", forKey: .view)
    }
    self.init(
      id: id,
      view: view,
      action: try members.string(.action),
      link: try members.string(.link),
      canRemove: try members.flag(.canRemove) ?? true,
      canMove: try members.flag(.canMove) ?? true
    )
  }

  /// Writes the members that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .id)
    try members.encode(view, forKey: .view)
    try members.encodeIfPresent(action, forKey: .action)
    try members.encodeIfPresent(link, forKey: .link)
    try members.encode(canRemove, forKey: .canRemove, unless: true)
    try members.encode(canMove, forKey: .canMove, unless: true)
  }
}

extension FieldContent {
  init(_ members: borrowing ViewNode.Reader) throws {
    self.init(
      text: try members.value(.text),
      placeholder: try members.value(.placeholder),
      kind: try members.choice(.kind) ?? .text
    )
  }

  func write(to members: inout ViewNode.Writer) throws {
    try members.encode("field", forKey: .type)
    try members.encodeIfPresent(text, forKey: .text)
    try members.encodeIfPresent(placeholder, forKey: .placeholder)
    try members.encode(kind, forKey: .kind, unless: .text)
  }
}
