import WidgetExtensions
import WidgetKitCore

/// Rows of a card's lists that the user removes, moves and adds.
///
/// A change is shown at once. If the widget answers with an error it is taken back, and otherwise it
/// stays until the widget has sent a view after its answer.
package struct CardLists {
  /// What is to be done, in order.
  enum Step {
    /// Rows are shown or not, or in another order.
    case show
    /// Tell the widget.
    case send(ListChange)
    /// Show words to the user.
    case say(SafeText)
  }

  /// What is shown already and not in the widget's view yet.
  private var shown: [(change: ListChange, isAnswered: Bool)] = []

  /// Whether the widget has sent a view since it was asked about a row, such as a question of its own.
  private var hasShownSomething = false

  /// How many rows the widget was asked for and has not answered.
  private var asked = 0

  /// How many changes may be shown that the widget has not sent a view for.
  private static let limit = 64

  /// Whether the widget was asked for a row and has not answered.
  package var isAdding: Bool { asked > 0 }

  // MARK: - The user's actions

  /// Removes a row, if the widget, with the methods that it implements, and the row allow it.
  mutating func remove(_ row: RowTarget, _ implemented: Set<String>) -> [Step] {
    guard implemented.contains(ListDidRemoveRowRequest.method), row.canRemove, hasName(row.list)
    else { return [.say("This row cannot be removed.")] }
    hasShownSomething = false
    return implemented.contains(ListShouldRemoveRowRequest.method)
      ? [.send(.shouldRemove(row: row.row, of: row.list))]
      : show(.remove(row: row.row, of: row.list))
  }

  /// Moves a row up or down by a number of rows.
  mutating func move(
    _ row: RowTarget,
    by distance: Int,
    in view: ViewNode?,
    _ implemented: Set<String>
  ) -> [Step] {
    guard implemented.contains(ListDidMoveRowRequest.method), row.canMove, hasName(row.list) else {
      return [.say("This row cannot be moved.")]
    }
    var rows = rows(of: row.list, in: view)
    guard let place = rows.firstIndex(of: row.row) else { return [] }
    let (end, hasOverflowed) = place.addingReportingOverflow(distance)
    let last = rows.count - 1
    let target = hasOverflowed ? (distance > 0 ? last : 0) : min(max(0, end), last)
    guard target != place else { return [] }
    rows.remove(at: place)
    let before = target < rows.count ? rows[target] : nil
    return show(.move(row: row.row, of: row.list, before: before))
  }

  /// Asks the widget for a new row.
  mutating func add(to list: String, _ implemented: Set<String>) -> [Step] {
    guard implemented.contains(WidgetListPerformAddActionRequest.method), hasName(list) else {
      return [.say("No row can be added.")]
    }
    asked += 1
    return [.send(.add(to: list))]
  }

  private mutating func show(_ change: ListChange) -> [Step] {
    if shown.count >= Self.limit { shown.removeFirst() }
    shown.append((change, false))
    return [.show, .send(change)]
  }

  // MARK: - From the widget

  /// The widget has answered to a change.
  mutating func ended(_ change: ListChange, _ outcome: ListOutcome) -> [Step] {
    if case .add = change { asked = max(0, asked - 1) }
    switch (change, outcome) {
    case (.shouldRemove(let row, let list), .done): return show(.remove(row: row, of: list))
    case (.shouldRemove, .refused):
      return hasShownSomething ? [] : [.say("The widget keeps this row.")]
    case (_, .failed(let words)):
      shown.removeAll { $0.change == change && !$0.isAnswered }
      return [.say(SafeText(words)), .show]
    case (_, .done), (_, .refused):
      if let index = shown.firstIndex(where: { $0.change == change && !$0.isAnswered }) {
        shown[index].isAnswered = true
      }
      return []
    }
  }

  /// A view has come, which shows the result of what was answered.
  mutating func viewDidCome() {
    hasShownSomething = true
    shown.removeAll(where: \.isAnswered)
  }

  /// The process has ended: what it has not answered is taken back.
  mutating func processDidEnd() -> [Step] {
    asked = 0
    guard !shown.isEmpty else { return [] }
    shown = []
    return [.show]
  }

  // MARK: - For the picture

  /// The states of lists with the rows that were removed and moved; whether all rows of a list are shown
  /// is taken from `states`.
  func states(over states: [String: ListState], in view: ViewNode?) -> [String: ListState] {
    var result = states.mapValues { old in
      var state = ListState()
      state.isExpanded = old.isExpanded
      return state
    }
    for (change, _) in shown {
      switch change {
      case .shouldRemove, .add: break
      case .remove(let row, let list): result[list, default: .init()].hidden.insert(row)
      case .move(let row, let list, let before):
        var order = result[list]?.order ?? Self.content(of: list, in: view)?.rows.map(\.id) ?? []
        order.removeAll { $0 == row }
        let place = before.flatMap { order.firstIndex(of: $0) } ?? order.count
        order.insert(row, at: place)
        result[list, default: .init()].order = order
      }
    }
    return result
  }

  /// The lists of a view that have one row more than in the view before, behind those that are shown until the
  /// user asks for more.
  static func listsHidingRow(of view: ViewNode, after old: ViewNode?) -> [String] {
    var found: [String] = []
    view.forEachInput { node in
      guard case .list(let list) = node.content, list.minimumVisibleRowCount > 0,
        let before = content(of: node.inputKey, in: old)
      else { return }
      let old = Set(before.rows.map(\.id))
      let new = list.rows.indices.filter { !old.contains(list.rows[$0].id) }
      guard new.count == 1, let row = new.first, row >= list.minimumVisibleRowCount else { return }
      found.append(node.inputKey)
    }
    return found
  }

  private static func content(of list: String, in view: ViewNode?) -> ListContent? {
    var found: ListContent?
    view?.forEachInput { node in
      if found == nil, case .list(let content) = node.content, node.inputKey == list {
        found = content
      }
    }
    return found
  }

  /// The rows of a list as they are shown.
  private func rows(of list: String, in view: ViewNode?) -> [String] {
    guard let content = Self.content(of: list, in: view) else { return [] }
    return (states(over: [:], in: view)[list] ?? ListState()).rows(of: content).map(\.id)
  }

  /// Whether a list has an `id`, which the messages about it name.
  private func hasName(_ list: String) -> Bool { !list.isEmpty }
}
