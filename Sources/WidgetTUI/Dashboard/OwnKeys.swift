import WidgetCards
import WidgetKitCore
import WidgetPages

/// The user's own commands on keys of the page.
final class OwnKeys {
  private unowned let owner: any DashboardKeysOwner

  init(owner: any DashboardKeysOwner) { self.owner = owner }

  /// Runs the command of a key; false for a key that has none on the card with the focus.
  func take(_ key: Key) -> Bool {
    guard let own = owner.keyMap.own(key), own.applies(to: owner.model.place.focus?.card) else {
      return false
    }
    owner.center.commands.run(own, on: key.name, row: row, advice: owner.keyMap.rowAdvice)
    return true
  }

  /// Does what a key is for that was chosen by its name, or says on which cards it is; false for a key without a command.
  func run(_ key: Key) -> Bool {
    if take(key) { return true }
    guard let own = owner.keyMap.own(key), let widget = own.widget else { return false }
    owner.center.notices.say(
      "“\(own.listedWords)” is for cards of \(SafeText(widget)); go to one first."
    )
    return true
  }

  /// What has the focus; nil for a card, and for a field.
  private var row: OwnCommand.Row? {
    guard let target = owner.model.focusedTarget, !target.isField else { return nil }
    let id: String? = if case .row(let row) = target.role { row.row } else { target.elementID }
    let text = CopiedText(model: owner.model).focusedContent ?? ""
    let words = text.split { $0.isWhitespace }
    return OwnCommand.Row(id: id, text: words.joined(separator: " "), link: target.link)
  }
}
