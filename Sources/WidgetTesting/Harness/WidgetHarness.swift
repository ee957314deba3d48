import FoundationEssentials
public import WidgetCards
import WidgetExtensions
public import WidgetKitCore
package import WidgetPages
import WidgetPlatform
import WidgetSessions

/// A page with one widget, whose time passes only as a test says.
///
/// It is the page that the dashboard shows: the same messages in the same order, the same deadlines and the
/// same answers to requests. Each step waits, in real time, until the widget has done everything that
/// follows from it, so that a test never sleeps. A step takes a hundredth of a second of the test's time.
/// What the widget stores is in temporary folders, URLs are noted and not opened, and transfers are noted and
/// not made.
///
/// ```swift
/// let harness = try WidgetHarness(ClownTown())
/// try await harness.appear(width: 60)
/// try await harness.press("more")
/// #expect(harness.text.contains("2 clowns"))
/// await harness.finish()
/// ```
public final class WidgetHarness {
  /// The bundle of the widget.
  public let bundle: WidgetBundle
  /// The clock of the page.
  public let clock: VirtualClock
  /// The results of updates, in order, with the error of each that has failed.
  public private(set) var updates: [(result: UpdateResult, error: String?)] = []

  let id: CardID
  package let center: WidgetCenter
  let record = HarnessRecord()
  let standIns = StandIns()
  let page: RehearsedPage
  private let folders: HarnessFolders
  /// What waits, in real time, until the widget has come to rest.
  let steps: StepWait
  /// What sends the widget messages that the page does not know of.
  let probe: HarnessProbe
  private var hasStarted = false
  private var isFinished = false

  /// Prepares the test of a widget in a process of its own, which is started in the same way as by the
  /// dashboard.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - options: The time, the settings and the environment.
  /// - Throws: ``HarnessFailure`` if there is no room for the folders, or the settings are wrong.
  public convenience init(
    bundle: WidgetBundle,
    _ options: HarnessOptions = HarnessOptions()
  ) throws(HarnessFailure) {
    try self.init(bundle, options, HarnessFolders(options.environment), wrap: { $0 })
  }

  /// Prepares the test of a widget in this process.
  ///
  /// - Parameters:
  ///   - widget: Makes the widget; called for each process that the page would start.
  ///   - attributes: What is in `NSExtensionAttributes` of its Info.plist, such as `TodaySettings`, as XML.
  ///   - entitlements: What is in its Entitlements.plist, as XML: `<key>org.today.notices</key><true/>`.
  ///   - options: The time, the settings and the environment.
  /// - Throws: ``HarnessFailure`` if there is no room for the folders, or the settings are wrong.
  public convenience init<Program: Widget>(
    _ widget: @autoclosure @escaping @MainActor () -> Program,
    attributes: String = "",
    entitlements: String = "",
    _ options: HarnessOptions = HarnessOptions()
  ) throws(HarnessFailure) {
    let standIn = try StandInWidget(widget, attributes, entitlements, options)
    try self.init(standIn.bundle, options, standIn.folders) { _ in standIn.launcher }
  }

  /// Shows a bundle whose process `wrap` stands between, with folders that it may share with a test before.
  init(
    _ bundle: WidgetBundle,
    _ options: HarnessOptions,
    _ folders: HarnessFolders,
    wrap: @escaping (@escaping WidgetLauncher) -> WidgetLauncher
  ) throws(HarnessFailure) {
    self.bundle = bundle
    self.folders = folders
    clock = VirtualClock(date: options.now)
    id = CardID(bundle.bundleIdentifier)
    var configuration = folders.configuration(options, clock, standIns, record, wrap)
    (configuration.widgetFolders, configuration.animates) = ([bundle.path], options.animates)
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      throw HarnessFailure(error.description)
    }
    page = RehearsedPage(center, id)
    steps = StepWait(clock, limit: options.patience, page)
    probe = HarnessProbe(record, steps)
    record.containers = { [weak self] in self?.containers }
    record.traceProbes(of: id, center.sessions.trace)
    record.killReason = { [weak self] in self?.page.failure }
    center.urls.terminalHandover = { _ in }
    center.onUpdate = { [weak self] _, result, error in self?.updates.append((result, error)) }
    center.load()
    try configure(options.configuration)
    guard center.page.all.contains(where: { $0.id == id }) else {
      let problem = center.notices.problems.first?.string
      throw HarnessFailure(problem ?? "\(bundle.path): the widget cannot be shown")
    }
  }

  // MARK: - What a user does

  /// Shows the card, whose body is `width` columns wide, or gives it another width.
  ///
  /// The first call starts the widget, which is also asked for an update, as on the page.
  ///
  /// - Parameters:
  ///   - width: The columns of the body between the margins that the page proposes.
  ///   - settles: Whether everything that follows is waited for.
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func appear(width: Int = 40, settles: Bool = true) async throws(HarnessFailure) {
    start(width: width, isVisible: true)
    if settles { try await steps.settle() }
  }

  /// Scrolls the card off the page; its view disappears five seconds later.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func disappear() async throws(HarnessFailure) {
    center.screen.setVisible([])
    try await advance(by: .milliseconds(5_010))
  }

  /// Asks for new data.
  ///
  /// - Parameter reason: Who asks for it.
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func update(_ reason: UpdateReason = .user) async throws(HarnessFailure) {
    if !hasStarted { start(width: 40, isVisible: false) }
    page.update(reason)
    try await steps.settle()
  }

  /// Presses an element.
  ///
  /// - Parameter name: The `id` of the element, its action, its link or its label, in this order.
  /// - Throws: ``HarnessFailure`` if there is none, or the widget does not become idle.
  public func press(_ name: String) async throws(HarnessFailure) {
    let target = try elements.pressable(name)
    if case .field = target.role {
      center.input.enter(target, on: id)
    } else {
      center.input.press(target, on: id)
    }
    try await steps.settle()
  }

  /// Types in a field, in place of what is in it.
  ///
  /// - Parameters:
  ///   - text: What is typed.
  ///   - field: The `id` of the field.
  ///   - submits: Whether Enter is pressed after it.
  /// - Throws: ``HarnessFailure`` if there is no such field, or the widget does not become idle.
  public func type(
    _ text: String,
    in field: String,
    submits: Bool = false
  ) async throws(HarnessFailure) {
    center.input.clear(try elements.field(field), on: id)
    center.input.type(.insert(text), in: try elements.field(field), on: id)
    // What is typed is told at most every 50 ms.
    try await advance(by: .milliseconds(100))
    guard submits else { return }
    center.input.enter(try elements.field(field), on: id)
    try await steps.settle()
  }

  /// Removes, moves or adds a row of a list, as its user does.
  ///
  /// - Parameters:
  ///   - change: What is done.
  ///   - row: The `id` of a row of the list.
  /// - Throws: ``HarnessFailure`` if there is no such row, or the widget does not become idle.
  public func change(_ change: RowChange, row: String) async throws(HarnessFailure) {
    change.make(of: try elements.row(row), on: id, center.input)
    try await steps.settle()
  }

  /// Begins or ends to edit the widget.
  ///
  /// - Throws: ``HarnessFailure`` if the widget cannot be edited, or does not come to rest.
  public func edit(_ begins: Bool) async throws(HarnessFailure) {
    if !begins {
      center.input.endEditing()
    } else if !center.input.beginEditing(id) {
      throw HarnessFailure(
        "the widget cannot be edited: initialize was not answered with allowsEditing"
      )
    }
    try await steps.settle()
  }

  /// Switches between the compact and the expanded form.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not offer the form, or does not come to rest.
  public func expand(_ isExpanded: Bool) async throws(HarnessFailure) {
    guard let card, card.offersExpanded || card.displayMode == .expanded else {
      throw HarnessFailure("the widget does not offer another form than the compact one")
    }
    if (card.displayMode == .expanded) != isExpanded { center.input.toggleDisplayMode(id) }
    try await steps.settle()
  }

  /// Locks or unlocks the page.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func lock(_ isLocked: Bool) async throws(HarnessFailure) {
    center.setLocked(isLocked)
    try await steps.settle()
  }

  /// Gives the page a dark or a light theme.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func setDark(_ isDark: Bool) async throws(HarnessFailure) {
    page.setDark(isDark)
    try await steps.settle()
  }

  /// Hides the whole page, as while another program has the screen, and shows it again.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func hidePage(_ isHidden: Bool) async throws(HarnessFailure) {
    center.screen.setHost(isHidden ? .background : .active)
    try await steps.settle()
  }

  /// Sets the settings of the widget.
  ///
  /// - Parameter json: An object, as in `widgets` of config.json.
  /// - Throws: ``HarnessFailure`` if a value is wrong.
  public func configure(_ json: String) throws(HarnessFailure) {
    if let problem = page.configure(widget: json).first { throw HarnessFailure(problem) }
  }

  // MARK: - What happens to the widget

  /// Lets time pass: what is due happens at its time, and the widget receives the time.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func advance(by duration: Duration) async throws(HarnessFailure) {
    try await steps.pass(duration) { self.record.messages.count }
    page.tellTime()
    try await steps.settle()
  }

  /// Posts a notification of an app group.
  ///
  /// - Throws: ``HarnessFailure`` if it cannot be posted, or the widget does not become idle.
  public func post(_ name: String) async throws(HarnessFailure) {
    try folders.post(name, among: bundle.groups)
    // Other programs' notifications come through the file system.
    try await advance(by: .seconds(1))
  }

  /// Posts a notice to the store of the test, as another program would.
  ///
  /// - Parameters:
  ///   - notice: The notice.
  ///   - application: Who posts it.
  /// - Throws: ``HarnessFailure`` if it cannot be stored, or the widget does not become idle.
  public func post(_ notice: PostedNotice, from application: String) async throws(HarnessFailure) {
    do throws(HostError) {
      try center.noticeDesk.post(notice, from: application)
    } catch {
      throw HarnessFailure(error.description)
    }
    // Changes are read one after the other, with a pause between them.
    for _ in 0..<5 where !center.noticeDesk.isAtRest {
      try await steps.wait(for: "the reading of the notices") { !center.noticeDesk.isReading }
      try await advance(by: .seconds(1))
    }
    try await advance(by: .seconds(1))
  }

  /// Tells the widget that transfers of a session have ended.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func deliver(
    _ events: HandleEventsForBackgroundURLSessionRequest
  ) async throws(HarnessFailure) {
    page.deliver(events)
    try await steps.settle()
  }

  /// Tells the widget that it is near its limit of memory, if it implements that.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func warnOfMemory() async throws(HarnessFailure) {
    page.warnOfMemory()
    try await steps.settle()
  }

  /// Refuses expiring activities from now on, or grants them again.
  public func denyActivities(_ isDenied: Bool = true) {
    page.denyActivities(isDenied)
  }

  /// Whether URLs are opened; the widget gets the answer.
  public var opensURLs: Bool {
    get { standIns.opensURLs }
    set { standIns.opensURLs = newValue }
  }

  /// Kills all processes of the widget, which is started again as on the page.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func kill() async throws(HarnessFailure) {
    let count = record.ends.count
    page.kill()
    try await steps.wait(for: "the end of the process") { self.record.ends.count > count }
    try await steps.settle()
  }

  /// Waits, in real time, until everything is done that follows from what has happened.
  ///
  /// The widget has come to rest when the page waits for no answer, nothing that either side has sent is
  /// unread, and all threads of its processes wait. What it does later by a timer of its own is not waited for.
  ///
  /// - Throws: ``HarnessFailure`` if it does not become idle in time.
  public func settle() async throws(HarnessFailure) { try await steps.settle() }

  /// Ends the widget, as when the page is closed; the temporary folders are removed with the harness.
  public func finish() async {
    guard !isFinished else { return }
    isFinished = true
    var hasEnded = false
    center.shutdown { hasEnded = true }
    // Real deadlines apply to the end.
    await steps.passRealTime { hasEnded }
  }

  // MARK: - What there is

  /// The card; nil while it is hidden.
  public var card: Card? { center.page.shown.first { $0.id == id } }

  /// What the card shows; nil if it shows nothing.
  public var view: ViewNode? { card?.view }

  /// The rows of the body.
  public var height: Int { body?.size.rows ?? 0 }

  /// The text of the body, row by row, without trailing blanks.
  public var rows: [String] { body?.picture.textRows ?? [] }

  /// The text of the body.
  public var text: String { rows.joined(separator: "\n") }

  /// The text of the present view at another width, row by row.
  public func rows(width: Int) -> [String] {
    view?.textRows(width: width, in: center.look.environment) ?? []
  }

  /// The messages that the widget and the page have exchanged, in order.
  public var messages: [HarnessMessage] { record.messages }

  /// The URLs that the widget asked to open, and that may be opened.
  public var openedURLs: [String] { standIns.openedURLs }

  /// What the widget has told the user as notifications.
  public var alerts: [String] { standIns.alerts.map(\.string) }

  /// The log of the widget: what it wrote to standard error, and what the page has noted.
  public var log: [String] { page.log }

  /// The folders that the widget may write to.
  public var containers: Containers { page.containers }

  /// Whether the process of the widget is suspended.
  public var isSuspended: Bool { page.isSuspended }

  /// The optional methods that the widget implements.
  public var implements: Set<String> { record.announced }

  /// The picture of the body; nil while nothing is shown.
  public var body: CardBody? { center.drawing.body(of: id, at: clock.now) }

  var targets: [PressTarget] { body?.picture.targets ?? [] }

  private var elements: ShownElements { ShownElements(targets: targets) }

  private func start(width: Int, isVisible: Bool) {
    page.show(width: width, isVisible: isVisible)
    guard !hasStarted else { return }
    hasStarted = true
    center.start()
  }
}
