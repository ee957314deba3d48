import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// Presses what has the focus, what a letter names, and what is under the pointer.
final class PressKeys {
  private unowned let owner: any DashboardKeysOwner
  private let fields: OpenedFields
  /// Does what a key is for on the page.
  private let perform: (Intent) -> Void

  init(
    owner: any DashboardKeysOwner,
    fields: OpenedFields,
    perform: @escaping (Intent) -> Void
  ) {
    (self.owner, self.fields, self.perform) = (owner, fields, perform)
  }

  private var model: TodayModel {
    get { owner.model }
    _modify { yield &owner.model }
  }

  /// Presses the element with the focus, or the only one of the card.
  ///
  /// Of several it goes to the first one, and a card without any opens its app.
  func press() {
    guard let card = model.place.focus?.card else { return }
    if let target = model.pressedTarget {
      fields.willPress(target, on: card)
      owner.center.input.press(target, on: card)
    } else if model.card(card)?.asksForPermission == true {
      // A second Enter, which may be one that is held down, must not be an answer.
      let advice: SafeText? = owner.keyMap.name(of: .nextElement).map {
        "\($0) goes to the answers."
      }
      owner.center.notices.say(advice ?? "The card has a question.")
    } else if !model.enterCard() {
      openApp(of: card)
    }
  }

  /// Opens the app of a card, unless the page is locked.
  private func openApp(of card: CardID) {
    guard !model.content.isLocked else { return owner.center.notices.say(owner.center.lock.words) }
    if !owner.center.urls.openApp(of: card) {
      owner.center.notices.say("Nothing on \(name(of: card)) can be pressed.")
    }
  }

  /// Presses a button of the card with the focus by its `id`, as keys that mean the same everywhere do.
  ///
  /// - Parameter name: `undo`, what takes back what was done in the card, such as the removal of a row; or `cancel`, what
  ///   leaves a question of the card.
  /// - Returns: Whether there is one.
  func press(buttonNamed name: String) -> Bool {
    guard let card = model.place.focus?.card, !model.content.isLocked else { return false }
    let target = model.targets(of: card).first { $0.elementID == name && $0.action != nil }
    guard let target else { return false }
    owner.center.input.press(target, on: card)
    return true
  }

  private func name(of card: CardID) -> SafeText { owner.center.edits.name(of: card) }

  /// Starts a widget that has stopped again, and asks one that is in trouble for new data.
  func retry(_ id: CardID) {
    guard let card = model.card(id) else { return }
    if card.state == .stopped || card.state == .failed {
      owner.center.input.retry(id)
    } else if card.isInTrouble {
      owner.center.updates.refresh(id)
    } else {
      let key = owner.keyMap.name(of: .refreshCard).map { " \($0) asks it for new data." } ?? ""
      owner.center.notices.say("\(name(of: id)) has not stopped.\(key)")
    }
  }

  /// Goes on to the next form of a card.
  func toggleForm(_ id: CardID) {
    guard model.card(id)?.offersExpanded == true else {
      return owner.center.notices.say("\(name(of: id)) has a single form.")
    }
    owner.center.input.toggleDisplayMode(id)
  }

  /// Presses what is at a place of the page.
  func press(_ hit: PageHit) {
    guard let card = model.card(hit.card) else { return }
    model.place.focus = PageFocus(card: hit.card)
    switch hit.part {
    case .card:
      // As Enter does.
      if card.appName != nil, model.targets(of: hit.card).isEmpty { openApp(of: hit.card) }
    case .target(let target):
      let targets = model.targets(of: hit.card)
      if let match = targets.match(target), let index = targets.firstIndex(of: match) {
        model.place.focus?.element = PageFocus.Element(match, at: index)
      }
      fields.willPress(target, on: hit.card)
      owner.center.input.press(target, on: hit.card)
    case .removal(let target): owner.center.input.removeRow(target, on: hit.card)
    case .state where card.state == .stopped || card.state == .failed || card.isInTrouble:
      retry(hit.card)
    case .state: owner.center.input.toggleDisplayMode(hit.card)
    }
  }

  // MARK: - Letters

  /// Shows a letter at everything that can be pressed.
  func giveLetters() {
    let hits = TodayView.picture(of: model).hits.pressable { id in
      model.card(id).map { $0.offersExpanded || $0.isInTrouble } ?? false
    }
    guard !hits.isEmpty else {
      owner.center.notices.say("Nothing on the screen can be pressed.")
      return
    }
    model.mode = .letters(PressLetters(hits, focus: model.place.focus?.card))
  }

  /// Takes a key while the letters are shown.
  func handle(_ key: Key, in letters: PressLetters) {
    if let intent = owner.keyMap.intentOverPage(of: key) { return perform(intent) }
    var letters = letters
    switch letters.take(key) {
    case .stays: model.mode = .letters(letters)
    case .ends: model.mode = .page
    case .presses(let hit):
      model.mode = .page
      press(hit)
    }
  }
}
