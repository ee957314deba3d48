import WidgetCards
import WidgetKitCore
import WidgetPages
import WidgetSessions

/// What people and other programs did, found in the messages that a page sent because of it.
///
/// A page that plays a trace says by itself what follows from time; the rest it is led to.
struct RecordedPerson {
  private let harness: WidgetHarness

  init(_ harness: WidgetHarness) {
    self.harness = harness
  }

  private var center: WidgetCenter { harness.center }
  private var input: PageInput { harness.center.input }
  private var id: CardID { harness.id }

  /// Does what leads the page to a message.
  ///
  /// - Returns: How long it took, in the time of the page.
  func lead(to bytes: [UInt8]) async -> Duration {
    guard let line = try? IncomingLine(bytes[...]), let tree = try? JSONTree(bytes) else {
      return .zero
    }
    let parameters = tree["params"] ?? .null
    let start = harness.clock.now
    switch line.kind {
    case .request(_, let method), .notification(let method):
      if !leadByHand(to: method, parameters), !leadFromOutside(to: method, line) {
        await leadOnScreen(to: method, parameters)
      }
    case .result, .error: break
    }
    return start.duration(to: harness.clock.now)
  }

  /// Does what the trace has as an event.
  ///
  /// - Returns: Whether it is something that a person does, or the page because of it.
  func act(_ event: String, _ details: JSONTree) -> Bool {
    switch event {
    case "onScreen":
      if harness.card == nil { harness.page.setHasContent(true) }
      center.screen.setVisible([id])
    case "offScreen": center.screen.setVisible([])
    case "host": center.screen.setHost(Self.hostState(details["state"]?.string))
    case "pause": center.suspend {}
    case "unpause": center.resume()
    case "hide": harness.page.setHasContent(false)
    default: return false
    }
    return true
  }

  private static func hostState(_ name: String?) -> HostState {
    switch name {
    case "background": .background
    case "inactive": .inactive
    default: .active
    }
  }

  /// The columns of a size, within what a card can have.
  static func width(_ size: JSONTree?) -> Int? {
    size?["width"]?.number.map { Int(min(max($0, 1), 10_000)) }
  }

  // MARK: - Where the card is

  private func leadOnScreen(to method: String, _ parameters: JSONTree) async {
    switch method {
    case WidgetPerformUpdateRequest.method:
      harness.page.update(parameters["reason"]?.string.flatMap(UpdateReason.init) ?? .user)
    case ActiveDisplayModeDidChangeNotification.method: center.input.toggleDisplayMode(id)
    case ViewWillTransitionToSizeRequest.method, ViewWillAppearRequest.method:
      try? await harness.appear(
        width: Self.width(parameters["size"]) ?? harness.body?.size.columns ?? 40,
        settles: false
      )
    case ViewWillDisappearRequest.method:
      center.screen.setVisible([])
      // The page waits for five seconds before it says so.
      harness.clock.advance(by: .milliseconds(5_010))
    case AppearanceDidChangeNotification.method:
      let isDark = parameters["appearance"]?["dark"]?.flag ?? parameters["dark"]?.flag
      harness.page.setDark(isDark ?? true)
    case HostWillResignActiveNotification.method: center.screen.setHost(.inactive)
    case HostDidEnterBackgroundNotification.method: center.screen.setHost(.background)
    case HostWillEnterForegroundNotification.method, HostDidBecomeActiveNotification.method:
      center.screen.setHost(.active)
    case DidReceiveMemoryWarningNotification.method: harness.page.warnOfMemory()
    case ExpiringActivityNotification.method: harness.page.expireActivities()
    default: break
    }
  }

  // MARK: - What the user does in the view

  /// Returns whether it is something of that kind.
  private func leadByHand(to method: String, _ parameters: JSONTree) -> Bool {
    let row = parameters["row"]?.string ?? ""
    let list = parameters["list"]?.string ?? ""
    switch method {
    case PerformActionRequest.method: press(parameters["action"]?.string)
    case FieldDidChangeNotification.method:
      type(parameters["text"]?.string ?? "", in: parameters["field"]?.string)
    case ListShouldRemoveRowRequest.method, ListDidRemoveRowRequest.method:
      if let target = target(row, of: list) { input.removeRow(target, on: id) }
    case ListDidMoveRowRequest.method: move(row, before: parameters["before"]?.string, list)
    case WidgetListPerformAddActionRequest.method:
      if let target = target(nil, of: list) { input.addRow(besides: target, on: id) }
    case WidgetDidBeginEditingNotification.method: input.beginEditing(id)
    case WidgetDidEndEditingNotification.method: input.endEditing()
    default: return false
    }
    return true
  }

  private func press(_ action: String?) {
    guard let target = harness.targets.first(where: { $0.action == action }) else { return }
    if case .field = target.role {
      input.enter(target, on: id)
    } else {
      center.input.press(target, on: id)
    }
  }

  private func type(_ text: String, in field: String?) {
    let found = harness.targets.first { target in
      if case .field(let own) = target.role { own.id == field } else { false }
    }
    guard let found else { return }
    input.clear(found, on: id)
    input.type(.insert(text), in: found, on: id)
    harness.clock.advance(by: .milliseconds(60))
  }

  /// The rows of a list as they are shown, each with the place where it is pressed.
  private func rows(of list: String) -> [(name: String, target: PressTarget)] {
    harness.targets.compactMap { target in
      guard case .row(let row) = target.role, row.list == list else { return nil }
      return (row.row, target)
    }
  }

  /// A row of a list; any of them without a name.
  private func target(_ row: String?, of list: String) -> PressTarget? {
    rows(of: list).first { row == nil || $0.name == row }?.target
  }

  private func move(_ row: String, before next: String?, _ list: String) {
    let rows = rows(of: list)
    guard let place = rows.firstIndex(where: { $0.name == row }) else { return }
    let others = rows.map(\.name).filter { $0 != row }
    let end = next.flatMap { others.firstIndex(of: $0) } ?? others.count
    input.moveRow(rows[place].target, by: end - place, on: id)
  }

  // MARK: - What comes from other programs

  /// Returns whether it is something of that kind.
  private func leadFromOutside(to method: String, _ line: IncomingLine) -> Bool {
    switch method {
    case ConfigurationDidChangeNotification.method:
      guard let message = try? line.decode(ConfigurationDidChangeNotification.self) else { break }
      harness.page.apply(message.configuration)
    case DidReceiveNotificationNotification.method:
      guard let message = try? line.decode(DidReceiveNotificationNotification.self) else { break }
      harness.page.post(message.name)
    case DefaultsDidChangeNotification.method:
      guard let message = try? line.decode(DefaultsDidChangeNotification.self) else { break }
      harness.page.changeDefaults(message.suite, Set(message.keys))
    case HandleEventsForBackgroundURLSessionRequest.method:
      guard let message = try? line.decode(HandleEventsForBackgroundURLSessionRequest.self) else {
        break
      }
      harness.page.deliver(message)
    case TransferDidProgressNotification.method:
      guard let message = try? line.decode(TransferDidProgressNotification.self) else { break }
      harness.page.deliver(message)
    default: return false
    }
    return true
  }
}
