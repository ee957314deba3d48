import WidgetKitCore

/// The requests of widgets to show or hide a card permanently.
struct ContentRequests {
  private let page: PageCards
  private let flags: ContentFlags
  private let notices: PageNotices

  init(page: PageCards, flags: ContentFlags, notices: PageNotices) {
    self.page = page
    self.flags = flags
    self.notices = notices
  }

  /// The error if a widget may not set whether another widget has content, or nil if it may: only
  /// widgets of one app may, and the blocks of one script.
  func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError? {
    let catalog = page.catalog
    let widget = catalog.widget(withIdentifier: id.bundleIdentifier)
    let app = widget?.containingApp?.bundleIdentifier
    let program = widget?.script?.block == nil ? nil : widget?.script?.identifier
    let sender = HostServiceSender(
      bundleIdentifier: id.bundleIdentifier,
      hasContent: flags.hasContent(id)
    ) { other in
      let other = catalog.widget(withIdentifier: other)
      return app != nil && other?.containingApp?.bundleIdentifier == app
        || program != nil && other?.script?.identifier == program
    }
    return sender.refusal(of: request)
  }

  /// Shows or hides the card that makes the request, or all cards of another widget, permanently.
  func perform(_ request: SetHasContentRequest, from id: CardID) {
    let other = request.bundleIdentifier
    let cards =
      other == id.bundleIdentifier
      ? [id] : page.controllers.map(\.card.id).filter { $0.bundleIdentifier == other }
    for card in cards.isEmpty ? [CardID(other)] : cards {
      do throws(HostError) {
        try flags.set(request.flag, for: card)
      } catch {
        notices.note(SafeText("The content flag of \(card) cannot be stored: \(error)"))
      }
    }
    page.followContentFlags()
  }
}
