package import WidgetPlatform

/// Whether updates that nobody sees should be rarer: the machine runs on a battery, or the user has done
/// nothing for half an hour.
///
/// It has no timer, so that an idle page sleeps: whoever plans an update asks. A class because all cards
/// of a page share it.
package final class PowerSaving {
  /// Called in a later turn when the machine has got on a battery or off it, or the user is back.
  package var onChange: () -> Void = {}

  private let clock: any HostClock
  private let supply: PowerSupply
  private lazy var change = TurnSignal(clock: clock) { [weak self] in self?.onChange() }
  private var lastInput: ContinuousClock.Instant
  /// What the supply said last, and when.
  private var found: (isOnBattery: Bool, at: ContinuousClock.Instant)?

  /// The time without input after which the user counts as absent.
  static let absence: Duration = .seconds(30 * 60)
  /// How long the state of the supply is not read again.
  private static let validity: Duration = .seconds(60)

  /// Creates it at a moment at which the user is there.
  package init(clock: any HostClock, supply: PowerSupply) {
    self.clock = clock
    self.supply = supply
    lastInput = clock.now
  }

  /// Whether updates that nobody sees should be rarer.
  var isWanted: Bool { isAbsent || isOnBattery }

  private var isAbsent: Bool { lastInput.duration(to: clock.now) >= Self.absence }

  private var isOnBattery: Bool {
    let now = clock.now
    if let found, found.at.duration(to: now) < Self.validity { return found.isOnBattery }
    let isOnBattery = supply.isOnBattery
    if let found, found.isOnBattery != isOnBattery { change.raise() }
    found = (isOnBattery, now)
    return isOnBattery
  }

  /// The user has done something.
  package func noteInput() {
    if isAbsent { change.raise() }
    lastInput = clock.now
  }
}
