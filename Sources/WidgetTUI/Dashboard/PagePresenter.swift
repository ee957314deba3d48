import FoundationEssentials
import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// Puts pictures of the page on the screen, and tells the engine what of it is seen.
///
/// A class because the engine may ask what is on the screen while it is told what is visible.
final class PagePresenter {
  private let screen: any Screen
  private let center: WidgetCenter
  private var painter = PagePainter()
  /// What can be pressed on the picture on the screen, and on the pictures before it.
  private(set) var hits = ShownHits()
  private var wasAnimating = false
  /// The cards of which the engine was told last that they are visible.
  private var visible: Set<CardID>?

  init(_ screen: any Screen, of center: WidgetCenter) {
    (self.screen, self.center) = (screen, center)
  }

  /// When a text on a card changes by itself; nil if none does.
  var nextChange: Date? { painter.nextChange }

  /// Draws the page; `isAnimating` while something moves on it.
  func draw(_ model: TodayModel, isAnimating: Bool, at now: ContinuousClock.Instant) {
    let picture = painter.picture(of: model)
    screen.followsDrags = model.editing != nil
    screen.draw(
      picture.canvas,
      links: model.content.isLocked || model.hasOverlay ? [] : picture.hits.links,
      images: center.images.results,
      isFrame: isAnimating || wasAnimating
    )
    hits.show(picture.hits, at: now)
    for id in center.permissions.asking {
      center.permissions.wasDrawn(id, at: model.hasOverlay ? nil : model.areaOnScreen(id))
    }
    wasAnimating = isAnimating
    let nowVisible = painter.visible
    guard !model.isCovered, visible != nowVisible, center.role != .viewer else { return }
    visible = nowVisible
    center.screen.setVisible(nowVisible)
  }
}
