import WidgetCards
import WidgetPages
import WidgetPlatform

/// Has the pictures of widgets drawn as the terminal can show them, which it is asked when it shows the first one.
///
/// A class because a timer calls it.
final class GraphicsSwitch {
  private let screen: any Screen
  private let center: WidgetCenter
  private let clock: any HostClock
  private var limit: (any HostTimer)?
  private var hasEnded = false

  /// When pictures are drawn with characters on a terminal that has not told what it can do.
  private static let time = TerminalGraphics.patience + .milliseconds(50)

  init(_ screen: any Screen, of center: WidgetCenter, clock: any HostClock) {
    (self.screen, self.center, self.clock) = (screen, center, clock)
  }

  /// Draws pictures as the terminal can show them now; somebody who only looks sees their words, and reads no file of them
  /// however often the terminal says something else.
  func update() {
    guard !hasEnded, center.role != .viewer else { return }
    center.images.setLook(screen.imageLook)
  }

  /// Uses characters for pictures if the terminal does not say in time what it can do.
  func awaitAnswer() {
    limit = clock.schedule(after: Self.time) { [weak self] in self?.update() }
  }

  /// The page ends.
  func end() {
    hasEnded = true
    limit?.cancel()
  }
}
