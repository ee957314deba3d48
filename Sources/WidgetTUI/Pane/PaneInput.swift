import WidgetCards
import WidgetKitCore
import WidgetRequests
import WidgetSessions

/// What a person has changed in a view on the pane, and what the extension is told of that.
struct PaneInput {
  /// The optional methods that the extension has listed.
  var implements: Set<String> = []
  /// What is drawn over the view of the extension.
  private(set) var state = ViewState.first

  private var fields = CardFields()
  /// Toggles that are shown in the state that they will have when the extension has answered.
  private var switched: [PressTarget] = []

  /// When ``wake(at:)`` is to be called; nil if nothing is due.
  var due: ContinuousClock.Instant? { fields.due }

  /// Takes over the texts of a view that has come; false if it is an answer to what was typed before, and would take
  /// back what was typed since.
  mutating func viewDidCome(_ view: ViewNode, _ source: ContentSource) -> Bool {
    guard !fields.isStale(view, source) else { return false }
    fields.viewDidCome(view, source)
    state.fields = fields.states
    switched = []
    return true
  }

  /// A view with the toggles as they were pressed.
  func drawn(_ view: ViewNode) -> ViewNode {
    switched.isEmpty ? view : view.switching(switched)
  }

  // MARK: - Presses

  /// Does what a press on an element is for.
  mutating func press(_ target: PressTarget, at now: ContinuousClock.Instant) -> [PaneView.Event] {
    switch target.role {
    case .fold(let key, let isOpen): state.folds[key] = !isOpen
    case .more(let list, let isExpanded):
      state.lists[list, default: ListState()].isExpanded = !isExpanded
    case .element, .row:
      guard let action = target.action else { break }
      if target.newValue != nil {
        switched.removeAll { $0.isSameElement(as: target) }
        switched.append(target)
      }
      let press = PerformActionRequest(action: action, value: target.newValue)
      return tellAll(at: now) + [.presses(press)]
    case .field, .add: break
    }
    return []
  }

  /// The extension has not done what was pressed.
  mutating func pressDidFail() { switched = [] }

  // MARK: - Fields

  /// Changes a field of a view.
  mutating func edit(
    _ edit: CardFields.Edit,
    _ field: FieldTarget,
    in view: ViewNode?,
    at now: ContinuousClock.Instant
  ) -> [PaneView.Event] {
    fields.apply(edit, to: field, in: view)
    state.fields = fields.states
    return Self.events([fields.tell(implements, at: now)])
  }

  /// The newest text of a field.
  func text(of field: FieldTarget) -> String { fields.text(of: field) }

  /// Returns what the extension is told before something that may depend on what was typed.
  mutating func tellAll(at now: ContinuousClock.Instant) -> [PaneView.Event] {
    Self.events(fields.tellAll(implements, at: now))
  }

  /// Returns what the extension is told because a pause between two messages is over.
  mutating func wake(at now: ContinuousClock.Instant) -> [PaneView.Event] {
    Self.events([fields.wake(implements, at: now)])
  }

  private static func events(_ told: [SessionEvent?]) -> [PaneView.Event] {
    told.compactMap { event in
      if case .typed(let message)? = event { .typed(message) } else { nil }
    }
  }
}
