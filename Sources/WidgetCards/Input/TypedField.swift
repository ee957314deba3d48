import WidgetKitCore
import WidgetSessions

/// A field in which the user types: its text, and what the widget knows of it.
nonisolated struct TypedField {
  private(set) var editor: LineEditor
  /// The name that the widget knows it by; nil for a field without an `id`.
  let id: String?
  /// The texts that the widget was sent and that are not the newest; views may be answers to them.
  private var sent: [String] = []
  /// The text of the field in the last view of the widget; nil if it had none.
  private var stated: String?
  /// The text before the user typed.
  private let base: String
  /// Whether the widget says in its views to which text they are the answer.
  private var saysText = false
  /// The last text that the widget was sent.
  private(set) var lastSent: String
  /// Whether the text was entered, so that the answer may replace it.
  private var isEntered = false

  /// How many texts are remembered that the widget may answer to.
  private static let sentLimit = 200

  /// A field on the screen in which nothing was typed yet; `stated` is its text in the view.
  init(_ target: FieldTarget, stated: String?) {
    editor = LineEditor(target.text)
    id = target.id
    base = editor.text
    lastSent = editor.text
    self.stated = stated
  }

  /// Its text and cursor for the picture.
  var state: FieldState { FieldState(text: editor.text, cursor: editor.cursor) }

  /// Whether the widget has not been told of the newest text.
  var isPending: Bool { lastSent != editor.text }

  /// Does what a key asks for.
  mutating func apply(_ edit: LineEditor.Edit) {
    let before = editor.text
    editor.apply(edit)
    if editor.text != before { isEntered = false }
  }

  /// Takes back what was typed.
  mutating func revert() {
    editor.setText(base)
    isEntered = false
  }

  /// Moves the cursor to the character at a column of the field.
  mutating func setCursor(atColumn column: Int, of columns: Int) {
    editor.setCursor(atColumn: column, of: columns)
  }

  /// Notes that the widget has received the newest text.
  mutating func tell() {
    sent.append(lastSent)
    lastSent = editor.text
    sent.removeAll { $0 == lastSent }
    if sent.count > Self.sentLimit { sent.removeFirst() }
  }

  /// Notes that the text was entered: what the widget answers from now on is not an answer to typing.
  mutating func enter() {
    editor.enter()
    lastSent = editor.text
    sent = []
    isEntered = true
  }

  /// The process has ended; the next one knows nothing of what was typed.
  mutating func processDidEnd() {
    sent = []
    lastSent = base
    saysText = false
  }

  /// Whether a view whose field has this text is the answer to an older text than the newest.
  func isStale(_ text: String?, _ source: ContentSource) -> Bool {
    guard let text, text != editor.text else { return false }
    if isEntered, source == .action { return false }
    // A field that always has the same text, such as none, says nothing about what was typed.
    guard text == base || text.isEmpty else { return wasSent(text) }
    return saysText && (wasSent(text) || text == base)
  }

  private func wasSent(_ text: String) -> Bool { text == lastSent || sent.contains(text) }

  /// Takes over the text of the field in a view that is shown; returns whether it is another one.
  mutating func viewDidCome(_ text: String?, _ source: ContentSource) -> Bool {
    let before = stated
    stated = text
    guard let text else { return false }
    if text == editor.text || wasSent(text) {
      if text != base { saysText = true }
      return false
    }
    let isAnswer = isEntered && source == .action
    guard isAnswer || text != before else { return false }
    isEntered = false
    editor.setText(text)
    lastSent = editor.text
    sent = []
    return true
  }
}
