/// The members of a `list`: rows that the user selects, removes and moves.
public struct ListContent: Hashable, Sendable {
  /// The rows, from top to bottom.
  public var rows: [ListRow]
  /// How many rows are shown until the user asks for more; 0 for all of them.
  public var minimumVisibleRowCount: Int
  /// What is shown in the place of rows if there are none.
  public var emptyText: SafeText?
  /// Whether the user can add a row, if the widget implements `widgetListPerformAddAction`.
  public var allowsAdding: Bool

  /// Creates the content of a list.
  public init(
    rows: [ListRow],
    minimumVisibleRowCount: Int = 0,
    emptyText: SafeText? = nil,
    allowsAdding: Bool = true
  ) {
    self.rows = rows
    self.minimumVisibleRowCount = minimumVisibleRowCount
    self.emptyText = emptyText
    self.allowsAdding = allowsAdding
  }
}

extension ListContent: NodeContent {
  static let type = "list"
  var wrapped: ViewNode.Content { .list(self) }

  enum Member: Int, ViewMemberKey {
    case rows, minimumVisibleRowCount, emptyText, allowsAdding
    static let names = listNames()
  }

  init(_ members: borrowing Reader) throws {
    self.init(
      rows: try members.list(.rows, of: "rows"),
      minimumVisibleRowCount: try members.extent(.minimumVisibleRowCount) ?? 0,
      emptyText: try members.value(.emptyText),
      allowsAdding: try members.flag(.allowsAdding) ?? true
    )
  }

  func write(to members: inout Writer) throws {
    try members.encode(rows, forKey: .rows, unless: [])
    try members.encode(minimumVisibleRowCount, forKey: .minimumVisibleRowCount, unless: 0)
    try members.encodeIfPresent(emptyText, forKey: .emptyText)
    try members.encode(allowsAdding, forKey: .allowsAdding, unless: true)
  }

  var nodes: [ViewNode] { rows.map(\.view) }

  mutating func changeNodes(_ change: (inout ViewNode) -> Void) {
    for index in rows.indices { change(&rows[index].view) }
  }

  var isInput: Bool { true }

  func box(_ origin: LayoutBox.Origin, _ builder: BoxBuilder) -> LayoutBox {
    let environment = builder.environment
    let key = origin.node.inputKey
    let state = environment.state.lists[key] ?? ListState()
    let rows = state.rows(of: self)
    let limit = minimumVisibleRowCount
    let isLong = limit > 0 && rows.count > limit
    let shown = isLong && !state.isExpanded ? rows.prefix(limit) : rows[...]
    var lines = shown.map { row in
      let box = builder.box(row.view, in: .column, of: origin)
      box.isPressedByRow = row.isItsView
      return ListBox.Line(
        box: box,
        role: .row(
          RowTarget(list: key, row: row.id, canRemove: row.canRemove, canMove: row.canMove)
        ),
        row: row
      )
    }
    // A line below the rows that can be pressed is not the widget's and so is never covered.
    func add(_ words: SafeText, role: PressRole? = nil) {
      var node = ViewNode(.text(TextContent(spans: [TextSpan(words)])))
      node.style.foreground = role != nil ? .accent : .secondary
      let isRedacted = origin.isRedacted && role == nil
      let box = builder.box(node, in: .column, style: origin.style, isRedacted: isRedacted)
      lines.append(ListBox.Line(box: box, role: role))
    }
    if rows.isEmpty, let emptyText { add(emptyText) }
    if isLong {
      let more: SafeText = builder.isUnicode ? "Show More…" : "Show More..."
      add(
        state.isExpanded ? "Show Less" : more,
        role: .more(list: key, isExpanded: state.isExpanded)
      )
    }
    if environment.state.editing?.adds == true, allowsAdding { add("+ Add", role: .add(list: key)) }
    let marks = environment.state.editing.map { ListMarks($0, environment.glyphs) }
    return ListBox(origin, lines, key: key, marks: marks)
  }
}

/// A row of a `list`.
public struct ListRow: Hashable, Sendable {
  /// Its identity in the list, which the messages about it name.
  public var id: String
  /// What it shows.
  public var view: ViewNode
  /// A name that a press on the row sends to the widget.
  public var action: String?
  /// A URL that a press on the row opens.
  public var link: String?
  /// Whether the user can remove it, if the widget implements `listDidRemoveRow`.
  public var canRemove: Bool
  /// Whether the user can move it, if the widget implements `listDidMoveRow`.
  public var canMove: Bool
  /// The colour of a mark in the margin of the row; nil for none.
  public var tint: Color?

  /// Creates a row.
  public init(
    id: String,
    view: ViewNode,
    action: String? = nil,
    link: String? = nil,
    canRemove: Bool = true,
    canMove: Bool = true
  ) {
    self.id = id
    self.view = view
    self.action = action
    self.link = link
    self.canRemove = canRemove
    self.canMove = canMove
  }
}

extension ListRow: ViewReadable {
  private enum CodingKeys: Int, ViewMemberKey {
    case id, view, action, link, canRemove, canMove, tint
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
    tint = try members.value(.tint)
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
    try members.encodeIfPresent(tint, forKey: .tint)
  }
}

extension ListState {
  /// Returns the rows as they are shown, without a limit on their number.
  package func rows(of list: ListContent) -> [ListRow] {
    let rows = hidden.isEmpty ? list.rows : list.rows.filter { !hidden.contains($0.id) }
    guard let order else { return rows }
    let places = Dictionary(
      order.enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let ranked = rows.enumerated().map { ($1, (places[$1.id] ?? order.count, $0)) }
    return ranked.sorted { $0.1 < $1.1 }.map(\.0)
  }
}

/// Rows that the user selects and, if the widget implements `listDidRemoveRow(_:in:)`, removes.
///
/// ```swift
/// List("todo", minimumVisibleRowCount: 5) {
///   for item in items {
///     Row(item.id, action: "open \(item.id)") { Text(item.title) }
///   }
/// }
/// ```
public struct List: ElementView {
  /// The list as one element.
  public let nodes: [ViewNode]

  /// Creates a list; a view outside a ``Row`` is a row that cannot be removed or moved.
  ///
  /// - Parameters:
  ///   - id: The name that the messages about its rows have for it.
  ///   - minimumVisibleRowCount: How many rows are shown until the user asks for more; 0 for all.
  ///   - emptyText: What is shown if there are no rows.
  ///   - allowsAdding: Whether rows can be added, if the widget implements
  ///     `widgetListPerformAddAction(in:)`.
  ///   - content: The rows, from top to bottom.
  public init(
    _ id: String,
    minimumVisibleRowCount: Int = 0,
    emptyText: String? = nil,
    allowsAdding: Bool = true,
    @ViewBuilder content: () -> Group
  ) {
    let rows = content().nodes.enumerated().map { index, node in
      guard case .list(let inner) = node.content, node.id == Row.type, let row = inner.rows.first
      else {
        return ListRow(id: "#\(index)", view: node, canRemove: false, canMove: false)
      }
      return row
    }
    var node = ViewNode(
      .list(
        ListContent(
          rows: rows,
          minimumVisibleRowCount: min(max(0, minimumVisibleRowCount), Size.limit.upperBound),
          emptyText: emptyText.map { SafeText($0) },
          allowsAdding: allowsAdding
        )
      )
    )
    node.id = id
    nodes = [node]
  }
}

/// One row of a ``List``; outside a list it is a list of one row.
public struct Row: ElementView {
  /// By which a list knows its rows; it is never sent from inside a list.
  static let type = "today.row"

  /// The row as one element.
  public let nodes: [ViewNode]

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: Its name in the list, which the messages about it have.
  ///   - action: The name that a press on it sends to the widget.
  ///   - destination: The URL that a press on it opens.
  ///   - canRemove: Whether the user can remove it.
  ///   - canMove: Whether the user can move it.
  ///   - tint: The colour of a mark in its margin, such as of the rows that are worst.
  ///   - content: What it shows.
  public init(
    _ id: String,
    action: String? = nil,
    destination: String? = nil,
    canRemove: Bool = true,
    canMove: Bool = true,
    tint: Color? = nil,
    @ViewBuilder content: () -> Group
  ) {
    var row = ListRow(
      id: id,
      view: content().node,
      action: action,
      link: destination,
      canRemove: canRemove,
      canMove: canMove
    )
    row.tint = tint
    var node = ViewNode(.list(ListContent(rows: [row])))
    node.id = Self.type
    nodes = [node]
  }
}
