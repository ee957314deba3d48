import WidgetKitCore

/// The ``CardInput`` that owns a ``CardFields``.
protocol CardFieldsOwner: AnyObject {
  var shownView: ViewNode? { get }
  func implements(_ method: String) -> Bool
  func send(_ event: SessionEvent)
  /// Called when a text or a cursor has changed.
  func fieldsDidChange()
}

/// The fields of a card in which the user has typed.
final class CardFields {
  private unowned let owner: any CardFieldsOwner
  private let clock: any HostClock
  private var fields: [String: TypedField] = [:]
  /// When the widget was last told of a text.
  private var lastTold: ContinuousClock.Instant?
  private var timer: (any HostTimer)?

  /// The shortest time between two messages about typing.
  static let pause: Duration = .milliseconds(50)
  /// How many fields keep their text.
  private static let countLimit = 64

  init(owner: any CardFieldsOwner, clock: any HostClock) {
    self.owner = owner
    self.clock = clock
  }

  /// The texts and cursors, for the picture.
  var states: [String: FieldState] { fields.mapValues(\.state) }

  // MARK: - Typing

  /// Does what a key asks for in a field on the screen.
  func type(_ edit: LineEditor.Edit, in target: FieldTarget) {
    change(target) { $0.apply(edit) }
  }

  /// Moves the cursor to a column of the field.
  func setCursor(atColumn column: Int, in target: FieldTarget) {
    change(target) { $0.setCursor(atColumn: column, of: target.columns) }
  }

  /// Removes the text of a field, of which the widget is notified.
  func clear(_ target: FieldTarget) {
    change(target) { field in
      field.apply(.end)
      field.apply(.deleteToStart)
    }
  }

  /// Gives a field the text again that it had before the user typed.
  func revert(_ target: FieldTarget) {
    change(target) { $0.revert() }
  }

  /// Notes that the text of a field is entered, which its action tells the widget.
  func enter(_ target: FieldTarget) {
    change(target) { $0.enter() }
  }

  /// The newest text of a field.
  func text(of target: FieldTarget) -> String { fields[target.key]?.editor.text ?? target.text }

  private func change(_ target: FieldTarget, _ work: (inout TypedField) -> Void) {
    if fields[target.key] == nil, fields.count >= Self.countLimit { fields = [:] }
    var field = fields[target.key] ?? TypedField(target, stated: stated(target.key))
    work(&field)
    fields[target.key] = field
    tell()
    owner.fieldsDidChange()
  }

  /// The text that a field has in the view of the widget.
  private func stated(_ key: String) -> String? {
    var text: String?
    owner.shownView?.forEachInput { node in
      if case .field(let field) = node.content, node.inputKey == key { text = field.text?.string }
    }
    return text
  }

  // MARK: - Telling the widget

  /// Tells the widget of the newest texts, now or when the pause since the last time is over.
  private func tell() {
    guard timer == nil, fields.contains(where: \.value.isUntold),
      owner.implements(FieldDidChangeNotification.method)
    else { return }
    let passed = lastTold.map { $0.duration(to: clock.now) } ?? Self.pause
    guard passed < Self.pause else { return tellNow() }
    timer = clock.schedule(after: Self.pause - passed) { [weak self] in
      self?.timer = nil
      self?.tellNow()
    }
  }

  private func tellNow() {
    // One message at a time, if the user has typed in several fields.
    guard let key = fields.first(where: \.value.isUntold)?.key, var field = fields[key] else {
      return
    }
    field.tell()
    fields[key] = field
    lastTold = clock.now
    if let id = field.id {
      owner.send(.typed(FieldDidChangeNotification(field: id, text: field.editor.text)))
    }
    tell()
  }

  // MARK: - Views

  /// Whether a view is an answer to a text that is not the newest.
  func isStale(_ view: ViewNode, _ source: ContentSource) -> Bool {
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
  func viewDidCome(_ view: ViewNode, _ source: ContentSource) {
    guard !fields.isEmpty else { return }
    view.forEachInput { node in
      guard case .field(let content) = node.content else { return }
      _ = fields[node.inputKey]?.viewDidCome(content.text?.string, source)
    }
  }

  /// The view of a process has appeared, which receives what was typed before.
  func viewDidAppear() {
    tell()
  }

  /// The process has ended; the next one receives all texts again.
  func processDidEnd() {
    for key in fields.keys { fields[key]?.processDidEnd() }
  }

  /// Tells nothing any more.
  func stop() {
    timer?.cancel()
    timer = nil
  }
}
