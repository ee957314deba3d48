import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages

/// Goes through what cards showed earlier.
final class PastKeys {
  private unowned let owner: any DashboardKeysOwner

  init(owner: any DashboardKeysOwner) {
    self.owner = owner
  }

  private var past: PagePast { owner.center.drawing.past }

  /// Shows what the card with the focus showed before, or after, what it shows.
  func step(_ direction: PagePast.Direction) {
    guard !isLocked, let id = owner.model.place.focus?.card else { return }
    // An element of the present content is not in an earlier one.
    owner.model.place.focus = PageFocus(card: id)
    tell(past.step(direction, of: id), direction)
  }

  /// Shows the page as it was before, or after, what it shows.
  func stepPage(_ direction: PagePast.Direction) {
    guard !isLocked else { return }
    owner.model.place.focus?.element = nil
    tell(past.step(direction, of: owner.model.content.cards.map(\.id)), direction)
  }

  /// Shows the page as it was at a moment.
  func show(at moment: Date) {
    guard !isLocked else { return }
    owner.model.place.focus?.element = nil
    past.show(owner.model.content.cards.map(\.id), at: moment)
    tell(.past, .back)
  }

  /// Shows the present again.
  func end() {
    if !past.end() { say("The page shows the present.") }
  }

  private var isLocked: Bool {
    guard owner.model.content.isLocked else { return false }
    say("The page is locked.")
    return true
  }

  private func tell(_ step: PagePast.StepResult, _ direction: PagePast.Direction) {
    switch (step, direction) {
    case (.past, _):
      let now = owner.keyMap.name(of: .now).map { "; \($0) or Esc returns to the present" } ?? ""
      say(SafeText("Earlier content\(now)."))
    case (.present, _): say("This is the present content.")
    case (.nothing, .back): say("Nothing older is kept.")
    case (.nothing, .forward): say("The page shows the present.")
    }
  }

  private func say(_ words: SafeText) { owner.center.notices.say(words) }
}
