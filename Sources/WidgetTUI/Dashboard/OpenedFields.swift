import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Gives the focus to a field that the user's press has opened, and keeps what is typed until it is there.
///
/// Letters that follow a press are meant for what it opens: until the widget has answered they are not commands.
final class OpenedFields {
  private unowned let owner: any DashboardKeysOwner
  /// Takes a key as if it were typed now.
  private let replay: (Key) -> Void
  private var wait: Wait?
  /// The field that was opened last, and whether the user has left it, so that letters are commands again.
  private var opened: Place?
  private var isLeft = false
  /// Where it was when it was put on the screen last.
  private var shownRow: Place.Row?

  /// A press whose field may come.
  private struct Wait {
    var card: CardID
    /// The fields that were there before.
    var known: Set<String>
    /// The row in the card of the field that was entered; nil for another press.
    var entered: Int?
    /// Whether it asks for a row, which may be typed into a field that is open.
    var isAddition = false
    /// Whether it only begins to edit the widget.
    var beginsEditing = false
    var start = ContinuousClock.now
    /// What was typed since.
    var keys: [Key] = []
    var timer: (any HostTimer)?
  }

  /// A field of a card.
  private struct Place: Hashable {
    /// Where it is on the page, and how high its card is.
    struct Row: Hashable {
      var row: Int
      var height: Int
    }

    var card: CardID
    var key: String
  }

  /// How long keys wait for the answer of a widget that is edited, of any other one, and how long a field may
  /// come after a press.
  private static let editPatience = Duration.seconds(2)
  private static let patience = Duration.milliseconds(300)
  private static let fieldTime = Duration.seconds(3)

  init(owner: any DashboardKeysOwner, replay: @escaping (Key) -> Void) {
    self.owner = owner
    self.replay = replay
  }

  private var model: TodayModel {
    get { owner.model }
    _modify { yield &owner.model }
  }

  private func fields(of card: CardID) -> [(index: Int, target: PressTarget, key: String)] {
    model.targets(of: card).enumerated().compactMap { index, target in
      if case .field(let field) = target.role { (index, target, field.key) } else { nil }
    }
  }

  // MARK: - What the user does

  /// The user presses something on a card.
  func willPress(_ target: PressTarget, on card: CardID) {
    end()
    wait = Wait(card: card, known: Set(fields(of: card).map(\.key)))
    if case .add = target.role { wait?.isAddition = true }
  }

  /// The user begins to edit a widget: a row may get another action by that.
  func willEdit(_ card: CardID) {
    end()
    wait = Wait(card: card, known: Set(fields(of: card).map(\.key)), beginsEditing: true)
  }

  /// The user enters the field with the focus.
  func willEnter(on card: CardID) {
    end()
    let row = model.focusedTarget?.frame.minRow
    wait = Wait(card: card, known: Set(fields(of: card).map(\.key)), entered: row)
  }

  /// The user leaves the field: letters are commands again.
  func didLeave() {
    isLeft = true
    end()
  }

  /// Whether the field with the focus is one that a press has opened.
  var hasFocusOfOpened: Bool {
    guard let focus = model.place.focus, case .field(let field)? = model.focusedTarget?.role else {
      return false
    }
    return opened == Place(card: focus.card, key: field.key)
  }

  /// Keeps a key that is typed before the widget has answered a press; false for one that acts now.
  func keep(_ key: Key) -> Bool {
    guard wait != nil else { return false }
    // What has come meanwhile is not drawn yet.
    owner.takeChanges()
    guard var wait else { return false }
    switch key {
    case .mouse, .control: return false
    case .escape where wait.keys.isEmpty: return false
    default: break
    }
    let isEdited = !wait.beginsEditing && model.card(wait.card)?.isEdited == true
    let patience = isEdited ? Self.editPatience : Self.patience
    let passed = wait.start.duration(to: .now)
    guard isAwaited(wait), passed < patience else { return false }
    wait.keys.append(key)
    if wait.timer == nil {
      wait.timer = owner.schedule(after: patience - passed) { [weak self] in
        self?.timeIsOver(replaysKeys: !isEdited)
      }
    }
    self.wait = wait
    return true
  }

  /// Puts the focus on the field that a press has opened, wherever it is, if letters are typed while its widget is
  /// edited.
  func takeLetter(_ key: Key, in card: Card) {
    switch key {
    case .character, .paste: break
    default: return
    }
    guard model.place.focus?.isField != true, !isLeft, let opened, opened.card == card.id,
      let field = fields(of: card.id).first(where: { $0.key == opened.key })
    else { return }
    focus(field.target, at: field.index)
  }

  // MARK: - What comes of it

  /// The cards are as the engine has them now.
  func cardsDidChange() {
    if let opened, !fields(of: opened.card).contains(where: { $0.key == opened.key }) {
      self.opened = nil
    }
    revealField()
    guard let wait else { return }
    guard model.place.focus?.card == wait.card, wait.start.duration(to: .now) < Self.fieldTime
    else {
      return end()
    }
    if !wait.beginsEditing,
      let field = fields(of: wait.card).first(where: { !wait.known.contains($0.key) })
    {
      focus(field.target, at: field.index)
      opened = Place(card: wait.card, key: field.key)
      isLeft = false
      end(replaysKeys: true)
    } else if !isAwaited(wait) {
      if wait.isAddition { focusOpened() }
      leaveGoneField(wait)
      let keys = wait.keys
      self.wait?.keys = []
      if wait.entered != nil || wait.isAddition || wait.beginsEditing || !keys.isEmpty { end() }
      keys.forEach(replay)
    }
  }

  /// Keeps a field that was opened on the screen while its card grows.
  private func revealField() {
    guard hasFocusOfOpened, let card = opened?.card, let target = model.focusedTarget,
      let frame = model.page.frames[card]
    else {
      shownRow = nil
      return
    }
    let row = frame.minRow + target.frame.minRow
    let place = Place.Row(row: row, height: frame.size.rows)
    guard place != shownRow else { return }
    shownRow = place
    model.revealFocus()
  }

  /// A field that was entered and has gone gives the focus to the row in its place, or to the card.
  private func leaveGoneField(_ wait: Wait) {
    guard let row = wait.entered, model.place.focus?.isField == true, model.focusedTarget == nil
    else {
      return
    }
    let targets = model.targets(of: wait.card)
    let index = targets.firstIndex { target in
      guard case .row = target.role else { return false }
      return target.frame.minRow <= row && row < target.frame.maxRow
    }
    if let index {
      focus(targets[index], at: index)
    } else {
      model.place.focus?.element = nil
    }
  }

  /// Puts the focus back on the field that was opened, if it is there.
  private func focusOpened() {
    guard let opened, let field = fields(of: opened.card).first(where: { $0.key == opened.key })
    else { return }
    isLeft = false
    focus(field.target, at: field.index)
  }

  private func isAwaited(_ wait: Wait) -> Bool { owner.center.input.awaitsAnswer(wait.card) }

  private func timeIsOver(replaysKeys: Bool) {
    owner.takeChanges()
    // What was typed for a field that has not come is not a command.
    end(replaysKeys: replaysKeys)
  }

  private func end(replaysKeys: Bool = false) {
    let keys = wait?.keys ?? []
    wait?.timer?.cancel()
    wait = nil
    if replaysKeys { keys.forEach(replay) }
  }

  private func focus(_ target: PressTarget, at index: Int) {
    model.place.focus?.element = PageFocus.Element(target, at: index)
    model.revealFocus()
  }
}
