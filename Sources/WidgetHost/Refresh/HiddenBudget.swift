import FoundationEssentials

/// How many scheduled updates a card off the screen gets in 24 hours, spent evenly.
///
/// The budget is a least time between updates, with a few updates saved up for what is caught up
/// after a sleep: a token bucket, kept as the one date at which it is full again (the "generic cell
/// rate algorithm" of ITU-T I.371).
nonisolated struct HiddenBudget: Hashable {
  /// The time between updates that uses the budget up exactly.
  let spacing: Double
  /// How many updates may come without that time between them.
  let burst: Double

  /// The most updates that are saved up.
  private static let longestBurst = 4
  /// The part of a day's updates that is saved up at most.
  private static let burstShare = 16

  /// A budget of so many updates in 24 hours; nil where there is none at all.
  init?(updatesPerDay: Int) {
    guard updatesPerDay > 0 else { return nil }
    spacing = 24 * 3600 / Double(updatesPerDay)
    burst = Double(min(Self.longestBurst, max(1, updatesPerDay / Self.burstShare)))
  }

  /// The earliest date of the next update.
  ///
  /// - Parameters:
  ///   - spentUntil: What ``charge(_:at:)`` returned for the last update that was charged.
  ///   - now: The present moment.
  /// - Returns: The date, which may be past; nil where an update may come at any time.
  func earliest(_ spentUntil: Date?, now: Date) -> Date? {
    valid(spentUntil, at: now)?.addingTimeInterval((1 - burst) * spacing)
  }

  /// Charges an update that ended at `date`, and returns until when the budget is spent.
  func charge(_ spentUntil: Date?, at date: Date) -> Date {
    let start = max(date, valid(spentUntil, at: date) ?? date)
    // What was made without regard to the budget, as on request, is not paid off for hours.
    return min(start.addingTimeInterval(spacing), date.addingTimeInterval(burst * spacing))
  }

  /// A date that can be: a later one is from before the clock was set back, or from another budget.
  private func valid(_ spentUntil: Date?, at now: Date) -> Date? {
    guard let spentUntil, spentUntil.timeIntervalSince(now) <= (burst + 1) * spacing else {
      return nil
    }
    return spentUntil
  }
}
