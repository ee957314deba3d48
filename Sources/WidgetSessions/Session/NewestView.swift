import WidgetKitCore
import WidgetPlatform

/// The newest `setView` of a process; each one replaces the one before it.
@MainActor struct NewestView {
  /// A view, or a line that was not decoded.
  enum Item {
    case line(IncomingLine)
    case view(ViewNode)
  }

  /// The shortest time between two views that are shown.
  let interval: Duration
  /// Shows the view that is held.
  var timer: (any HostTimer)?

  private var item: Item?
  private var lastPicture: ContinuousClock.Instant?

  init(interval: Duration) {
    self.interval = interval
  }

  /// Holds a view in place of the one before; returns after what time to show it, nil if that is known.
  mutating func hold(_ item: Item, at now: ContinuousClock.Instant) -> Duration? {
    let isFirst = self.item == nil
    self.item = item
    guard isFirst else { return nil }
    guard let lastPicture else { return .zero }
    return max(.zero, interval - lastPicture.duration(to: now))
  }

  /// Hands out the view that is held, to show it now.
  mutating func take(at now: ContinuousClock.Instant) -> Item? {
    guard let item else { return nil }
    self.item = nil
    timer?.cancel()
    timer = nil
    lastPicture = now
    return item
  }

  /// Drops the view, because the process has ended.
  mutating func reset() {
    item = nil
    timer?.cancel()
    timer = nil
  }
}
