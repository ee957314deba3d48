import WidgetKitCore

/// What the user does with the rows of a list, each a request to the widget.
package enum ListChange: Hashable, Sendable {
  case shouldRemove(row: String, of: String)
  case remove(row: String, of: String)
  case move(row: String, of: String, before: String?)
  case add(to: String)

  var request: any RequestMessage {
    switch self {
    case .shouldRemove(let row, let list): ListShouldRemoveRowRequest(list: list, row: row)
    case .remove(let row, let list): ListDidRemoveRowRequest(list: list, row: row)
    case .move(let row, let list, let before):
      ListDidMoveRowRequest(list: list, row: row, before: before)
    case .add(let list): WidgetListPerformAddActionRequest(list: list)
    }
  }

  package var method: String { type(of: request).method }

  /// The `id` of the list.
  var list: String {
    switch self {
    case .shouldRemove(_, let list), .remove(_, let list), .move(_, let list, _), .add(let list):
      list
    }
  }
}

/// How the widget has answered to a ``ListChange``.
package enum ListOutcome: Hashable, Sendable {
  /// It was done; the widget may send other content.
  case done
  /// The widget does not allow to remove the row.
  case refused
  /// It was not done; the words are for the user.
  case failed(String)
}
