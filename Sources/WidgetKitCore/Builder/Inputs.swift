/// Rows that the user selects and, if the widget implements `listDidRemoveRow(_:in:)`, removes.
///
/// ```swift
/// List("todo", minimumVisibleRowCount: 5) {
///   for item in items {
///     Row(item.id, action: "open \(item.id)") { Text(item.title) }
///   }
/// }
/// ```
public struct List: View {
  /// A list is one element and has no body.
  public typealias Body = Never

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
public struct Row: View {
  /// A row is one element and has no body.
  public typealias Body = Never

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
  ///   - content: What it shows.
  public init(
    _ id: String,
    action: String? = nil,
    destination: String? = nil,
    canRemove: Bool = true,
    canMove: Bool = true,
    @ViewBuilder content: () -> Group
  ) {
    let row = ListRow(
      id: id,
      view: content().node,
      action: action,
      link: destination,
      canRemove: canRemove,
      canMove: canMove
    )
    var node = ViewNode(.list(ListContent(rows: [row])))
    node.id = Self.type
    nodes = [node]
  }
}

/// A line that the user types; see `fieldDidChange(_:text:)` and `perform(action:text:)`.
public struct Field: View {
  /// A field is one element and has no body.
  public typealias Body = Never

  /// The field as one element.
  public let nodes: [ViewNode]

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - id: The name that the messages about it have for it.
  ///   - text: The text to which the view is the answer, or that the field is to have; nil leaves it to
  ///     the user.
  ///   - placeholder: What is shown while it is empty.
  ///   - kind: What it is for.
  ///   - action: The name that Enter sends to the widget with the text.
  public init(
    _ id: String,
    text: String? = nil,
    placeholder: String? = nil,
    kind: FieldKind = .text,
    action: String? = nil
  ) {
    let content = FieldContent(
      text: text.map { SafeText($0) },
      placeholder: placeholder.map { SafeText($0) },
      kind: kind
    )
    var node = ViewNode(.field(content))
    node.id = id
    node.action = action
    nodes = [node]
  }
}

/// Views below a line that opens and closes them.
public struct Fold: View {
  /// A fold is one element and has no body.
  public typealias Body = Never

  /// The fold as one element.
  public let nodes: [ViewNode]

  /// Creates a fold.
  ///
  /// - Parameters:
  ///   - title: The line.
  ///   - id: By which the host keeps whether it is open; its title if it has none.
  ///   - isOpen: Whether it is open until the user closes it.
  ///   - content: The views, from top to bottom.
  public init(
    _ title: String,
    id: String? = nil,
    isOpen: Bool = false,
    @ViewBuilder content: () -> Group
  ) {
    let fold = FoldContent(label: Text(title).node, children: content().nodes, isOpen: isOpen)
    var node = ViewNode(.fold(fold))
    node.id = id
    nodes = [node]
  }
}
