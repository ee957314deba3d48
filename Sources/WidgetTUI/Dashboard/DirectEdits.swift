import PageRecords
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Changes of the pages that are made by name, without edit mode; ``UndoKeys/undo()`` takes them back.
final class DirectEdits {
  private unowned let owner: any DashboardKeysOwner

  init(owner: any DashboardKeysOwner) { self.owner = owner }

  private var edits: PageEdits { owner.center.edits }

  /// Adds a card to the page that is shown.
  func add(_ id: CardID) {
    if isMade(edits.make([.add(id, page: owner.model.tabs.shown)])) {
      owner.model.place.filter = nil
      owner.model.place.focus = PageFocus(card: id)
      let name = edits.choices.first { $0.id.bundleIdentifier == id.bundleIdentifier }?.name
      say("Added \(name ?? SafeText(id.description)).")
    }
    owner.pageDidChange()
    owner.cardsDidMove()
  }

  /// Moves a card to a page, which is made if there is none of that name; returns whether it is there.
  func move(_ id: CardID, to page: PageName) -> Bool {
    let isMoved = isMade(edits.make([.move(id, page: page, position: nil)]))
    if isMoved { say("\(edits.name(of: id)) is on \(SafeText(page.rawValue)) now.") }
    owner.pageDidChange()
    return isMoved
  }

  /// Removes a card from its page.
  func remove(_ id: CardID) {
    let name = edits.name(of: id)
    if isMade(edits.make([.remove(id)])) { say("Removed \(name).") }
    owner.pageDidChange()
    owner.cardsDidMove()
  }

  /// Gives the page that is shown another name.
  func rename(to name: PageName) {
    let page = owner.model.tabs.shown
    if isMade(edits.rename(page, to: name)) {
      say("“\(SafeText(page.rawValue))” is “\(SafeText(name.rawValue))” now.")
    }
    owner.pageDidChange()
  }

  private func say(_ words: SafeText) {
    let advice = owner.keyMap.name(of: .undo).map { " \($0) takes it back." }
    owner.center.notices.say("\(words)\(advice ?? "")")
  }

  /// Begins and makes a change; where it cannot be made, it is said why.
  private func isMade(_ change: @autoclosure () -> PageEdits.Outcome) -> Bool {
    edits.begin()
    switch change() {
    case .made: return true
    case .declared(let page):
      owner.center.notices.say(
        SafeText("“\(page.name)” is declared at \(page.place); change it there.")
      )
    case .failed: break
    }
    return false
  }
}
