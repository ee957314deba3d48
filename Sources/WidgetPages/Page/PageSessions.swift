import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetSessions

/// Makes the sessions of a page's widgets, of which each asks, before its process is started, what its widget may do and
/// how it is set.
///
/// A class because the sessions call it.
final class PageSessions {
  private let factory: SessionFactory
  private let page: PageCards
  private let permissions: PagePermissions
  private let settings: PageSettings
  private let look: SharedLook

  init(
    _ factory: SessionFactory,
    page: PageCards,
    permissions: PagePermissions,
    settings: PageSettings,
    look: SharedLook
  ) {
    self.factory = factory
    self.page = page
    self.permissions = permissions
    self.settings = settings
    self.look = look
  }

  /// Makes the session of a widget that gets a card; nothing is started.
  func session(for bundle: WidgetBundle, _ id: CardID) -> WidgetSession {
    let session = factory.session(for: bundle, id)
    permissions.sessionDidBegin(id)
    session.beforeInitialize = { [unowned self, unowned session] next in
      if let obstacle = permissions.obstacle(session.bundle, id) { return next(obstacle) }
      settings.prepare(session.bundle, id, completion: next)
    }
    session.makeInitialize = { [unowned self, unowned session] reason in
      var card = page[id]?.card ?? Card(id: id, name: "")
      // A card that is drawn as a compact one may be asked for its expanded form.
      if let mode = page[id]?.state.display.size.form.displayMode { card.displayMode = mode }
      return factory.initializeRequest(
        card,
        of: session.bundle,
        maximumSize: page[id]?.maximumSize ?? .zero,
        reason,
        configuration: settings.configuration(of: id),
        appearance: look.appearance
      )
    }
    return session
  }
}
