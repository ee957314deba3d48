import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetSessions

/// What a page does for the widgets of its cards on request.
///
/// A class because the cards share it.
final class PageServices: CardPageServices {
  private let page: PageCards
  private let urls: PageURLs
  private let commands: PageCommands
  private let alerts: PageAlerts
  private let noticeDesk: NoticeDesk
  private let confinement: WidgetConfinement
  private let settings: PageSettings
  private let contentRequests: ContentRequests
  private let transfers: PageTransfers
  private let bundleFollower: BundleFollower

  init(
    _ configuration: CenterConfiguration,
    _ resources: PageResources,
    page: PageCards,
    urls: PageURLs,
    commands: PageCommands,
    alerts: PageAlerts,
    noticeDesk: NoticeDesk,
    notices: PageNotices,
    confinement: WidgetConfinement,
    settings: PageSettings,
    bundleFollower: BundleFollower
  ) {
    self.page = page
    self.urls = urls
    self.commands = commands
    self.alerts = alerts
    self.noticeDesk = noticeDesk
    self.confinement = confinement
    self.settings = settings
    self.bundleFollower = bundleFollower
    contentRequests = ContentRequests(
      page: page,
      flags: resources.contentFlags,
      notices: notices,
      clock: resources.clock
    )
    transfers = PageTransfers(
      configuration,
      folders: resources.folders,
      clock: resources.clock,
      confinement: confinement,
      secrets: resources.secrets
    ) { [weak page] in page?[$0]?.session }
  }

  /// Continues the background transfers of which no process takes care, of an app or of all.
  func continueTransfers(of app: String? = nil, afterPress: Bool = false) {
    transfers.continueAll(of: app, afterPress: afterPress)
  }

  func refusal(of request: SetHasContentRequest, from id: CardID) -> WireError? {
    contentRequests.refusal(of: request, from: id)
  }

  func setHasContent(_ request: SetHasContentRequest, from id: CardID) {
    contentRequests.perform(request, from: id)
  }

  func searchScripts(completion: @escaping () -> Void) {
    bundleFollower.scan(completion: completion)
  }

  func isGranted(_ entitlement: Entitlement, to id: CardID) -> Bool {
    guard let bundle = page[id]?.session?.bundle else { return false }
    return confinement.isGranted(entitlement, to: bundle, id)
  }

  func transfer(_ event: CardTransferEvent, of id: CardID) {
    switch event {
    case .request(let request, let call): transfers.perform(request, call, from: id)
    case .handled(let identifier, let refusal): transfers.wereHandled(identifier, refusal, by: id)
    case .suspended: transfers.release(id, isSuspended: true)
    case .resumed: transfers.resume(id)
    case .ended: transfers.release(id, isSuspended: false)
    }
  }

  func run(
    _ request: RunCommandRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  ) {
    commands.perform(request, call, of: id, sincePress: sincePress)
  }

  func alert(_ request: AlertRequest, _ call: ServiceCall, of id: CardID) {
    alerts.perform(request, call, of: id)
  }

  func notice(
    _ request: NoticeRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  ) {
    noticeDesk.perform(request, call, of: id, sincePress: sincePress)
  }

  func configure(
    _ request: SetConfigurationRequest,
    _ call: ServiceCall,
    of id: CardID,
    sincePress: Duration?
  ) {
    let refusal = settings.set(request.values, of: id, sincePress: sincePress)
    if let refusal { return call.answer(refusal: refusal) }
    call.answer(with: SetConfigurationRequest.Reply())
    settings.storedDidChange(of: id)
  }

  func isTrusted(_ sender: URLSender) -> Bool { urls.isTrusted(sender) }

  func open(
    _ url: String,
    for sender: URLSender,
    completion: @escaping (URLRefusal?) -> Void
  ) {
    urls.open(url, for: sender, completion: completion)
  }
}
