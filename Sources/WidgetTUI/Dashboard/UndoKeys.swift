import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Takes back changes of the pages and of the theme, and what was dismissed, the newest first, and makes them again.
final class UndoKeys {
  private unowned let owner: any DashboardKeysOwner
  /// Takes back what was done in the card with the focus; false if it does not offer that.
  let undoInCard: () -> Bool
  /// What was changed besides the pages, the newest at the end.
  private var others: [Other] = []
  /// What of that was undone, the next one to redo at the end.
  private var undone: [Other] = []
  /// How many changes of the pages were made when something was last undone; after another one, nothing is redone.
  private var madeCount = 0

  /// A change that is not one of the pages.
  private enum Change {
    /// Another theme has replaced this one.
    case theme(String)
    /// Notices were dismissed.
    case dismissed([Int])
  }

  private struct Other {
    var change: Change
    /// How many changes of the pages there were then.
    var pageChanges: Int
  }

  /// How many changes can be undone.
  private static let limit = 200

  init(owner: any DashboardKeysOwner, undoInCard: @escaping () -> Bool) {
    (self.owner, self.undoInCard) = (owner, undoInCard)
  }

  private var edits: PageEdits { owner.center.edits }

  private func note(_ change: Change) {
    others.append(Other(change: change, pageChanges: edits.changeCount))
    if others.count > Self.limit { others.removeFirst() }
    undone = []
    edits.forgetUndone()
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
    owner.center.notices.sayUnlessLocked(dismissedWords(notices))
  }

  private func dismissedWords(_ notices: [Int]) -> SafeText {
    let what: SafeText = notices.count == 1 ? "Dismissed." : "Dismissed \(notices.count) notices."
    let advice = owner.keyMap.name(of: .undo).map { " \($0) takes it back." }
    return "\(what)\(advice ?? "")"
  }

  /// Changes the pages as they were before or after, and says what has become of which card.
  ///
  /// - Parameters:
  ///   - work: Changes the pages; false if it could not.
  ///   - how: How the cards are then, which is said unless it is about a single card.
  private func step(_ work: () -> Bool, how: SafeText) {
    let (before, shown) = (edits.placedCards, owner.model.tabs.shown)
    guard work() else { return }
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
      } else {
        "The \(moved.isEmpty ? "cards" : "pages") are as they were \(how)."
      }
    owner.center.notices.sayUnlessLocked(words)
  }

  /// Takes back the last change: in the card with the focus, which shows that it can be, else on the page.
  func undo() {
    if undoInCard() { return }
    edits.begin()
    if edits.madeCount != madeCount { (undone, madeCount) = ([], edits.madeCount) }
    if let other = others.last, other.pageChanges >= edits.changeCount {
      others.removeLast()
      undone.append(other)
      undo(&undone[undone.count - 1].change)
    } else if edits.canUndo {
      step(edits.undo, how: "before")
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

  /// Takes a change back; it is then what redoing it takes.
  private func undo(_ change: inout Change) {
    switch change {
    case .theme(let id):
      change = switchTheme(to: id, "The theme is the one before.")
    case .dismissed(let notices):
      owner.center.noticeDesk.restore(notices)
      owner.center.notices.sayUnlessLocked(
        notices.count == 1 ? "The notice waits again." : "\(notices.count) notices wait again."
      )
    }
  }

  /// Draws with another theme and says so; returns the way back.
  private func switchTheme(to id: String, _ words: SafeText) -> Change {
    let before = owner.themes.chosen
    owner.center.notices.say(owner.themes.choose(id) ?? words)
    return .theme(before)
  }

  /// Makes the change again that was undone last.
  func redo() {
    edits.begin()
    if edits.madeCount != madeCount { undone = [] }
    if var other = undone.last, other.pageChanges <= edits.changeCount {
      undone.removeLast()
      redo(&other.change)
      others.append(other)
    } else if edits.canRedo {
      step(edits.redo, how: "before that was undone")
    } else {
      let key = owner.keyMap.name(of: .undo) ?? "Undo"
      owner.center.notices.say("There is nothing to redo; \(key) has undone nothing since.")
    }
    owner.pageDidChange()
    owner.cardsDidMove()
  }

  /// Makes a change again; it is then what undoing it takes.
  private func redo(_ change: inout Change) {
    switch change {
    case .theme(let id):
      change = switchTheme(to: id, "The theme is the later one again.")
    case .dismissed(let notices):
      owner.center.noticeDesk.dismissAgain(notices)
      owner.center.notices.sayUnlessLocked(dismissedWords(notices))
    }
  }
}
