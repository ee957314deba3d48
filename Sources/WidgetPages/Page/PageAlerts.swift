import Notices
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// What widgets and scripts tell the user: it is stored as a notice, and said in the line below the page.
///
/// A class because the page and its owner share it.
public final class PageAlerts {
  private let page: PageCards
  private let notices: PageNotices
  private let confinement: WidgetConfinement
  private let clock: any HostClock
  private let delivery: PageDelivery
  private let tellsWithoutPage: ((Notice) -> Void)?
  private let standIns: StandIns?
  /// When an alert of each widget was last shown.
  private var lastShown: [CardID: ContinuousClock.Instant] = [:]

  /// Rings the bell of the terminal, where nobody tells of notices; nil if there is none.
  public var onBell: (() -> Void)?

  /// How long a widget waits before it tells something again.
  private static let pause: Duration = .seconds(10)
  /// The most characters that are shown.
  private static let characterLimit = 500

  init(
    _ configuration: CenterConfiguration,
    page: PageCards,
    notices: PageNotices,
    confinement: WidgetConfinement,
    clock: any HostClock,
    delivery: PageDelivery
  ) {
    self.page = page
    self.notices = notices
    self.confinement = confinement
    self.clock = clock
    self.delivery = delivery
    tellsWithoutPage = configuration.tellsWithoutPage
    standIns = configuration.standIns
  }

  /// Tells the user, and answers the request.
  func perform(_ request: AlertRequest, _ call: ServiceCall, of id: CardID) {
    guard let card = page[id], let bundle = card.session?.bundle else { return }
    if let refusal = refusal(of: bundle, id) { return call.answer(refusal: refusal) }
    lastShown[id] = clock.now
    let text = SafeText(String(request.text.prefix(Self.characterLimit)))
    let isPrivate = delivery.isPrivate(bundle.displayName.string)
    card.log(isPrivate ? "alert" : "alert: \(text)")
    tell(bundle.displayName, title: bundle.displayName, text)
    call.answer(with: AlertRequest.Reply())
  }

  /// Tells the user something.
  ///
  /// - Parameters:
  ///   - name: For whom, in the line below the page.
  ///   - title: What it is about, in the notification.
  ///   - text: What is told; only its beginning is shown.
  ///   - isSilent: Whether nothing sounds.
  ///   - url: What a press of the notification opens; nil for nothing.
  ///   - onPress: Opens it on this page; nil if no page is open.
  func tell(
    _ name: SafeText,
    title: SafeText,
    _ text: SafeText,
    isSilent: Bool = false,
    url: String? = nil,
    onPress: (() -> Void)? = nil
  ) {
    let text = SafeText(String(text.string.prefix(Self.characterLimit)))
    notices.sayUnlessLocked(
      title == name || title.isEmpty ? "\(name): \(text)" : "\(name): \(title): \(text)"
    )
    if let standIns { return standIns.tell(text) }
    var content = Self.content(name, title, text)
    if isSilent { content.urgency = .low }
    if let url {
      var action = NoticeAction(name: "Open")
      action.url = url
      content.actions = [action]
    }
    post(content, press: onPress.map { NoticeDelivery.Press("Open", action: $0) })
  }

  /// Why a widget may not tell anything now; nil if it may.
  ///
  /// The user's own scripts always may.
  private func refusal(of bundle: WidgetBundle, _ id: CardID) -> WireError? {
    guard bundle.script == nil else { return nil }
    guard confinement.isGranted(.notifications, to: bundle, id) else {
      let entitlement = Entitlement.notifications.rawValue
      return WireError(code: .notPermitted, message: "\(entitlement) is not granted")
    }
    if let last = lastShown[id], last.duration(to: clock.now) < Self.pause {
      let seconds = Self.pause.components.seconds
      return WireError(code: .overLimit, message: "one notification in \(seconds) s is shown")
    }
    return nil
  }

  /// The notice of what is told.
  private static func content(_ name: SafeText, _ title: SafeText, _ text: SafeText)
    -> NoticeContent
  {
    guard title == name || title.isEmpty else {
      let body = text == title ? nil : text.string
      return NoticeContent(
        application: name.string,
        source: .widget,
        title: title.string,
        body: body
      )
    }
    let lines = text.string.split(separator: "\n", maxSplits: 1).map(String.init)
    return NoticeContent(
      application: name.string,
      source: .widget,
      title: lines.first ?? name.string,
      body: lines.count > 1 ? lines[1] : nil
    )
  }

  /// Stores a notice; where nobody tells of it, the bell rings.
  private func post(_ content: NoticeContent, press: NoticeDelivery.Press?) {
    do throws(HostError) {
      let notice = try delivery.post(content, press: press)
      if delivery.tells { return }
      if let tellsWithoutPage { return tellsWithoutPage(notice) }
    } catch {
      notices.sayUnlessLocked(SafeText(error.description))
    }
    if content.urgency != .low { onBell?() }
  }
}
