/// The members of a `fold`: children that the user shows and hides.
///
/// The host keeps what the user chose, by the node's `id`, or by its label if it has none.
public struct FoldContent: Hashable, Sendable {
  /// The line that opens and closes it.
  public var label: ViewNode
  /// The views that are shown while it is open, from top to bottom.
  public var children: [ViewNode]
  /// Whether it is open until the user closes it.
  public var isOpen: Bool

  /// Creates the content of a fold.
  public init(label: ViewNode, children: [ViewNode], isOpen: Bool = false) {
    self.label = label
    self.children = children
    self.isOpen = isOpen
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

/// What a field is for, which its mark shows.
public enum FieldKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A text that Enter sends.
  case text
  /// A text by which something is found while it is typed.
  case search
}

/// The members of a `field`: a line that the user types; its `action` is sent by Enter.
public struct FieldContent: Hashable, Sendable {
  /// The text to which this view is the answer, or that the field is to have; nil leaves it to the user.
  public var text: SafeText?
  /// What is shown while it is empty.
  public var placeholder: SafeText?
  /// What it is for.
  public var kind: FieldKind

  /// Creates the content of a field.
  public init(text: SafeText? = nil, placeholder: SafeText? = nil, kind: FieldKind = .text) {
    self.text = text
    self.placeholder = placeholder
    self.kind = kind
  }
}
