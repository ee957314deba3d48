import FoundationEssentials
import WidgetKitCore

/// When a card is asked for new data, how old it is, and what of it is kept.
extension CardController {
  func updateEnded(_ outcome: UpdateOutcome) {
    lastUpdate = page.clock.now
    // The next one may be under way already; it has its own time.
    updateStart = nil
    excusedUntil = nil
    history.takesUpdates = true
    let isCharged = !isVisible && (outcome.reason == .schedule || outcome.reason == .event)
    let budget = HiddenBudget(updatesPerDay: page.schedule.hiddenBudget)
    history.note(outcome, chargedTo: isCharged ? budget : nil, at: page.clock.date)
    if outcome.result == .newData {
      follow(outcome.timeline)
      notePicture(from: .update)
      // The history goes behind the picture that it describes.
      _ = writeSnapshot()
    }
    history.picture = keptPicture
    page.keep(history, of: card.id, releasing: refreshLock)
    refreshLock = nil
    schedule()
    followUpdate()
    checkAge()
    page.cardDidUpdate(card.id, outcome)
    deliverWaitingPresses()
  }
}
