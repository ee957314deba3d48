import FoundationEssentials
import WidgetKitCore

/// What a card says of the age of its content: an update under way, one that was missed, and
/// content that is stale.
extension CardController {
  /// How long an update may take without the card saying so.
  private static let quietUpdate: Duration = .seconds(1)
  /// How long after its moment an update counts as missed.
  ///
  /// With the second within which an age is drawn, old content looks fresh for 3 s at most.
  private static let latePatience: Duration = .seconds(2)
  /// The longest that is waited for anything here, so that no date overflows.
  private static let longestWait = 1e7

  /// Follows whether an update is under way: asked for, or left to another host.
  func followUpdate() {
    let isUnderWay =
      session?.state.awaitsUpdate == true || waitsForOtherHost && isDue
    guard isUnderWay != (updateStart != nil) else { return }
    updateStart = isUnderWay ? page.clock.now : nil
    checkAge()
  }

  /// Notes how old the content is, and looks again when there will be more to say.
  ///
  /// While nothing is missed and nothing is under way no timer waits: the next scheduled update
  /// looks again anyway.
  func checkAge() {
    let missed = timeToMissedUpdate
    let stale = timeToStaleness
    let updating = updateStart.map {
      Self.quietUpdate - $0.duration(to: page.clock.now)
    }
    let isUpdating = Self.hasCome(updating)
    let hasMissedUpdate = Self.hasCome(missed)
    let isStale = Self.hasCome(stale)
    if isUpdating != card.isUpdating || hasMissedUpdate != card.hasMissedUpdate
      || isStale != card.isStale
    {
      card.isUpdating = isUpdating
      card.hasMissedUpdate = hasMissedUpdate
      card.isStale = isStale
      page.cardDidChange()
    }
    let rests = awaitsSchedule ? [updating] : [updating, missed, stale]
    waitToCheckAge(rests.compactMap { $0 }.filter { $0 > .zero }.min())
  }

  private static func hasCome(_ rest: Duration?) -> Bool { rest.map { $0 <= .zero } ?? false }

  /// Whether a scheduled update comes before anything can have been missed.
  private var awaitsSchedule: Bool { refreshTimer != nil && history.failures == 0 && !isDue }

  private func waitToCheckAge(_ rest: Duration?) {
    guard isVisible, page.schedulesUpdates, let rest else {
      ageTimer?.cancel()
      ageTimer = nil
      return
    }
    let moment = page.clock.now + rest
    // What is pushed many times a second does not set it anew each time.
    let shift = ageMoment.map { $0.duration(to: moment) } ?? .seconds(1)
    if ageTimer != nil, shift > .milliseconds(-5), shift < .milliseconds(5) { return }
    ageTimer?.cancel()
    ageMoment = moment
    ageTimer = page.clock.schedule(after: max(rest, .milliseconds(1))) { [weak self] in
      self?.ageTimer = nil
      self?.checkAge()
    }
  }

  /// How long until an update of what is shown was missed; zero or less where one was.
  private var timeToMissedUpdate: Duration? {
    guard card.contentDate != nil, history.takesUpdates != false else { return nil }
    guard history.failures == 0 else { return .zero }
    // What was never updated, or when nobody knows, has an update under way or is in trouble.
    let now = page.clock.date
    guard let last = history.lastUpdate, last <= now, let due = nextUpdate else { return nil }
    let rest = Self.seconds(until: due, from: now) + Self.latePatience
    guard card.isKeptCurrent, let visibleSince else { return rest }
    // It is current, as a clock is, and gets the time for the update that appearing brings.
    return max(rest, Self.latePatience - visibleSince.duration(to: page.clock.now))
  }

  /// How long until the content is stale: last right longer ago than twice its interval.
  private var timeToStaleness: Duration? {
    let dates = [card.contentDate, history.lastGood].compactMap(\.self)
    guard card.contentDate != nil, let date = dates.max(), history.takesUpdates != false,
      // A timeline says itself when its widget is to be asked.
      history.failures > 0 || !waitsForTimeline
    else { return nil }
    let wish = plannedHistory.wish.map { Duration.saturated(seconds: $0) }
    let age = max(.zero, Self.seconds(until: page.clock.date, from: date))
    let excuse = excusedUntil.map { page.clock.now.duration(to: $0) } ?? .zero
    let isOld = page.schedule.isStale(age: age, wish: wish, isVisible: isVisible)
    if isOld { return excuse }
    let interval = page.schedule.interval(wish: wish, isVisible: isVisible)
    return max(interval * 2 - age, excuse, .milliseconds(1))
  }

  private static func seconds(until date: Date, from now: Date) -> Duration {
    .seconds(min(max(date.timeIntervalSince(now), -longestWait), longestWait))
  }
}
