import FoundationEssentials
import WidgetKitCore

/// When a card is asked for new data, how old it is, and what of it is kept.
extension CardController {
  func updateEnded(_ outcome: UpdateOutcome) {
    lastUpdate = page.clock.now
    excusedUntil = nil
    history.takesUpdates = true
    let isCharged = !isVisible && (outcome.reason == .schedule || outcome.reason == .event)
    let budget = HiddenBudget(updatesPerDay: page.schedule.hiddenBudget)
    history.note(outcome, chargedTo: isCharged ? budget : nil, at: page.clock.date)
    if outcome.result == .newData {
      follow(outcome.timeline)
      if outcome.timeline != nil { keepSnapshot() }
    }
    page.keep(history, of: card.id, releasing: refreshLock)
    refreshLock = nil
    schedule()
    checkAge()
    page.cardDidUpdate(card.id, outcome)
  }

  /// Marks the content as stale when its time has come.
  func checkAge() {
    let dates = [card.contentDate, history.lastGood].compactMap(\.self)
    guard card.contentDate != nil, let date = dates.max(), history.takesUpdates != false else {
      return stalenessCheck.cancel()
    }
    let wish = plannedHistory.wish.map { Duration.seconds($0) }
    let age = Duration.seconds(max(0, page.clock.date.timeIntervalSince(date)))
    let excuse = excusedUntil.map { page.clock.now.duration(to: $0) } ?? .zero
    let isOld = page.schedule.isStale(age: age, wish: wish, isVisible: isVisible)
    // A timeline says itself when its widget is to be asked.
    let isStale = isOld && excuse <= .zero && (history.failures > 0 || !waitsForTimeline)
    if isStale != card.isStale {
      card.isStale = isStale
      page.cardDidChange()
    }
    guard !isStale, isVisible, page.schedulesUpdates else { return stalenessCheck.cancel() }
    let interval = page.schedule.interval(wish: wish, isVisible: isVisible)
    let rest = isOld ? excuse : interval * 2 - age
    guard rest > .zero || !isOld else { return stalenessCheck.cancel() }
    stalenessCheck.set(after: max(.zero, rest) + .seconds(1), on: page.clock) { [weak self] in
      self?.checkAge()
    }
  }
}
