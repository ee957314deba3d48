import WidgetKitCore

/// The card that owns a ``CardInput``.
protocol CardInputOwner: AnyObject {
  /// The view of the widget.
  var shownView: ViewNode? { get }
  /// Whether the running widget lists a method.
  func implements(_ method: String) -> Bool
  /// Passes an event to the widget.
  func send(_ event: SessionEvent)
  /// Called when what the user changed is drawn differently; `work` changes it.
  func inputWillChange(_ work: () -> Void)
  /// Shows a text to the user.
  func say(_ words: SafeText)
}

/// What the user changes in the view of a card: open folds, rows of lists, and typed texts.
///
/// | part | responsibility |
/// | --- | --- |
/// | ``CardFields`` | typed texts, and which views do not answer them any more |
/// | ``CardLists`` | rows that are removed, moved and added |
final class CardInput {
  private unowned let owner: any CardInputOwner
  private(set) lazy var fields = CardFields(owner: self, clock: clock)
  private(set) lazy var lists = CardLists(owner: self)
  private let clock: any HostClock
  private let folds: CardFolds
  /// What is drawn over the view of the widget: at first what the user has opened before.
  private(set) lazy var state = folds.load()

  init(owner: any CardInputOwner, folds: CardFolds, clock: any HostClock) {
    self.owner = owner
    self.folds = folds
    self.clock = clock
  }

  /// Whether the widget was told that it is edited, and has not shown a view for that.
  private(set) var awaitsEditView = false

  /// Does what a press on an element is for, if the host does it; false if it is for the widget.
  func take(_ target: PressTarget) -> Bool {
    switch target.role {
    case .element: return false
    case .row: return target.action == nil && target.link == nil
    case .fold(let key, let isOpen):
      change { $0.folds[key] = !isOpen }
      folds.note(fold: key, isOpen: !isOpen)
    case .more(let list, let isExpanded):
      change { $0.lists[list, default: .init()].isExpanded = !isExpanded }
      folds.note(list: list, isOpen: !isExpanded)
    case .add(let list): lists.add(to: list)
    // It has the focus now; Enter sends its action.
    case .field: break
    }
    return true
  }

  /// Sets whether the user edits the widget, so that its lists offer what it implements.
  func setEditing(_ isEditing: Bool) {
    let offers =
      isEditing
      ? ListEditing(
        removes: owner.implements(ListDidRemoveRowRequest.method),
        moves: owner.implements(ListDidMoveRowRequest.method),
        adds: owner.implements(WidgetListPerformAddActionRequest.method)
      ) : nil
    awaitsEditView = isEditing && owner.implements(WidgetDidBeginEditingNotification.method)
    guard offers != state.editing else { return }
    change { $0.editing = offers }
  }

  /// Whether a view of the widget is an answer to a text that is not the newest.
  func isStale(_ view: ViewNode, _ source: ContentSource) -> Bool {
    fields.isStale(view, source)
  }

  /// Takes over what a view says that is about to be shown.
  func viewDidCome(_ view: ViewNode, _ source: ContentSource) {
    folds.viewDidCome(view)
    if source == .push { awaitsEditView = false }
    fields.viewDidCome(view, source)
    lists.viewDidCome()
    // What the user has added is not behind “Show More”.
    let revealed = source == .action ? lists.listsHidingRow(of: view) : []
    (state.fields, state.lists) = (fields.states, lists.states(over: state.lists))
    for list in revealed { state.lists[list, default: .init()].isExpanded = true }
  }

  /// The view of a process has appeared.
  func viewDidAppear() {
    fields.viewDidAppear()
  }

  /// The process has ended: what it has not answered is not done.
  func processDidEnd() {
    fields.processDidEnd()
    lists.processDidEnd()
  }

  /// Stops the timers.
  func stop() {
    fields.stop()
  }

  private func change(_ work: (inout ViewState) -> Void) {
    owner.inputWillChange { work(&state) }
  }
}

extension CardInput: CardFieldsOwner, CardListsOwner {
  var shownView: ViewNode? { owner.shownView }
  func implements(_ method: String) -> Bool { owner.implements(method) }
  func send(_ event: SessionEvent) { owner.send(event) }
  func say(_ words: SafeText) { owner.say(words) }

  func fieldsDidChange() {
    change { $0.fields = fields.states }
  }

  func listsDidChange() {
    change { $0.lists = lists.states(over: $0.lists) }
  }
}
