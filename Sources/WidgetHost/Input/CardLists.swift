import WidgetKitCore

/// The ``CardInput`` that owns a ``CardLists``.
protocol CardListsOwner: AnyObject {
  var shownView: ViewNode? { get }
  func implements(_ method: String) -> Bool
  func send(_ event: SessionEvent)
  /// Called when rows are shown or not, or in another order.
  func listsDidChange()
  /// Shows a text to the user.
  func say(_ words: SafeText)
}

/// Rows of a card's lists that the user removes, moves and adds.
///
/// A change is shown at once. If the widget answers with an error it is taken back, and otherwise it
/// stays until the widget has sent a view after its answer. A class because the session answers it.
final class CardLists {
  private unowned let owner: any CardListsOwner
  /// What is shown already and not in the widget's view yet.
  private var shown: [(change: ListChange, isAnswered: Bool)] = []

  /// How many rows the widget was asked for and has not answered.
  private var asked = 0

  /// How many changes may be shown that the widget has not sent a view for.
  private static let limit = 64

  init(owner: any CardListsOwner) {
    self.owner = owner
  }

  /// Whether the widget was asked for a row and has not answered.
  var isAdding: Bool { asked > 0 }

  // MARK: - The user's actions

  /// Removes a row, if the widget and the row allow it.
  func remove(_ row: RowTarget) {
    guard owner.implements(ListDidRemoveRowRequest.method), row.canRemove, hasName(row.list) else {
      return owner.say("This row cannot be removed.")
    }
    let isAsked = owner.implements(ListShouldRemoveRowRequest.method)
    let change: ListChange =
      isAsked ? .shouldRemove(row: row.row, of: row.list) : .remove(row: row.row, of: row.list)
    isAsked ? owner.send(.list(change)) : show(change)
  }

  /// Moves a row up or down by a number of rows.
  func move(_ row: RowTarget, by distance: Int) {
    guard owner.implements(ListDidMoveRowRequest.method), row.canMove, hasName(row.list) else {
      return owner.say("This row cannot be moved.")
    }
    var rows = rows(of: row.list)
    guard let place = rows.firstIndex(of: row.row) else { return }
    let (end, hasOverflowed) = place.addingReportingOverflow(distance)
    let last = rows.count - 1
    let target = hasOverflowed ? (distance > 0 ? last : 0) : min(max(0, end), last)
    guard target != place else { return }
    rows.remove(at: place)
    let before = target < rows.count ? rows[target] : nil
    show(.move(row: row.row, of: row.list, before: before))
  }

  /// Asks the widget for a new row.
  func add(to list: String) {
    guard owner.implements(WidgetListPerformAddActionRequest.method), hasName(list) else {
      return owner.say("No row can be added.")
    }
    asked += 1
    owner.send(.list(.add(to: list)))
  }

  private func show(_ change: ListChange) {
    if shown.count >= Self.limit { shown.removeFirst() }
    shown.append((change, false))
    owner.listsDidChange()
    owner.send(.list(change))
  }

  // MARK: - From the widget

  /// The widget has answered to a change.
  func ended(_ change: ListChange, _ outcome: ListOutcome) {
    if case .add = change { asked = max(0, asked - 1) }
    switch (change, outcome) {
    case (.shouldRemove(let row, let list), .done): show(.remove(row: row, of: list))
    case (.shouldRemove, .refused): owner.say("The widget keeps this row.")
    case (_, .failed(let words)):
      shown.removeAll { $0.change == change && !$0.isAnswered }
      owner.say(SafeText(words))
      owner.listsDidChange()
    case (_, .done), (_, .refused):
      guard let index = shown.firstIndex(where: { $0.change == change && !$0.isAnswered }) else {
        return
      }
      shown[index].isAnswered = true
    }
  }

  /// A view has come, which shows the result of what was answered.
  func viewDidCome() {
    shown.removeAll(where: \.isAnswered)
  }

  /// The process has ended: what it has not answered is taken back.
  func processDidEnd() {
    asked = 0
    guard !shown.isEmpty else { return }
    shown = []
    owner.listsDidChange()
  }

  // MARK: - For the picture

  /// The states of lists with the rows that were removed and moved; whether all rows of a list are shown
  /// is taken from `states`.
  func states(over states: [String: ListState]) -> [String: ListState] {
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
        var order = result[list]?.order ?? content(of: list)?.rows.map(\.id) ?? []
        order.removeAll { $0 == row }
        let place = before.flatMap { order.firstIndex(of: $0) } ?? order.count
        order.insert(row, at: place)
        result[list, default: .init()].order = order
      }
    }
    return result
  }

  /// The lists of a view that have one row more than before, behind those that are shown until the user asks for
  /// more.
  func listsHidingRow(of view: ViewNode) -> [String] {
    var found: [String] = []
    view.forEachInput { node in
      guard case .list(let list) = node.content, list.minimumVisibleRowCount > 0,
        let before = content(of: node.inputKey)
      else { return }
      let old = Set(before.rows.map(\.id))
      let new = list.rows.indices.filter { !old.contains(list.rows[$0].id) }
      guard new.count == 1, let row = new.first, row >= list.minimumVisibleRowCount else { return }
      found.append(node.inputKey)
    }
    return found
  }

  private func content(of list: String) -> ListContent? {
    var found: ListContent?
    owner.shownView?.forEachInput { node in
      if found == nil, case .list(let content) = node.content, node.inputKey == list {
        found = content
      }
    }
    return found
  }

  /// The rows of a list as they are shown.
  private func rows(of list: String) -> [String] {
    guard let content = content(of: list) else { return [] }
    return (states(over: [:])[list] ?? ListState()).rows(of: content).map(\.id)
  }

  /// Whether a list has an `id`, which the messages about it name.
  private func hasName(_ list: String) -> Bool { !list.isEmpty }
}
