import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Takes back changes of the pages and of the theme, and what was dismissed, the newest first.
final class UndoKeys {
  private unowned let owner: any DashboardKeysOwner
  /// What was changed besides the pages, and how many changes of the pages there were then.
  private var others: [(change: Change, pageChanges: Int)] = []

  /// A change that is not one of the pages.
  private enum Change {
    /// Another theme has replaced this one.
    case theme(String)
    /// Notices were dismissed.
    case dismissed([Int])
  }

  /// How many changes can be undone.
  private static let limit = 200

  init(owner: any DashboardKeysOwner) {
    self.owner = owner
  }

  private var edits: PageEdits { owner.center.edits }

  private func note(_ change: Change) {
    others.append((change, edits.changeCount))
    if others.count > Self.limit { others.removeFirst() }
  }

  /// Draws with a theme from now on.
  func choose(theme: String) {
    let before = owner.themes.chosen
    if let words = owner.themes.choose(theme) { owner.center.notices.say(words) }
    if owner.themes.chosen != before { note(.theme(before)) }
  }

  /// Notices were dismissed on the page.
  func didDismiss(notices: [Int]) {
    note(.dismissed(notices))
    let what: SafeText = notices.count == 1 ? "Dismissed." : "Dismissed \(notices.count) notices."
    let advice = owner.keyMap.name(of: .undo).map { " \($0) takes it back." }
    owner.center.notices.sayUnlessLocked("\(what)\(advice ?? "")")
  }

  /// Takes back the last change of the pages, and says what that was if it is not to be seen on the page that is shown.
  private func undoEdit() {
    let (before, shown) = (edits.placedCards, owner.model.tabs.shown)
    guard edits.undo() else { return }
    let after = edits.placedCards
    func page(_ id: CardID, _ cards: [PageEdits.PlacedCard]) -> PageName? {
      cards.first { $0.id == id }?.page
    }
    let all = before + after.filter { page($0.id, before) == nil }
    let moved = all.filter { page($0.id, before) != page($0.id, after) }
    if let back = moved.first(where: { page($0.id, after) == shown }) {
      owner.model.place.focus = PageFocus(card: back.id)
    }
    guard let card = moved.first,
      moved.allSatisfy({ ![page($0.id, before), page($0.id, after)].contains(shown) })
    else { return }
    let words: SafeText =
      if moved.count > 1 {
        "The pages are as they were before."
      } else if let back = page(card.id, after) {
        "\(card.name) is on \(SafeText(back.rawValue)) again."
      } else {
        "\(card.name) is no longer on \(SafeText(card.page.rawValue))."
      }
    owner.center.notices.sayUnlessLocked(words)
  }

  /// The button of the card with the focus that takes back what was done in it, such as the removal of a row.
  private var ownUndo: (target: PressTarget, card: CardID)? {
    guard let card = owner.model.place.focus?.card, !owner.model.content.isLocked else {
      return nil
    }
    let target = owner.model.targets(of: card).first {
      $0.elementID == Self.buttonID && $0.action != nil
    }
    return target.map { ($0, card) }
  }

  /// The `id` of such a button.
  private static let buttonID = "undo"

  /// Takes back the last change: in the card with the focus, which shows that it can be, else on the page.
  func undo() {
    if let (target, card) = ownUndo { return owner.center.input.press(target, on: card) }
    edits.begin()
    if let other = others.last, other.pageChanges >= edits.changeCount {
      others.removeLast()
      switch other.change {
      case .theme(let id):
        if let words = owner.themes.choose(id) { owner.center.notices.say(words) }
      case .dismissed(let notices):
        owner.center.notices.clear()
        owner.center.noticeDesk.restore(notices)
      }
    } else if edits.canUndo {
      undoEdit()
    } else {
      let key = owner.keyMap.name(of: .undo) ?? "It"
      owner.center.notices.say(
        edits.isCutOff
          ? "A command has changed the page since; the changes before it stay."
          : "There is nothing to undo. \(key) takes back changes of page, theme and notices."
      )
    }
    owner.pageDidChange()
    owner.cardsDidMove()
  }
}
