import WidgetKitCore
import WidgetSessions

/// What the user changes in the view of a card: open folds, rows of lists, and typed texts.
///
/// | part | responsibility |
/// | --- | --- |
/// | ``CardFields`` | typed texts, and which views do not answer them any more |
/// | ``CardLists`` | rows that are removed, moved and added |
/// | ``CardFolds`` | what the user has opened before |
package struct CardInput {
  package private(set) var fields = CardFields()
  package var lists = CardLists()
  /// What is drawn over the view of the widget: at first what the user has opened before.
  private(set) var state = ViewState.first
  /// Whether the widget was told that it is edited, and has not shown a view for that.
  package private(set) var awaitsEditView = false

  private var folds = CardFolds()
  private var hasReadFolds = false
  /// What will be drawn; it differs from ``state`` until ``show(_:)``.
  private var next = ViewState.first

  /// When ``CardFields/wake(_:at:)`` is to be called.
  var due: ContinuousClock.Instant? { fields.due }

  /// Reads what the user has opened before, when there is a view.
  mutating func readFolds(_ read: () -> FoldRecord) {
    guard !hasReadFolds else { return }
    hasReadFolds = true
    next = folds.take(read())
    state = next
  }

  // MARK: - The user's actions

  /// Does what a press on an element is for, if the host does it; nil if it is for the widget.
  mutating func take(_ target: PressTarget, _ turn: inout CardTurn) -> [CardLists.Step]? {
    let day = turn.moment.day
    switch target.role {
    case .element: return nil
    case .row: return target.action == nil && target.link == nil ? [] : nil
    case .fold(let key, let isOpen):
      next.folds[key] = !isOpen
      let change = CardFolds.note(fold: key, isOpen: !isOpen, on: day)
      turn.effects.append(.keepFolds(change, today: day))
      return [.show]
    case .more(let list, let isExpanded):
      next.lists[list, default: .init()].isExpanded = !isExpanded
      let change = CardFolds.note(list: list, isOpen: !isExpanded, on: day)
      turn.effects.append(.keepFolds(change, today: day))
      return [.show]
    case .add(let list): return lists.add(to: list, turn.widget.implemented)
    // It has the focus now; Enter sends its action.
    case .field: return []
    }
  }

  /// The request for a press on an element with an action, with what was typed in it; nil for one without.
  func request(of target: PressTarget) -> PerformActionRequest? {
    guard let action = target.action else { return nil }
    var request = PerformActionRequest(action: action, value: target.newValue)
    if case .field(let field) = target.role { request.text = fields.text(of: field) }
    return request
  }

  /// The user types in a field; returns what the widget is told now.
  mutating func type(
    _ edit: CardFields.Edit,
    in target: FieldTarget,
    of view: ViewNode?,
    _ turn: CardTurn
  ) -> SessionEvent? {
    fields.apply(edit, to: target, in: view)
    next.fields = fields.states
    return fields.tell(turn.widget.implemented, at: turn.now)
  }

  /// Sets whether the user edits the widget, so that its lists offer what it implements; returns whether they
  /// offer something else.
  mutating func setEditing(_ isEditing: Bool, _ implemented: Set<String>) -> Bool {
    next.editing =
      isEditing
      ? ListEditing(
        removes: implemented.contains(ListDidRemoveRowRequest.method),
        moves: implemented.contains(ListDidMoveRowRequest.method),
        adds: implemented.contains(WidgetListPerformAddActionRequest.method)
      ) : nil
    awaitsEditView = isEditing && implemented.contains(WidgetDidBeginEditingNotification.method)
    return next.editing != state.editing
  }

  /// Draws what was changed.
  mutating func show(_ view: ViewNode?) {
    next.lists = lists.states(over: next.lists, in: view)
    state = next
  }

  // MARK: - From the widget

  /// Takes over what a view says that is about to be shown in place of `old`.
  mutating func viewDidCome(
    _ view: ViewNode,
    _ source: ContentSource,
    after old: ViewNode?,
    _ turn: inout CardTurn
  ) {
    let day = turn.moment.day
    if let change = folds.viewDidCome(view, on: day) {
      turn.effects.append(.keepFolds(change, today: day))
    }
    if source == .push { awaitsEditView = false }
    fields.viewDidCome(view, source)
    lists.viewDidCome()
    next.fields = fields.states
    // What the user has added is not behind “Show More”.
    let revealed = source == .action ? CardLists.listsHidingRow(of: view, after: old) : []
    next.lists = lists.states(over: next.lists, in: old)
    for list in revealed { next.lists[list, default: .init()].isExpanded = true }
    state = next
  }

  /// Returns what the widget is told of typing, now that its view has appeared.
  mutating func viewDidAppear(_ turn: CardTurn) -> SessionEvent? {
    fields.tell(turn.widget.implemented, at: turn.now)
  }

  /// Returns what the widget is told of typing, because a pause is over.
  mutating func wake(_ turn: CardTurn) -> SessionEvent? {
    fields.wake(turn.widget.implemented, at: turn.now)
  }

  /// The process has ended: what it has not answered is not done.
  mutating func processDidEnd() -> [CardLists.Step] {
    fields.processDidEnd()
    return lists.processDidEnd()
  }

  /// Tells nothing any more.
  mutating func stop() {
    fields.stop()
  }
}
