public import FoundationEssentials
public import WidgetCards
import WidgetExtensions
public import WidgetKitCore
public import WidgetPages
import WidgetPlatform
import WidgetSessions

/// A page with one widget, whose time passes only as a test says.
///
/// It is the page that the dashboard shows: the same messages in the same order, the same deadlines and the
/// same answers to requests. Each step waits, in real time, until the widget has done everything that
/// follows from it, so that a test never sleeps. A step takes a hundredth of a second of the test's time.
/// What the widget stores is in temporary folders, URLs are noted and not opened, and transfers are noted and
/// not made. The file is long because every step that a test can take is here, with its documentation.
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
  let center: WidgetCenter
  let record = HarnessRecord()
  let standIns = StandIns()
  let page: RehearsedPage
  private let folders: HarnessFolders
  let options: HarnessOptions
  /// How long the widget may take for a step, in real time.
  var patience: Duration { steps.patience }
  lazy var steps = StepWait(
    clock,
    limit: options.patience,
    StepWait.Sight(
      noun: "the widget",
      isQuiet: { [page] in page.isQuiet },
      unanswered: { [page] in page.unanswered },
      onTurn: { [page] in page.drainStorage() }
    )
  )
  private var hasStarted = false
  private var isFinished = false
  /// How many requests were made that the page does not know of.
  var probes = 0

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
  ///   - options: The time, the settings and the environment.
  /// - Throws: ``HarnessFailure`` if there is no room for the folders, or the settings are wrong.
  public convenience init<Program: Widget>(
    _ widget: @autoclosure @escaping @MainActor () -> Program,
    attributes: String = "",
    _ options: HarnessOptions = HarnessOptions()
  ) throws(HarnessFailure) {
    let folders = try HarnessFolders(options.environment)
    let bundle = try StandInBundle.make("\(Program.self)", in: folders.path, attributes)
    let path = bundle.path
    try self.init(bundle, options, folders) { _ in
      { _, _, report in
        let run = InProcessWidget(report: report)
        run.run { WidgetInProcess(bundlePath: path, make: widget, say: $0) }
        return run
      }
    }
  }

  /// Shows a widget that `launcher` plays, whose bundle is made for it.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the widget.
  ///   - name: Its heading.
  ///   - options: The time, the locale and the environment.
  ///   - launcher: Makes what plays the widget.
  /// - Throws: ``HarnessFailure`` if there is no room for the folders.
  convenience init(
    playing identifier: String,
    name: String,
    _ options: HarnessOptions,
    launcher: @escaping WidgetLauncher
  ) throws(HarnessFailure) {
    let folders = try HarnessFolders(options.environment)
    let bundle = try StandInBundle.make(name, identifier: identifier, in: folders.path, "")
    try self.init(bundle, options, folders) { _ in launcher }
  }

  /// Shows a bundle whose process `wrap` stands between, with folders that it may share with a test before.
  init(
    _ bundle: WidgetBundle,
    _ options: HarnessOptions,
    _ folders: HarnessFolders,
    wrap: @escaping (@escaping WidgetLauncher) -> WidgetLauncher
  ) throws(HarnessFailure) {
    self.bundle = bundle
    self.options = options
    self.folders = folders
    clock = VirtualClock(date: options.now)
    id = CardID(bundle.bundleIdentifier)
    var configuration = folders.configuration(options, clock, standIns)
    configuration.widgetFolders = [bundle.path]
    configuration.animates = options.animates
    let (record, faults, patience) = (record, options.faults, options.patience)
    configuration.interpose = { usual in
      { bundle, id, report throws(HostError) in
        try ProbedWidget(record: record, faults: faults, patience: patience, report: report) {
          report throws(HostError) in
          try wrap(usual)(bundle, id, report)
        }
      }
    }
    do throws(HostError) {
      center = try WidgetCenter(configuration)
    } catch {
      throw HarnessFailure(error.description)
    }
    page = RehearsedPage(center, id)
    record.containers = { [weak self] in self?.containers }
    center.urls.terminalHandover = { _ in }
    center.onUpdate = { [weak self] _, result, error in self?.updates.append((result, error)) }
    center.load()
    try configure(options.configuration)
    if let problem = center.problems.first { throw HarnessFailure(problem.string) }
    guard center.allCards.contains(where: { $0.id == id }) else {
      throw HarnessFailure("\(bundle.path): the widget cannot be shown")
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
    // One column of margin on each side.
    center.setPage(innerWidth: max(3, min(max(width, 1), 10_000) + 2))
    center.setHost(.active)
    center.setVisible([id])
    if !hasStarted {
      hasStarted = true
      center.start()
    }
    if settles { try await settle() }
  }

  /// Scrolls the card off the page; its view disappears five seconds later.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func disappear() async throws(HarnessFailure) {
    center.setVisible([])
    try await advance(by: .milliseconds(5_010))
  }

  /// Asks for new data.
  ///
  /// - Parameter reason: Who asks for it.
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func update(_ reason: UpdateReason = .user) async throws(HarnessFailure) {
    start()
    page.update(reason)
    try await settle()
  }

  /// Presses an element.
  ///
  /// - Parameter name: The `id` of the element, its action, its link or its label, in this order.
  /// - Throws: ``HarnessFailure`` if there is none, or the widget does not become idle.
  public func press(_ name: String) async throws(HarnessFailure) {
    let target = try target(name)
    if case .field = target.role {
      center.input.enter(target, on: id)
    } else {
      center.press(target, on: id)
    }
    try await settle()
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
    center.input.clear(try self.field(field), on: id)
    center.input.type(.insert(text), in: try self.field(field), on: id)
    // What is typed is told at most every 50 ms.
    try await advance(by: .milliseconds(100))
    guard submits else { return }
    center.input.enter(try self.field(field), on: id)
    try await settle()
  }

  /// Removes, moves or adds a row of a list, as its user does.
  ///
  /// - Parameters:
  ///   - change: What is done.
  ///   - row: The `id` of a row of the list.
  /// - Throws: ``HarnessFailure`` if there is no such row, or the widget does not become idle.
  public func change(_ change: RowChange, row: String) async throws(HarnessFailure) {
    let found = targets.first {
      if case .row(let target) = $0.role { target.row == row } else { false }
    }
    guard let target = found else {
      throw HarnessFailure("there is no row “\(row)”\(Self.list(rowNames, "; there is "))")
    }
    switch change {
    case .remove: center.input.removeRow(target, on: id)
    case .move(let distance): center.input.moveRow(target, by: distance, on: id)
    case .add: center.input.addRow(besides: target, on: id)
    }
    try await settle()
  }

  /// What a user does with the row of a list.
  public enum RowChange: Hashable, Sendable {
    /// It is removed.
    case remove
    /// It is moved by a number of rows, down if it is positive.
    case move(Int)
    /// A row is added to its list.
    case add
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
    try await settle()
  }

  /// Switches between the compact and the expanded form.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not offer the form, or does not come to rest.
  public func expand(_ isExpanded: Bool) async throws(HarnessFailure) {
    guard let card, card.offersExpanded || card.displayMode == .expanded else {
      throw HarnessFailure("the widget does not offer another form than the compact one")
    }
    if (card.displayMode == .expanded) != isExpanded { center.toggleDisplayMode(id) }
    try await settle()
  }

  /// Locks or unlocks the page.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func lock(_ isLocked: Bool) async throws(HarnessFailure) {
    center.setLocked(isLocked)
    try await settle()
  }

  /// Gives the page a dark or a light theme.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func setDark(_ isDark: Bool) async throws(HarnessFailure) {
    page.setDark(isDark)
    try await settle()
  }

  /// Hides the whole page, as while another program has the screen, and shows it again.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func hidePage(_ isHidden: Bool) async throws(HarnessFailure) {
    center.setHost(isHidden ? .background : .active)
    try await settle()
  }

  /// Sets the settings of the widget.
  ///
  /// - Parameter json: An object, as in `widgets` of config.json.
  /// - Throws: ``HarnessFailure`` if a value is wrong.
  public func configure(_ json: String) throws(HarnessFailure) {
    let text = "{\"widgets\":{\"\(id.bundleIdentifier)\":\(json)}}"
    if let problem = page.configure(text).first { throw HarnessFailure(problem) }
  }

  // MARK: - What happens to the widget

  /// Lets time pass: what is due happens at its time, and the widget receives the time.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func advance(by duration: Duration) async throws(HarnessFailure) {
    try await steps.pass(duration) { self.record.messages.count }
    page.tellTime()
    try await settle()
  }

  /// Posts a notification of an app group.
  ///
  /// - Throws: ``HarnessFailure`` if it cannot be posted, or the widget does not become idle.
  public func post(_ name: String) async throws(HarnessFailure) {
    guard let group = SharedNotices.group(of: name, among: bundle.groups) else {
      let groups = bundle.groups.sorted().joined(separator: ", ")
      throw HarnessFailure("“\(name)” does not begin with a group of the widget (\(groups))")
    }
    do throws(HostError) {
      let folders = StateFolders(environment: folders.environment)
      try SharedNotices(folders).post(name, inGroup: group)
    } catch {
      throw HarnessFailure(error.description)
    }
    // Other programs' notifications come through the file system.
    try await advance(by: .seconds(1))
  }

  /// Tells the widget that transfers of a session have ended.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func deliver(
    _ events: HandleEventsForBackgroundURLSessionRequest
  ) async throws(HarnessFailure) {
    page.deliver(events)
    try await settle()
  }

  /// Tells the widget that it is near its limit of memory, if it implements that.
  ///
  /// - Throws: ``HarnessFailure`` if the widget does not become idle.
  public func warnOfMemory() async throws(HarnessFailure) {
    page.warnOfMemory()
    try await settle()
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
    try await wait(for: "the end of the process") { self.record.ends.count > count }
    try await settle()
  }

  /// Ends the widget, as when the page is closed.
  ///
  /// The temporary folders are removed with the harness.
  public func finish() async {
    guard !isFinished else { return }
    isFinished = true
    var hasEnded = false
    center.shutdown { hasEnded = true }
    // Real deadlines apply to the end.
    await passRealTime { hasEnded }
  }

  /// Removes the temporary folders of all tests, before the program is ended in the middle of one.
  ///
  /// The processes end with the program.
  public static func removeFolders() {
    HarnessFolders.removeAll()
  }

  // MARK: - What there is

  /// The card; nil while it is hidden.
  public var card: Card? { center.cards.first { $0.id == id } }

  /// What the card shows; nil if it shows nothing.
  public var view: ViewNode? { card?.view }

  /// The rows of the body.
  public var height: Int { body?.size.rows ?? 0 }

  /// The text of the body, row by row, without trailing blanks.
  public var rows: [String] { body.map { Self.rows(($0.to ?? $0.from)) } ?? [] }

  /// The text of the body.
  public var text: String { rows.joined(separator: "\n") }

  /// The text of the present view at another width, row by row.
  public func rows(width: Int) -> [String] {
    guard let view else { return [] }
    let environment = LayoutEnvironment(now: clock.date)
    return Self.rows(ViewLayout.layOut(view, width: width, height: nil, in: environment))
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
  public var implements: Set<String> { page.implements }

  /// The present time of the page.
  public var date: Date { clock.date }

  /// Gives the card the width that it has on a page; returns whether it had another one.
  @discardableResult
  public func setPage(_ widths: CardWidths) -> Bool { center.setPage(widths) }

  /// The picture of the body; nil while nothing is shown.
  public var body: CardBody? { center.drawing.body(of: id, at: clock.now) }

  var targets: [PressTarget] { body.map { ($0.to ?? $0.from).targets } ?? [] }

  private func start() {
    guard !hasStarted else { return }
    hasStarted = true
    center.setPage(innerWidth: 42)
    center.setVisible([])
    center.start()
  }

  private func target(_ name: String) throws(HarnessFailure) -> PressTarget {
    let targets = targets
    let found =
      targets.first { $0.elementID == name } ?? targets.first { $0.action == name }
      ?? targets.first { $0.link == name } ?? targets.first { $0.label.string == name }
    guard let found else {
      let names = targets.map { $0.elementID ?? $0.action ?? $0.link ?? $0.label.string }
      throw HarnessFailure("nothing “\(name)” can be pressed\(Self.list(names, "; there is "))")
    }
    return found
  }

  private func field(_ name: String) throws(HarnessFailure) -> PressTarget {
    let fields = targets.compactMap { target in
      if case .field(let field) = target.role {
        (name: field.id ?? field.key, target: target)
      } else {
        nil
      }
    }
    guard let found = fields.first(where: { $0.name == name }) else {
      let names = fields.map(\.name)
      throw HarnessFailure("there is no field “\(name)”\(Self.list(names, "; there is "))")
    }
    return found.target
  }

  private var rowNames: [String] {
    targets.compactMap { if case .row(let row) = $0.role { row.row } else { nil } }
  }
}
