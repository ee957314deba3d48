import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Takes back changes of the pages and of the theme, and what was dismissed, the newest first.
final class UndoKeys {
  private unowned let owner: any DashboardKeysOwner
  /// Takes back what was done in the card with the focus; false if it does not offer that.
  let undoInCard: () -> Bool
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

  init(owner: any DashboardKeysOwner, undoInCard: @escaping () -> Bool) {
    (self.owner, self.undoInCard) = (owner, undoInCard)
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

  /// Takes back the last change of the pages, and says what that was.
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
    let words: SafeText =
      if let card = moved.first, moved.count == 1 {
        if let back = page(card.id, after) {
          "\(card.name) is on \(SafeText(back.rawValue)) again."
        } else {
          "\(card.name) is no longer on \(SafeText(card.page.rawValue))."
        }
      } else if moved.isEmpty {
        "The cards are as they were before."
      } else {
        "The pages are as they were before."
      }
    owner.center.notices.sayUnlessLocked(words)
  }

  /// Takes back the last change: in the card with the focus, which shows that it can be, else on the page.
  func undo() {
    if undoInCard() { return }
    edits.begin()
    if let other = others.last, other.pageChanges >= edits.changeCount {
      others.removeLast()
      switch other.change {
      case .theme(let id):
        owner.center.notices.say(owner.themes.choose(id) ?? "The theme is the one before.")
      case .dismissed(let notices):
        owner.center.noticeDesk.restore(notices)
        owner.center.notices.sayUnlessLocked(
          notices.count == 1 ? "The notice waits again." : "\(notices.count) notices wait again."
        )
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
