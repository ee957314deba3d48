import WidgetPlatform

/// Tells who shows a page that something of it has changed: once per turn of the event loop, so that related changes
/// are drawn together.
///
/// A class because its timers call it.
public final class PageSignals {
  /// Called when something that is drawn has changed.
  public var onChange: (() -> Void)?
  /// Called whenever a card may have become settled.
  public var onSettle: (() -> Void)?
  /// How often something that is drawn has changed; lets the caller know whether it has drawn the
  /// latest state.
  public private(set) var changeCount = 0

  private let clock: any HostClock
  private let willSettle: () -> Void
  private lazy var change = TurnSignal(clock: clock) { [weak self] in self?.onChange?() }
  // In the next turn all effects of an event have been performed.
  private lazy var settlement = TurnSignal(clock: clock) { [weak self] in
    self?.willSettle()
    self?.onSettle?()
  }

  /// - Parameters:
  ///   - clock: The clock for the next turn.
  ///   - willSettle: Called before ``onSettle``.
  init(clock: any HostClock, willSettle: @escaping () -> Void) {
    (self.clock, self.willSettle) = (clock, willSettle)
  }

  /// Something that is drawn has changed.
  func didChange() {
    changeCount += 1
    change.raise()
  }

  /// A card may have become settled.
  func mayHaveSettled() {
    settlement.raise()
  }
}
