import WidgetKitCore
import WidgetPages

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

  /// Takes back the last change.
  func undo() {
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
      edits.undo()
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
