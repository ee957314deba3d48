import WidgetKitCore
import WidgetPages

/// Takes back changes of the pages and of the theme, the newest first.
final class UndoKeys {
  private unowned let owner: any DashboardKeysOwner
  /// The themes that others have replaced, and how many changes of the pages there were then.
  private var themes: [(id: String, changes: Int)] = []

  init(owner: any DashboardKeysOwner) {
    self.owner = owner
  }

  private var edits: PageEdits { owner.center.edits }

  /// Draws with a theme from now on.
  func choose(theme: String) {
    let before = owner.themes.chosen
    if let words = owner.themes.choose(theme) { owner.center.say(words) }
    guard owner.themes.chosen != before else { return }
    themes.append((before, edits.changeCount))
  }

  /// Takes back the last change.
  func undo() {
    edits.begin()
    if let theme = themes.last, theme.changes >= edits.changeCount {
      themes.removeLast()
      if let words = owner.themes.choose(theme.id) { owner.center.say(words) }
    } else if edits.canUndo {
      edits.undo()
    } else {
      owner.center.say(
        edits.isCutOff
          ? "A command has changed the page since; the changes before it stay."
          : "There is nothing to undo."
      )
    }
    owner.pageDidChange()
    owner.cardsDidMove()
  }
}
