/// What the user has changed in a view; it lies over what the widget has sent.
///
/// The keys are those of ``ViewNode/inputKey``.
package struct ViewState: Hashable, Sendable {
  /// Nothing was changed.
  package static let first = ViewState()

  /// The folds that the user opened or closed.
  package var folds: [String: Bool] = [:]
  /// The lists that the user changed.
  package var lists: [String: ListState] = [:]
  /// The fields in which the user has typed.
  package var fields: [String: FieldState] = [:]
  /// What the rows of lists offer because the user edits the widget; nil while it is not edited.
  package var editing: ListEditing?

  /// Creates the state of a view that the user has not changed.
  package init() {}
}

/// What the lists of a widget that is edited offer.
package struct ListEditing: Hashable, Sendable {
  /// Whether rows can be removed, if they allow it.
  package var removes: Bool
  /// Whether rows can be moved, if they allow it.
  package var moves: Bool
  /// Whether rows can be added, if the list allows it.
  package var adds: Bool

  /// Creates what lists offer.
  package init(removes: Bool, moves: Bool, adds: Bool) {
    (self.removes, self.moves, self.adds) = (removes, moves, adds)
  }
}

/// What the user has changed in a list.
package struct ListState: Hashable, Sendable {
  /// Whether all rows are shown.
  package var isExpanded = false
  /// The rows that were removed and of which the widget has not sent a list without them yet.
  package var hidden: Set<String> = []
  /// The rows in the order that the user gave them; others follow.
  package var order: [String]?

  /// Creates the state of a list that the user has not changed.
  package init() {}
}

/// What the user has typed in a field.
package struct FieldState: Hashable, Sendable {
  /// The text.
  package var text: String
  /// The number of characters before the cursor.
  package var cursor: Int

  /// Creates the state of a field.
  package init(text: String, cursor: Int) {
    (self.text, self.cursor) = (text, cursor)
  }
}
