package import FoundationEssentials
import WidgetKitCore

/// The number of scheduled updates that a card off the screen gets in 24 hours, spread evenly.
///
/// The budget is a minimum time between updates, with a few updates saved to catch up after a sleep. It
/// is a token bucket, stored as the one date at which it is full again (the "generic cell rate
/// algorithm" of ITU-T I.371).
package struct HiddenBudget: Hashable {
  /// The time between updates that uses exactly the whole budget.
  let spacing: Double
  /// How many updates may come without that time between them.
  let burst: Double

  /// The largest number of saved updates.
  private static let longestBurst = 4
  /// The divisor of a day's updates that limits the saved ones.
  private static let burstShare = 16

  /// Creates a budget of `updatesPerDay` updates in 24 hours; nil if there is none at all.
  package init?(updatesPerDay: Int) {
    guard updatesPerDay > 0 else { return nil }
    spacing = 24 * 3600 / Double(updatesPerDay)
    burst = Double(min(Self.longestBurst, max(1, updatesPerDay / Self.burstShare)))
  }

  /// The earliest date of the next update.
  ///
  /// - Parameters:
  ///   - spentUntil: What ``charge(_:at:)`` returned for the last update that was charged.
  ///   - now: The current time.
  /// - Returns: The date, which may be in the past, or nil if an update may come at any time.
  func earliest(_ spentUntil: Date?, now: Date) -> Date? {
    valid(spentUntil, at: now)?.addingTimeInterval((1 - burst) * spacing)
  }

  /// How many updates may come at `now` without waiting.
  package func left(_ spentUntil: Date?, now: Date) -> Int {
    guard let spentUntil = valid(spentUntil, at: now) else { return Int(burst) }
    let spent = max(0, spentUntil.timeIntervalSince(now)) / spacing
    return max(0, Int(saturated: (burst - spent).rounded(.down)))
  }

  /// Charges an update that ended at `date`, and returns until when the budget is used up.
  func charge(_ spentUntil: Date?, at date: Date) -> Date {
    let start = max(date, valid(spentUntil, at: date) ?? date)
    // Updates made regardless of the budget, as on request, do not block later ones for hours.
    return min(start.addingTimeInterval(spacing), date.addingTimeInterval(burst * spacing))
  }

  /// Returns the date if it is valid: a later one is from before the clock was set back, or from
  /// another budget.
  private func valid(_ spentUntil: Date?, at now: Date) -> Date? {
    guard let spentUntil, spentUntil.timeIntervalSince(now) <= (burst + 1) * spacing else {
      return nil
    }
    return spentUntil
  }
}
