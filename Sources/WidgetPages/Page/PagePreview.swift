public import WidgetCards
import WidgetExtensions
import WidgetKitCore
public import WidgetPlatform

/// A widget that is shown without being on a page: its stored content, and on demand its process.
///
/// A class because the page and the interface share it.
public final class PagePreview {
  private let page: PageCards
  private let clock: any HostClock
  private var width = 0

  init(page: PageCards, clock: any HostClock) {
    self.page = page
    self.clock = clock
  }

  /// Shows a widget in a width inside the border; nothing is started.
  ///
  /// One that is on a page is shown as it is there.
  public func show(_ id: CardID, width: Int) {
    guard page.controllers.allSatisfy({ $0.card.id != id }) else { return end() }
    guard page.preview?.card.id != id || width != self.width else { return }
    end()
    guard let bundle = page.catalog.widget(withIdentifier: id.bundleIdentifier) else { return }
    self.width = width
    let controller = page.makeCard(id, id.heading(bundle.displayName), on: page.screen.page)
    page.setPreview(controller)
    controller.send(.frame(innerWidth: width, leastRows: nil, showsSnapshot: true))
  }

  /// Starts the widget that is shown, for its present view.
  public func run() {
    guard let preview = page.preview, preview.session == nil,
      let bundle = page.catalog.widget(withIdentifier: preview.card.id.bundleIdentifier)
    else { return }
    page.bring(preview, bundle)
    preview.send(.visible(true))
  }

  /// Ends what was started.
  public func end() {
    page.setPreview(nil)
  }

  /// A widget as it is drawn now; nil if it is neither shown here nor on a page.
  public func drawing(of id: CardID) -> (card: Card, body: CardBody?)? {
    page[id].map { ($0.shownCard, $0.shownBody(at: clock.now)) }
  }
}
