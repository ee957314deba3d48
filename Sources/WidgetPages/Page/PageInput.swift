public import WidgetCards
public import WidgetKitCore
import WidgetSessions

/// What the user presses on a page, types into fields, and does with rows of lists, and which widget is edited.
///
/// Targets are those of the picture on the screen; one for something else is ignored. A class because
/// the page and its callers share it.
public final class PageInput {
  private let page: PageCards
  private let notices: PageNotices
  private let permissions: PagePermissions
  private let trace: TraceWriter?

  init(
    page: PageCards,
    notices: PageNotices,
    permissions: PagePermissions,
    trace: TraceWriter?
  ) {
    self.page = page
    self.notices = notices
    self.permissions = permissions
    self.trace = trace
  }

  // MARK: - Cards

  /// Presses an element of a card.
  public func press(_ target: PressTarget, on id: CardID) {
    guard !notices.refusesAsLocked(), !permissions.take(target, on: id) else { return }
    trace?.write(.input(target.action ?? target.link ?? target.label.string), widget: id)
    page[id]?.send(.press(target))
  }

  /// Restarts a stopped widget.
  public func retry(_ id: CardID) {
    page[id]?.tell(.retry)
  }

  /// Goes on to the next form: the one that is not shown, and after the expanded one that the user has chosen to
  /// that which the page gives the card.
  public func toggleDisplayMode(_ id: CardID) {
    change(.toggleForm, id)
  }

  /// Leaves it to the page again which form of a card is shown.
  package func leaveDisplayMode(_ id: CardID) {
    change(.leaveForm, id)
  }

  private func change(_ event: CardEvent, _ id: CardID) {
    guard let card = page[id] else { return }
    if card.isConcealed, notices.refusesAsLocked() { return }
    let isChosen = card.state.display.size.form.chosenMode != nil
    card.send(event)
    guard isChosen, card.state.display.size.form.chosenMode == nil else { return }
    notices.say("\(card.card.name): automatic size.")
  }

  // MARK: - Fields

  /// Does what a key asks for in a field.
  package func type(_ edit: LineEditor.Edit, in target: PressTarget, on id: CardID) {
    change(.key(edit), target, id)
  }

  /// Whether a field has an earlier text, or a later one, that a key would show.
  package func recalls(_ edit: LineEditor.Edit, in target: PressTarget, on id: CardID) -> Bool {
    guard let (card, field) = field(target, id) else { return false }
    return card.state.display.input.fields.recalls(edit, in: field)
  }

  /// Moves the cursor to a column of the field.
  package func setCursor(atColumn column: Int, in target: PressTarget, on id: CardID) {
    change(.cursor(column: column), target, id)
  }

  /// Sends the action of a field with its text.
  public func enter(_ target: PressTarget, on id: CardID) {
    guard let (card, field) = field(target, id) else { return }
    card.send(.enter(field, target))
  }

  /// Removes the text of a field, which the widget is told of.
  public func clear(_ target: PressTarget, on id: CardID) {
    change(.clear, target, id)
  }

  /// Gives a field the text again that it had before the user typed, which the widget is told of.
  package func revert(_ target: PressTarget, on id: CardID) {
    change(.revert, target, id)
  }

  /// Whether a widget is about to answer what the user has pressed or added, or shows how it is edited.
  package func awaitsAnswer(_ id: CardID) -> Bool {
    guard let display = page[id]?.state.display else { return false }
    return display.presses.isAwaited || display.input.lists.isAdding || display.input.awaitsEditView
  }

  private func change(_ edit: CardFields.Edit, _ target: PressTarget, _ id: CardID) {
    if let (card, field) = field(target, id) { card.send(.type(edit, field)) }
  }

  private func field(_ target: PressTarget, _ id: CardID) -> (CardRuntime, FieldTarget)? {
    guard case .field(let field) = target.role, !notices.refusesAsLocked(), let card = page[id],
      !card.isHidden
    else { return nil }
    return (card, field)
  }

  // MARK: - Rows

  /// Removes a row, if its widget allows it; else the user is told why not.
  public func removeRow(_ target: PressTarget, on id: CardID) {
    if let (card, row) = row(target, id) { card.send(.removeRow(row)) }
  }

  /// Moves a row by a number of rows, down if it is positive.
  public func moveRow(_ target: PressTarget, by distance: Int, on id: CardID) {
    if let (card, row) = row(target, id) { card.send(.moveRow(row, by: distance)) }
  }

  /// Asks a widget for a new row of the list of a row.
  public func addRow(besides target: PressTarget, on id: CardID) {
    if let (card, row) = row(target, id) { card.send(.addRow(list: row.list)) }
  }

  // MARK: - Editing of a widget

  /// Begins to edit a widget, and ends to edit any other one; its lists then show that rows can be
  /// removed, moved and added.
  ///
  /// It ends by itself when the view leaves the screen, when the process ends, and when the page is
  /// locked.
  ///
  /// - Returns: Whether the widget is edited; if it is not, the user is told why.
  @discardableResult
  public func beginEditing(_ id: CardID) -> Bool {
    guard !notices.refusesAsLocked(), let controller = page[id], !controller.isHidden else {
      return false
    }
    guard !controller.card.isEdited else { return true }
    guard controller.card.allowsEditing else {
      controller.say("This widget has nothing to edit.")
      return false
    }
    endEditing()
    controller.tell(.edit(true))
    return controller.card.isEdited
  }

  /// Ends to edit the widget that is edited, if there is one.
  public func endEditing() {
    for controller in page.controllers where controller.card.isEdited {
      controller.tell(.edit(false))
    }
  }

  private func row(_ target: PressTarget, _ id: CardID) -> (CardRuntime, RowTarget)? {
    guard case .row(let row) = target.role, !notices.refusesAsLocked(), let card = page[id],
      !card.isHidden
    else {
      return nil
    }
    return (card, row)
  }
}
