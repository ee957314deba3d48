import Glibc
import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// What widgets and scripts tell the user: as a notification of the desktop, otherwise with the bell of the terminal, and
/// in the line below the page.
///
/// A class because the page and its owner share it.
public final class PageAlerts {
  private let page: PageCards
  private let notices: PageNotices
  private let confinement: WidgetConfinement
  private let clock: any HostClock
  private let environment: [String: String]
  private let standIns: StandIns?
  /// When an alert of each widget was last shown.
  private var lastShown: [CardID: ContinuousClock.Instant] = [:]
  /// The notifications that can be pressed, the oldest first.
  private var pressable: [ChildRun] = []

  /// Rings the bell of the terminal; nil if there is none.
  public var onBell: (() -> Void)?

  /// How long a widget waits before it tells something again.
  private static let pause: Duration = .seconds(10)
  /// How long a notification can be pressed, and the most of them.
  private static let pressTime: Duration = .seconds(600)
  private static let pressLimit = 8
  /// The most characters that are shown.
  private static let characterLimit = 500

  init(
    page: PageCards,
    notices: PageNotices,
    confinement: WidgetConfinement,
    clock: any HostClock,
    environment: [String: String],
    standIns: StandIns?
  ) {
    self.page = page
    self.notices = notices
    self.confinement = confinement
    self.clock = clock
    self.environment = environment
    self.standIns = standIns
  }

  /// Tells the user, and answers the request.
  func perform(_ request: AlertRequest, _ call: ServiceCall, of id: CardID) {
    guard let card = page[id], let bundle = card.session?.bundle else { return }
    if let refusal = refusal(of: bundle, id) { return call.answer(refusal: refusal) }
    lastShown[id] = clock.now
    let text = SafeText(String(request.text.prefix(Self.characterLimit)))
    card.log("alert: \(text)")
    tell(bundle.displayName, title: bundle.displayName, text)
    call.answer(with: AlertRequest.Reply())
  }

  /// Tells the user something.
  ///
  /// - Parameters:
  ///   - name: For whom, in the line below the page.
  ///   - title: What it is about, in the notification.
  ///   - text: What is told; only its beginning is shown.
  ///   - isSilent: Whether the bell does not ring.
  ///   - onPress: Called when the notification of the desktop is pressed; nil if it cannot be.
  func tell(
    _ name: SafeText,
    title: SafeText,
    _ text: SafeText,
    isSilent: Bool = false,
    onPress: (() -> Void)? = nil
  ) {
    let text = SafeText(String(text.string.prefix(Self.characterLimit)))
    notices.say(title == name || title.isEmpty ? "\(name): \(text)" : "\(name): \(title): \(text)")
    if let standIns {
      standIns.tell(text)
    } else if !notifyDesktop(title, text, onPress), !isSilent {
      onBell?()
    }
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

  /// A text for the body of a notification, which may have markup.
  ///
  /// A widget could make links and pictures of other machines with it (Desktop Notifications Specification). The
  /// title has none.
  private static func plain(_ text: SafeText) -> String {
    text.string.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }

  /// Starts `notify-send`; false if there is none, or no session that could show it.
  private func notifyDesktop(
    _ title: SafeText,
    _ text: SafeText,
    _ onPress: (() -> Void)?
  ) -> Bool {
    let hasSession = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"].contains {
      environment[$0]?.isEmpty == false
    }
    guard hasSession, let program = ToolSearch.path(of: "notify-send", in: environment) else {
      return false
    }
    if let onPress {
      notify(program, title, text, onPress)
      return true
    }
    return notify(program, title, text)
  }

  /// Shows a notification that can be pressed, which `notify-send` says when it ends.
  private func notify(
    _ program: String,
    _ title: SafeText,
    _ text: SafeText,
    _ onPress: @escaping () -> Void
  ) {
    if pressable.count >= Self.pressLimit { pressable.removeFirst().kill() }
    weak var notification: ChildRun?
    notification = ChildRun.print(
      call(program, ["--action=default=Open", "--", title.string, Self.plain(text)]),
      byteLimit: 1024,
      time: Self.pressTime,
      clock: clock
    ) { [weak self] result in
      guard let self else { return }
      pressable.removeAll { $0 === notification }
      switch result {
      case .success(let output):
        if output.starts(with: "default".utf8) { onPress() }
      case .failure(.failed(.exited)):
        // Old ones know no actions.
        _ = notify(program, title, text)
      case .failure: break
      }
    }
    if let notification { pressable.append(notification) }
  }

  private func notify(_ program: String, _ title: SafeText, _ text: SafeText) -> Bool {
    let call = call(program, ["--", title.string, Self.plain(text)])
    return (try? ChildRun(call, ChildRun.Terms(isolation: .detached))) != nil
  }

  private func call(_ program: String, _ arguments: [String]) -> LaunchDescription {
    LaunchDescription(
      program: program,
      arguments: ["--app-name=today"] + arguments,
      environment: environment
    )
  }
}
