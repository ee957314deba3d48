import Glibc
import WidgetKitCore

/// What scripts tell the user: as a notification of the desktop, otherwise with the bell of the terminal, and
/// in the line below the page.
///
/// A class because the page and its owner share it.
public final class PageAlerts {
  private let page: PageCards
  private let notices: PageNotices
  private let environment: [String: String]
  private var running: [ObjectIdentifier: ChildProcess] = [:]

  /// Rings the bell of the terminal; nil if there is none.
  public var onBell: (() -> Void)?

  init(page: PageCards, notices: PageNotices, environment: [String: String]) {
    self.page = page
    self.notices = notices
    self.environment = environment
  }

  /// Tells the user, and answers the request.
  func perform(_ request: AlertRequest, _ call: ServiceCall, of id: CardID) {
    guard let card = page[id], let bundle = card.widget.session?.bundle, bundle.script != nil else {
      return call.answer(refusal: .methodNotFound(AlertRequest.method))
    }
    let text = SafeText(request.text)
    card.widget.log("alert: \(text)")
    notices.say("\(bundle.displayName): \(text)")
    if !notifyDesktop(bundle.displayName, text) { onBell?() }
    call.answer(with: AlertRequest.Reply())
  }

  /// Starts `notify-send`; false if there is none, or no session that could show it.
  private func notifyDesktop(_ title: SafeText, _ text: SafeText) -> Bool {
    let hasSession = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"].contains {
      environment[$0]?.isEmpty == false
    }
    guard hasSession, let program = ToolSearch.path(of: "notify-send", in: environment) else {
      return false
    }
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return false }
    defer { close(null) }
    let launch = ChildProcess.Launch(
      executable: program,
      arguments: ["--app-name=today", "--", title.string, text.string],
      environment: environment,
      directory: "/",
      streams: [null, null, null],
      isolation: .detached
    )
    var key: ObjectIdentifier?
    let child = try? ChildProcess(launch) { [weak self] _ in
      if let key { self?.running[key] = nil }
    }
    guard let child else { return false }
    key = ObjectIdentifier(child)
    running[ObjectIdentifier(child)] = child
    return true
  }
}
