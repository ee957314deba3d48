import FoundationEssentials
public import WidgetHost
public import WidgetKitCore

/// Runs a widget through its life and checks the deadlines and rules of the protocol.
///
/// It runs launch, appearance, update, a press on each pressable element, a resize transition,
/// disappearance and shutdown; then a second, shorter run, because a widget must be able to start
/// without any state every time.
public final class ConformanceRun {
  /// The results.
  public private(set) var report = TestReport()

  private let host: ScriptedHost
  private let environment: [String: String]
  private let policy = SessionPolicy()
  private var implements: Set<String> = []
  private var allowsEditing = false
  private let width = 36

  /// Prepares a run; `onLine` is called with each line of the report.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - environment: The environment of the widget's process.
  ///   - trace: The file to which its messages are written.
  ///   - onLine: Called with each line of TAP.
  public init(
    bundle: WidgetBundle,
    environment: [String: String],
    trace: TraceWriter? = nil,
    onLine: @escaping (String) -> Void
  ) {
    host = ScriptedHost(bundle: bundle, trace: trace)
    self.environment = environment
    report.onLine = onLine
  }

  /// Runs all checks; true if none failed.
  public func run() async -> Bool {
    report.remark("\(host.bundle.bundleIdentifier) at \(host.bundle.path)")
    if await launch("launch") {
      await appear()
      await update()
      await checkPicture()
      await checkInputs()
      await pressEverything()
      await edit()
      await transition()
      await disappear()
      await shutdown("shutdown")
      if await launch("a second launch") {
        await appear()
        await shutdown("a second shutdown")
      }
    }
    if let rows = host.lateHeight {
      report.remark(
        "warning: late height: \(rows) rows were stated after the first view had appeared; state the "
          + "height together with the first view"
      )
    }
    report.check(
      "only messages on standard output",
      problem: host.faults.isEmpty ? nil : host.faults.joined(separator: "\n")
    )
    let unknown = host.unknownTypes.map { "“\(SafeText($0))”" }.joined(separator: ", ")
    report.check(
      "views contain only elements of the protocol",
      problem: unknown.isEmpty
        ? nil : "unknown node type \(unknown); its alt or its children are shown instead"
    )
    if host.status == nil { host.kill() }
    report.finish()
    return report.failureCount == 0
  }

  private func launch(_ name: String) async -> Bool {
    do throws(HostError) {
      try host.launch(environment: environment)
    } catch {
      report.check("\(name): the process starts", problem: error.description)
      return false
    }
    let request = InitializeRequest(
      host: HostInfo(name: "today test", version: HostVersion.current),
      bundleIdentifier: host.bundle.bundleIdentifier,
      configuration: .defaults(of: host.bundle.settings, home: environment["HOME"] ?? "/"),
      reason: .test,
      activeDisplayMode: .compact,
      maximumSize: Size(columns: width, rows: HostLimits().bodyRows),
      marginInsets: EdgeInsets(left: 1, right: 1),
      locale: "en",
      timeZone: environment["TZ"] ?? "UTC",
      appearance: Appearance(colors: 256, dark: true),
      containers: StateFolders(environment: environment).containers(
        of: ExtensionIdentity(host.bundle.bundleIdentifier),
        host.bundle
      )
    )
    let title = "\(name): initialize is answered within \(policy.initialize.words)"
    guard let reply = await call(request, policy.initialize, title) else { return false }
    implements = Set(reply.implements)
    allowsEditing = reply.allowsEditing ?? false
    report.check(
      "\(name): uses protocol version \(ProtocolVersion.current)",
      problem: reply.protocolVersion == ProtocolVersion.current
        ? nil : "it answered protocolVersion \(reply.protocolVersion)"
    )
    let unknown = implements.subtracting(Self.knownMethods).sorted()
    report.check(
      "\(name): implements lists only methods of the protocol",
      problem: unknown.isEmpty ? nil : "not in the protocol: \(unknown.joined(separator: ", "))"
    )
    return true
  }

  private func appear() async {
    if implements.contains(WidgetMarginInsetsRequest.method) {
      let request = WidgetMarginInsetsRequest(proposed: EdgeInsets(left: 1, right: 1))
      _ = await call(request, policy.widgetMarginInsets, "widgetMarginInsets is answered")
    }
    let request = ViewWillAppearRequest(size: size, animated: false)
    let title = "viewWillAppear is answered within \(policy.viewWillAppear.words)"
    if implements.contains(ViewWillAppearRequest.method) {
      _ = await call(request, policy.viewWillAppear, title)
    } else {
      report.skip(title, because: "not implemented")
    }
    notifyIfImplemented(ViewDidAppearNotification())
  }

  private func update() async {
    let title = "widgetPerformUpdate is answered within \(policy.widgetPerformUpdate.words)"
    guard implements.contains(WidgetPerformUpdateRequest.method) else {
      report.skip(title, because: "not implemented: no background refresh")
      return
    }
    let first = WidgetPerformUpdateRequest(reason: .appear)
    guard let reply = await call(first, policy.widgetPerformUpdate, title) else { return }
    report.remark("the first update: \(reply.result.rawValue)")
    report.check(
      "a failed update has an error text",
      problem: reply.result == .failed && reply.error == nil ? "error is missing" : nil
    )
    let second = WidgetPerformUpdateRequest(reason: .user)
    _ = await call(second, policy.widgetPerformUpdate, "a second update is answered")
  }

  private func checkPicture() async {
    // A widget may push its first view on its own, without being asked for an update.
    let hasView = await host.waitForView(within: Self.firstViewTime)
    report.check(
      "there is a view after the first update",
      problem: hasView
        ? nil
        : "no answer contained a view, and no setView arrived within \(Self.firstViewTime.words)"
    )
    guard let view = host.view else { return }
    for width in [20, 40, 80, 120] {
      let environment = LayoutEnvironment(now: Date())
      let laidOut = ViewLayout.layOut(view, width: width, height: nil, in: environment)
      report.check(
        "the view is visible at width \(width)",
        problem: laidOut.runs.isEmpty || laidOut.size.rows == 0
          ? "the view is empty in \(width) columns" : nil
      )
    }
  }

  /// Checks the names of lists, rows and fields, and types into each field.
  ///
  /// No row is removed, so that the run leaves the user's data unchanged.
  private func checkInputs() async {
    var fields: [String] = []
    var problems: [String] = []
    host.view?.forEachInput { node in
      switch node.content {
      case .field:
        if let id = node.id { fields.append(id) } else { problems.append("a field has no id") }
      case .list(let list):
        if node.id == nil { problems.append("a list has no id") }
        var ids: Set<String> = []
        for row in list.rows where !ids.insert(row.id).inserted {
          problems.append("two rows have the id “\(SafeText(row.id))”")
        }
      default: break
      }
    }
    report.check(
      "lists, rows and fields can be told from each other",
      problem: problems.isEmpty ? nil : problems.prefix(5).joined(separator: "\n")
    )
    for field in fields where implements.contains(FieldDidChangeNotification.method) {
      for text in ["a", ""] {
        host.notify(FieldDidChangeNotification(field: field, text: text))
      }
      let ended = await host.waitForExit(within: Self.typingTime)
      report.check(
        "typing in the field “\(SafeText(field))” is accepted",
        problem: ended ? "the process ended\(lastWords)" : nil
      )
      if ended { return }
    }
  }

  private func pressEverything() async {
    guard let view = host.view else { return }
    let environment = LayoutEnvironment(now: Date())
    let laidOut = ViewLayout.layOut(view, width: width, height: nil, in: environment)
    let links = laidOut.targets.compactMap(\.link)
    for link in Set(links).sorted() {
      report.check(
        "the link \(SafeText(link)) can be opened",
        problem: CheckedURL(link) == nil ? "not a valid URL" : nil
      )
    }
    let targets = laidOut.targets.filter { $0.action != nil }
    guard !targets.isEmpty else {
      report.skip("a press on each element is answered", because: "nothing can be pressed")
      return
    }
    let isPressable = implements.contains(PerformActionRequest.method)
    report.check(
      "performAction is implemented where elements have actions",
      problem: isPressable ? nil : "\(targets.count) elements have an action"
    )
    guard isPressable else { return }
    var pressed: Set<String> = []
    for target in targets {
      guard let action = target.action, pressed.insert(action).inserted else { continue }
      var request = PerformActionRequest(action: action, value: target.newValue)
      if case .field = target.role { request.text = "" }
      let title = "a press on “\(SafeText(action))” is answered"
      _ = await call(request, policy.widgetPerformUpdate, title)
      // A toggle is pressed again, so that the run leaves the user's data unchanged.
      if let value = target.newValue {
        let back = PerformActionRequest(action: action, value: !value)
        _ = await call(back, policy.widgetPerformUpdate, "and the toggle back")
      }
    }
  }

  /// Edits the widget: the first row of each list is moved down, and back up.
  ///
  /// No row is added, so that the run leaves the user's data unchanged.
  private func edit() async {
    let isMovable = implements.contains(ListDidMoveRowRequest.method)
    guard allowsEditing else {
      guard isMovable else { return }
      return report.remark(
        "warning: listDidMoveRow is implemented, but rows are moved only where initialize is answered "
          + "with allowsEditing"
      )
    }
    notifyIfImplemented(WidgetDidBeginEditingNotification())
    for (list, rows) in lists where isMovable && rows.count > 1 {
      let shown = SafeText(list)
      for (before, direction) in [(rows.dropFirst(2).first, "down"), (rows[1], "back up")] {
        let request = ListDidMoveRowRequest(list: list, row: rows[0], before: before)
        let title = "moving a row of “\(shown)” \(direction) is answered"
        _ = await call(request, policy.widgetPerformUpdate, title)
      }
      report.check(
        "the rows of “\(shown)” are in the order of before",
        problem: lists.contains { $0.id == list && $0.rows == rows }
          ? nil : "the row is at another place"
      )
    }
    notifyIfImplemented(WidgetDidEndEditingNotification())
    let ended = await host.waitForExit(within: Self.typingTime)
    report.check("the widget can be edited", problem: ended ? "the process ended\(lastWords)" : nil)
  }

  /// The lists of the view that have a name, with the names of their rows.
  private var lists: [(id: String, rows: [String])] {
    var lists: [(id: String, rows: [String])] = []
    host.view?.forEachInput { node in
      guard case .list(let list) = node.content, let id = node.id else { return }
      lists.append((id: id, rows: list.rows.map(\.id)))
    }
    return lists
  }

  private func transition() async {
    let title = "viewWillTransitionToSize is answered within 100 ms"
    guard implements.contains(ViewWillTransitionToSizeRequest.method) else {
      report.skip(title, because: "not implemented")
      return
    }
    for (number, animated) in [(1, true), (2, false)] {
      let request = ViewWillTransitionToSizeRequest(
        size: Size(columns: width, rows: size.rows + 1),
        transition: number,
        duration: animated ? 0.25 : 0,
        curve: .easeInOut,
        animated: animated
      )
      let kind = animated ? "animated" : "not animated"
      _ = await call(request, .milliseconds(100), "\(title), \(kind)")
      if implements.contains(TransitionDidCompleteNotification.method) {
        host.notify(TransitionDidCompleteNotification(transition: number, finished: true))
      }
    }
  }

  private func disappear() async {
    let title = "viewWillDisappear is answered within \(policy.viewWillDisappear.words)"
    if implements.contains(ViewWillDisappearRequest.method) {
      _ = await call(ViewWillDisappearRequest(), policy.viewWillDisappear, title)
    } else {
      report.skip(title, because: "not implemented")
    }
    notifyIfImplemented(ViewDidDisappearNotification())
  }

  private func shutdown(_ name: String) async {
    host.notify(ShutdownNotification())
    host.closeInput()
    let ended = await host.waitForExit(within: policy.shutdown)
    report.check(
      "\(name): the process exits within \(policy.shutdown.words)",
      problem: ended ? nil : "still running; the host would kill it"
    )
    if !ended {
      host.kill()
      _ = await host.waitForExit(within: policy.terminate)
      return
    }
    report.check(
      "\(name): it exits with code 0",
      problem: host.status == .exited(0)
        ? nil : "\(host.status?.description ?? "unknown")\(lastWords)"
    )
  }

  private var size: Size {
    guard let view = host.view else { return Size(columns: width, rows: 1) }
    let environment = LayoutEnvironment(now: Date())
    let rows = host.preferredHeight ?? ViewLayout.height(of: view, width: width, in: environment)
    return Size(columns: width, rows: rows)
  }

  private func notifyIfImplemented<Message: NotificationMessage>(_ message: Message) {
    if implements.contains(Message.method) { host.notify(message) }
  }

  private func call<Request: RequestMessage>(
    _ request: Request,
    _ limit: Duration,
    _ name: String
  ) async -> Request.Reply? {
    do {
      let (reply, took) = try await host.call(request, within: limit)
      report.check(name)
      if took > limit / 2 { report.remark("it took \(took)") }
      return reply
    } catch ScriptedHost.CallFailure.ended(let status) {
      report.check(name, problem: "\(ScriptedHost.CallFailure.ended(status))\(lastWords)")
      return nil
    } catch {
      report.check(name, problem: "\(error)")
      return nil
    }
  }

  /// The last lines of the widget's standard error, for a problem.
  private var lastWords: String {
    guard !host.log.isEmpty else { return "\nno output on standard error" }
    let lines = host.log.suffix(Self.lastLines).map { "  \($0)" }
    return "\nthe last lines on standard error:\n\(lines.joined(separator: "\n"))"
  }

  /// How many lines of standard error are shown.
  private static let lastLines = 10
  /// How long a widget that only pushes views may take for the first one.
  private static let firstViewTime: Duration = .seconds(1)

  /// How long a widget is observed after something was typed.
  private static let typingTime: Duration = .milliseconds(200)

  private static let knownMethods: Set<String> = [
    "viewWillAppear", "viewDidAppear", "viewWillDisappear", "viewDidDisappear",
    "widgetPerformUpdate", "viewWillTransitionToSize", "transitionDidComplete",
    "widgetMarginInsets", "widgetActiveDisplayModeDidChange", "performAction", "fieldDidChange",
    "listShouldRemoveRow", "listDidRemoveRow", "listDidMoveRow", "widgetListPerformAddAction",
    "appearanceDidChange", "configurationDidChange",
    "hostDidBecomeActive", "hostWillResignActive", "hostDidEnterBackground",
    "hostWillEnterForeground",
    "widgetDidBeginEditing", "widgetDidEndEditing", "didReceiveNotification", "expiringActivity",
    "handleEventsForBackgroundURLSession", "transferDidProgress", "defaultsDidChange",
    "didReceiveMemoryWarning", "initialize", "shutdown",
  ]
}
