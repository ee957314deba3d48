/// What a press on an element is for.
package enum PressRole: Hashable, Sendable {
  /// It sends the action of the element, or opens its link.
  case element
  /// It opens or closes a fold.
  case fold(key: String, isOpen: Bool)
  /// It shows all rows of a list, or only the first ones again.
  case more(list: String, isExpanded: Bool)
  /// It presses a row, which can also be removed and moved.
  case row(RowTarget)
  /// It asks the widget for a new row.
  case add(list: String)
  /// The element takes typing while it has the focus.
  case field(FieldTarget)

  /// Whether both are for the same part of a view, in whatever state it is.
  package func isSame(as other: PressRole) -> Bool {
    switch (self, other) {
    case (.element, .element): true
    case (.fold(let one, _), .fold(let two, _)): one == two
    case (.more(let one, _), .more(let two, _)): one == two
    case (.row(let one), .row(let two)): one.list == two.list && one.row == two.row
    case (.add(let one), .add(let two)): one == two
    case (.field(let one), .field(let two)): one.key == two.key
    case (.element, _), (.fold, _), (.more, _), (.row, _), (.add, _), (.field, _): false
    }
  }
}

/// A row of a list on the screen.
package struct RowTarget: Hashable, Sendable {
  /// The key of the list.
  package var list: String
  /// The `id` of the row.
  package var row: String
  /// Whether it can be removed, if the widget implements that.
  package var canRemove: Bool
  /// Whether it can be moved, if the widget implements that.
  package var canMove: Bool
  /// The cells of the mark that removes it; nil for none.
  package var removal: Rect?
  /// The cells of the mark that says that it can be moved; nil for none.
  package var grip: Rect?
}

/// A field on the screen.
package struct FieldTarget: Hashable, Sendable {
  /// By which its state is kept.
  package var key: String
  /// The name that the widget knows it by; nil for a field without an `id`.
  package var id: String?
  /// Its text.
  package var text: String
  /// The cell of the cursor.
  package var cursor: Position
  /// The first cell of the text, and how many there are.
  package var origin: Position
  package var columns: Int
}
