package import WidgetKitCore
package import WidgetSessions

/// The fields of a card in which the user has typed.
package struct CardFields {
  /// What the user does with a field.
  package enum Edit {
    /// A key asks for something.
    case key(LineEditor.Edit)
    /// Moves the cursor to a column of the field.
    case cursor(column: Int)
    /// Removes the text, of which the widget is notified.
    case clear
    /// Gives the field the text again that it had before the user typed.
    case revert
    /// Enters the text, which the action of the field tells the widget.
    case enter
  }

  /// When the widget is told of a text.
  package private(set) var due: ContinuousClock.Instant?
  private var fields: [String: TypedField] = [:]
  /// When the widget was last told of a text.
  private var lastSent: ContinuousClock.Instant?

  /// The shortest time between two messages about typing.
  static let pause: Duration = .milliseconds(50)
  /// How many fields keep their text.
  private static let countLimit = 64

  /// The texts and cursors, for the picture.
  package var states: [String: FieldState] { fields.mapValues(\.state) }

  package init() {}

  // MARK: - Typing

  /// Changes a field on the screen; `view` is that of the widget.
  package mutating func apply(_ edit: Edit, to target: FieldTarget, in view: ViewNode?) {
    if fields[target.key] == nil, fields.count >= Self.countLimit { fields = [:] }
    var field = fields[target.key] ?? TypedField(target, stated: Self.stated(target.key, in: view))
    switch edit {
    case .key(let edit): field.apply(edit)
    case .cursor(let column): field.setCursor(atColumn: column, of: target.columns)
    case .clear:
      field.apply(.end)
      field.apply(.deleteToStart)
    case .revert: field.revert()
    case .enter: field.enter()
    }
    fields[target.key] = field
  }

  /// Whether a key would show a text that was entered before the present one, or after it.
  package func recalls(_ edit: LineEditor.Edit, in target: FieldTarget) -> Bool {
    fields[target.key]?.editor.recalls(edit) ?? false
  }

  /// The newest text of a field.
  package func text(of target: FieldTarget) -> String {
    fields[target.key]?.editor.text ?? target.text
  }

  /// The text that a field has in the view of the widget.
  private static func stated(_ key: String, in view: ViewNode?) -> String? {
    var text: String?
    view?.forEachInput { node in
      if case .field(let field) = node.content, node.inputKey == key { text = field.text?.string }
    }
    return text
  }

  // MARK: - Telling the widget

  /// Returns what the widget, with the methods that it implements, is told of the newest texts now; nil for
  /// nothing, or if the pause since the last time is not over, after which ``wake(_:at:)`` returns it.
  package mutating func tell(
    _ implemented: Set<String>,
    at now: ContinuousClock.Instant
  ) -> SessionEvent? {
    guard due == nil, fields.contains(where: \.value.isPending),
      implemented.contains(FieldDidChangeNotification.method)
    else { return nil }
    let next = lastSent.map { $0 + Self.pause } ?? now
    guard next <= now else {
      due = next
      return nil
    }
    // One message at a time, if the user has typed in several fields.
    guard let key = fields.first(where: \.value.isPending)?.key, var field = fields[key] else {
      return nil
    }
    field.tell()
    fields[key] = field
    lastSent = now
    if fields.contains(where: \.value.isPending) { due = now + Self.pause }
    return field.id.map {
      .typed(FieldDidChangeNotification(field: $0, text: field.editor.text))
    }
  }

  /// Returns what the widget is told because a pause is over.
  package mutating func wake(
    _ implemented: Set<String>,
    at now: ContinuousClock.Instant
  ) -> SessionEvent? {
    guard let due, due <= now else { return nil }
    self.due = nil
    return tell(implemented, at: now)
  }

  /// Returns what the widget is told of all newest texts, before something that may depend on them.
  package mutating func tellAll(
    _ implemented: Set<String>,
    at now: ContinuousClock.Instant
  ) -> [SessionEvent] {
    var events: [SessionEvent] = []
    while implemented.contains(FieldDidChangeNotification.method),
      fields.contains(where: \.value.isPending)
    {
      (due, lastSent) = (nil, nil)
      if let event = tell(implemented, at: now) { events.append(event) }
    }
    due = nil
    return events
  }

  // MARK: - Views

  /// Whether a view is an answer to a text that is not the newest.
  package func isStale(_ view: ViewNode, _ source: ContentSource) -> Bool {
    guard !fields.isEmpty else { return false }
    var isStale = false
    view.forEachInput { node in
      guard case .field(let content) = node.content, let field = fields[node.inputKey] else {
        return
      }
      isStale = isStale || field.isStale(content.text?.string, source)
    }
    return isStale
  }

  /// Takes over the texts of a view that is about to be shown.
  package mutating func viewDidCome(_ view: ViewNode, _ source: ContentSource) {
    guard !fields.isEmpty else { return }
    view.forEachInput { node in
      guard case .field(let content) = node.content else { return }
      _ = fields[node.inputKey]?.viewDidCome(content.text?.string, source)
    }
  }

  /// The process has ended; the next one receives all texts again.
  mutating func processDidEnd() {
    for key in fields.keys { fields[key]?.processDidEnd() }
  }

  /// Tells nothing any more.
  mutating func stop() {
    due = nil
  }
}
