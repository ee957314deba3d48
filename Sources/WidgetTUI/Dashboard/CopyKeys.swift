import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// Copies the text of a card, as soon as it has some.
final class CopyKeys {
  private unowned let owner: any DashboardKeysOwner
  /// The card whose text is copied when it has one: a widget of another page starts when its page is shown.
  private var awaited: CardID?

  init(owner: any DashboardKeysOwner) { self.owner = owner }

  private var model: TodayModel { owner.model }
  private var texts: CopiedText { CopiedText(model: owner.model) }

  /// Copies the selected text, or that of the card with the focus.
  func copy() {
    awaited = nil
    guard let text = texts.focused, !text.isEmpty else {
      guard let card = model.place.focus?.card, texts.whole(card) == nil, isAwaitingContent(card)
      else { return owner.center.notices.say("There is no text to copy.") }
      awaited = card
      return owner.center.notices.say("The text is copied as soon as the card has it.")
    }
    copy(text)
  }

  /// Copies a text, and says so.
  func copy(_ text: String) {
    let count = text.split(separator: "\n", omittingEmptySubsequences: false).count
    let lines: SafeText = count == 1 ? "1 line" : "\(count) lines"
    let words =
      owner.clipboard.copy(text).map { SafeText("Copied \(lines) to \($0).") }
      ?? "Nothing to copy to: the terminal has no OSC 52, and wl-copy and xclip are missing."
    owner.center.notices.say(words)
  }

  /// Says and copies the address of a link that nothing opens here, as over a connection to another machine.
  func show(address: String, of scheme: String) {
    let copied = owner.clipboard.copy(address).map { "copied to \($0); " } ?? ""
    // The address comes first: on a narrow screen the rest is cut.
    owner.center.notices.say(SafeText("\(address) \(copied)nothing opens \(scheme): links here"))
  }

  private func isAwaitingContent(_ id: CardID) -> Bool {
    model.card(id).map { $0.state == .starting || !owner.center.page.isSettled(id) } ?? false
  }

  /// The page has other contents: copies the text that was asked for before the card had it.
  func contentDidChange() {
    guard let card = awaited else { return }
    if let text = texts.whole(card), !text.isEmpty {
      awaited = nil
      copy(text)
    } else if !isAwaitingContent(card) {
      awaited = nil
      owner.center.notices.say("There is no text to copy.")
    }
  }
}
