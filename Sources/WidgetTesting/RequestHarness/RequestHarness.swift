import ExtensionContent
import WidgetExtensions
public import WidgetKitCore
import WidgetPages
import WidgetPlatform
import WidgetRequests

/// A host with one share or action extension, whose time passes only as a test says.
///
/// It is the host of `today share` and `today act`: the same messages in the same order, the same deadlines and the
/// same rules. Each step waits, in real time, until the extension has done everything that follows from it, so that a
/// test never sleeps. What the extension stores is in temporary folders, and transfers are noted and not made. One
/// harness makes as many requests as a test needs, one after the other, each with a process of its own.
///
/// ```swift
/// let harness = try RequestHarness(Capitals())
/// try await harness.begin(.text("hello"))
/// #expect(harness.outcome == .completed)
/// #expect(harness.returned.map(\.text) == ["HELLO"])
/// await harness.finish()
/// ```
public final class RequestHarness {
  /// The clock of the host.
  public let clock: VirtualClock
  /// How the request has ended; nil while it goes on, and before the first one.
  public var outcome: Outcome? { end?.outcome }
  /// What the request has returned.
  public var returned: [Returned] { end?.returned ?? [] }
  /// The text of the sheet, as a person sees it.
  public var sheetText: String { shown?.text ?? "" }

  /// How the request has ended.
  private(set) var end: RequestEnd?
  /// What a person sees of the request; nil before the first one.
  private(set) var shown: ShownRequest?
  /// Whether a request was begun.
  private(set) var hasBegun = false
  let host: TestedHost
  let record = HarnessRecord()
  let options: HarnessOptions
  private let standIns = StandIns()
  /// What waits, in real time, until the extension has come to rest.
  private(set) lazy var steps = StepWait(clock, limit: options.patience) { [weak self] in
    self?.page
  }
  /// What sends messages that the host does not know of.
  private(set) lazy var probe = HarnessProbe(record, steps)

  /// Prepares the test of an extension in a process of its own, which is started as by the host of its user.
  ///
  /// - Parameters:
  ///   - path: The bundle, or the script.
  ///   - options: The time, the settings and the environment.
  /// - Throws: ``HarnessFailure`` if it is no share extension or action, or there is no room for the folders.
  public convenience init(
    path: String,
    _ options: HarnessOptions = HarnessOptions()
  ) throws(HarnessFailure) {
    let paths = SearchPaths(named: [path], environment: options.environment, executable: nil)
    let catalog = BundleCatalog.scan(paths)
    guard let target = catalog.contentExtensions.first else {
      let problem = catalog.problems.first?.description
      throw HarnessFailure(problem ?? "\(path): it is no share extension and no action")
    }
    try self.init(target, TypeTable.of(catalog.apps).table, options)
  }

  /// Prepares the test of a share extension in this process.
  ///
  /// - Parameters:
  ///   - make: Makes the extension; called for each request.
  ///   - attributes: What is in `NSExtensionAttributes` of its Info.plist, such as `TodaySettings`, as XML.
  ///   - options: The time, the settings and the environment.
  /// - Throws: ``HarnessFailure`` if there is no room for the folders, or the settings are wrong.
  public convenience init<Program: ShareExtension>(
    _ make: @autoclosure @escaping @MainActor () -> Program,
    attributes: String = "",
    _ options: HarnessOptions = HarnessOptions()
  ) throws(HarnessFailure) {
    try self.init("\(Program.self)", .share, attributes, options) { path, say in
      WidgetInProcess(bundlePath: path, share: make, say: say)
    }
  }

  /// Prepares the test of an action extension in this process; it has a view if its body is one.
  ///
  /// - Parameters:
  ///   - make: Makes the extension; called for each request.
  ///   - attributes: What is in `NSExtensionAttributes` of its Info.plist, such as its role, as XML.
  ///   - options: The time, the settings and the environment.
  /// - Throws: ``HarnessFailure`` if there is no room for the folders, or the settings are wrong.
  public convenience init<Program: ActionExtension>(
    _ make: @autoclosure @escaping @MainActor () -> Program,
    attributes: String = "",
    _ options: HarnessOptions = HarnessOptions()
  ) throws(HarnessFailure) {
    let point = Program.Body.self == EmptyView.self ? ExtensionPoint.filter : .action
    try self.init("\(Program.self)", point, attributes, options) { path, say in
      WidgetInProcess(bundlePath: path, action: make, say: say)
    }
  }

  private convenience init(
    _ name: String,
    _ point: ExtensionPoint,
    _ attributes: String,
    _ options: HarnessOptions,
    _ program:
      @escaping (_ path: String, _ say: @escaping @MainActor ([UInt8]) -> Void) -> WidgetInProcess
  ) throws(HarnessFailure) {
    let folders = try HarnessFolders(options.environment)
    let target = try StandInBundle.make(name, at: point, in: folders.path, attributes)
    let path = target.bundle.path
    let launcher = InProcessWidget.launcher { program(path, $0) }
    try self.init(target, .standard, options, folders) { _ in launcher }
  }

  /// Prepares the test of an extension that was found, whose process `wrap` stands between.
  ///
  /// - Parameters:
  ///   - target: The extension.
  ///   - table: The types that are known.
  ///   - options: The time, the settings and the environment.
  ///   - folders: Folders that tests may share; nil for new ones.
  ///   - wrap: Makes what starts the extension of what would start its program.
  /// - Throws: ``HarnessFailure`` if there is no room for the folders, or the settings are wrong.
  init(
    _ target: ContentExtension,
    _ table: TypeTable,
    _ options: HarnessOptions,
    _ folders: HarnessFolders? = nil,
    wrap: @escaping (@escaping WidgetLauncher) -> WidgetLauncher = { $0 }
  ) throws(HarnessFailure) {
    let folders = if let folders { folders } else { try HarnessFolders(options.environment) }
    self.options = options
    clock = VirtualClock(date: options.now)
    let configuration = folders.configuration(options, clock, standIns, record, wrap)
    host = TestedHost(target, table, folders, configuration, options)
    record.containers = { [weak self] in self?.containers }
    record.onProbe = { [weak host] in host?.trace($0, $1) }
    record.killReason = { [weak self] in self?.page?.failure }
    try configure(options.configuration)
  }

  // MARK: - What a person does

  /// Begins a request, and shows its sheet or its view, until the extension has come to rest; of a script, to its end.
  ///
  /// A request that goes on is ended before.
  ///
  /// - Parameters:
  ///   - content: The content, which the extension's rule need not accept.
  ///   - options: Settings that have other values for this request.
  /// - Throws: ``HarnessFailure`` if the extension does not become idle, or an option is none of its settings.
  public func begin(
    _ content: HarnessContent,
    options: [String: String] = [:]
  ) async throws(HarnessFailure) {
    await finish()
    hasBegun = true
    if let script = host.target.script {
      end = nil
      let (start, patience) = (ContinuousClock.now, steps.patience)
      end = RequestEnd(try await host.run(script, content, options: options, within: patience))
      if start.duration(to: .now) >= patience { steps.noteOverdue() }
      return
    }
    let request = try open(content, options: options)
    request.start()
    try await settle()
    // What is slow to show its view has as much time as at its user's.
    await steps.passRealTime(upTo: .seconds(6)) { request.stage != .starting }
    try await settle()
    guard shown?.hasAppeared == true, outcome == nil else { return }
    // What came before is done while the view appears.
    request.presentationAnimationDidFinish()
    try await settle()
  }

  /// Types a text in the sheet, in place of what is there.
  ///
  /// - Throws: ``HarnessFailure`` if there is no sheet, or the extension does not become idle.
  public func type(_ text: String) async throws(HarnessFailure) {
    let request = try presented()
    guard request.compose != nil else { throw HarnessFailure("the extension shows no sheet") }
    shown?.type(text)
    try await settle()
  }

  /// Types a text in a field of a view.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - field: The `id` of the field.
  ///   - submits: Whether Enter is pressed after it.
  /// - Throws: ``HarnessFailure`` if there is no such field, or the extension does not become idle.
  public func type(
    _ text: String,
    in field: String,
    submits: Bool = false
  ) async throws(HarnessFailure) {
    let request = try presented()
    let found = try elements.field(field)
    if request.implements.contains(FieldDidChangeNotification.method) {
      request.fieldDidChange(FieldDidChangeNotification(field: field, text: text))
    }
    if submits, let action = found.action {
      request.perform(PerformActionRequest(action: action, text: text))
    }
    try await settle()
  }

  /// Chooses a value of a configuration item of the sheet, or presses an item without choices.
  ///
  /// - Parameters:
  ///   - item: The `id` of the item.
  ///   - value: One of its choices; nil for an item without.
  /// - Throws: ``HarnessFailure`` if there is no such item or choice, or the extension does not become idle.
  public func choose(_ item: String, _ value: String? = nil) async throws(HarnessFailure) {
    _ = try presented()
    try shown?.choose(item, value)
    try await settle()
  }

  /// Presses an element of the view.
  ///
  /// - Parameter name: The `id` of the element, its action or its label, in this order.
  /// - Throws: ``HarnessFailure`` if there is none, or the extension does not become idle.
  public func press(_ name: String) async throws(HarnessFailure) {
    let request = try presented()
    let found = try elements.pressable(name, opensLinks: false)
    guard let action = found.action else { return }
    request.perform(PerformActionRequest(action: action, value: found.newValue))
    try await settle()
  }

  /// Goes back from a view that a configuration item has pushed.
  ///
  /// - Throws: ``HarnessFailure`` if there is none, or the extension does not become idle.
  public func goBack() async throws(HarnessFailure) {
    guard try presented().pushedView != nil else { throw HarnessFailure("no view was pushed") }
    request?.popConfiguration()
    try await settle()
  }

  /// Presses Post, or Done.
  ///
  /// - Throws: ``HarnessFailure`` if the content is not valid, or the extension does not become idle.
  public func post() async throws(HarnessFailure) {
    guard try presented().compose?.isContentValid != false else {
      throw HarnessFailure("it cannot be posted: the extension has not said that it is valid")
    }
    shown?.post(sheetText)
    try await settle()
  }

  /// Presses Cancel.
  ///
  /// - Throws: ``HarnessFailure`` if there is no request, or the extension does not become idle.
  public func cancel() async throws(HarnessFailure) {
    try going().cancel()
    try await settle()
  }

  /// Sets the settings of the extension, for the next request.
  ///
  /// - Parameter json: An object, as in `widgets` of config.json.
  /// - Throws: ``HarnessFailure`` if it is wrong, or names what is none of its settings.
  public func configure(_ json: String) throws(HarnessFailure) {
    try host.configure(json)
  }

  // MARK: - What happens to the extension

  /// Lets time pass: what is due happens at its time.
  ///
  /// - Throws: ``HarnessFailure`` if the extension does not become idle.
  public func advance(by duration: Duration) async throws(HarnessFailure) {
    try await steps.pass(duration) { self.record.messages.count }
    try await settle()
  }

  /// Kills all processes of the extension.
  ///
  /// - Throws: ``HarnessFailure`` if it does not end.
  public func kill() async throws(HarnessFailure) {
    let count = record.ends.count
    page?.kill()
    try await steps.wait(for: "the end of the process") { record.ends.count > count }
    try await settle()
  }

  /// Waits until everything is done that follows from what has happened.
  ///
  /// - Throws: ``HarnessFailure`` if the extension does not become idle in time.
  public func settle() async throws(HarnessFailure) { try await steps.settle() }

  /// Ends the request, if it goes on, and its process.
  public func finish() async {
    guard let request, let page else { return }
    request.quit()
    // Real deadlines apply to the end.
    await steps.passRealTime { page.isFinished }
    shown?.end()
  }

  // MARK: - What there is

  /// Whether the extension has a view or a sheet.
  public var hasView: Bool { host.target.hasView }

  /// Whether the content can be posted; true without a sheet.
  public var isContentValid: Bool { request?.compose?.isContentValid ?? true }

  /// The count of characters beside the text; nil if none is shown.
  public var charactersRemaining: Int? { request?.compose?.charactersRemaining }

  /// The view of the extension's own, or the one that was pushed over its sheet; nil for the sheet.
  public var view: ViewNode? { shown?.view }

  /// The text of what is shown, row by row: of the view, or of the sheet.
  public var rows: [String] { rows(width: ShownRequest.size.columns) }

  /// The text of what is shown.
  public var text: String { rows.joined(separator: "\n") }

  /// The text of what is shown at another width, row by row: of the view; or of the sheet the preview, the text or the
  /// placeholder, and the items with their values, or the completions.
  public func rows(width: Int) -> [String] {
    shown?.rows(width, at: clock.date) ?? []
  }

  /// The messages that the extension and the host have exchanged, in order.
  public var messages: [HarnessMessage] { record.messages }

  /// The log of the extension: what it wrote to standard error, and what the host has noted.
  public var log: [String] { host.log }

  /// The folders that the extension may write to.
  public var containers: Containers { host.containers }

  /// The URLs that were opened; none, as a request opens none.
  public var openedURLs: [String] { standIns.openedURLs }

  /// What the extension has told the user as notifications.
  public var alerts: [String] { standIns.alerts.map(\.string) }

  /// The names of the transfers that were begun.
  public var transfers: [String] { standIns.transfers }

  /// The optional methods that the extension implements.
  public var implements: Set<String> { request?.implements ?? [] }

  var request: ExtensionRequest? { shown?.request }

  var page: RehearsedRequest? { request.map { RehearsedRequest($0) } }

  var targets: [PressTarget] {
    shown?.picture(ShownRequest.size.columns, at: clock.date)?.targets ?? []
  }

  private var elements: ShownElements { ShownElements(targets: targets) }

  // MARK: - The request

  /// Prepares a request, of which nothing is started.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - options: Settings that have other values for this request.
  /// - Returns: The request.
  /// - Throws: ``HarnessFailure`` if there is no room for the content, or an option is none of its settings.
  func open(
    _ content: HarnessContent,
    options: [String: String]
  ) throws(HarnessFailure) -> ExtensionRequest {
    let request = try host.request(content, options: options)
    (shown, end) = (ShownRequest(request, hasView: hasView, self.options), nil)
    request.onEnd = { [weak self] in self?.end = RequestEnd($0) }
    return request
  }

  private func going() throws(HarnessFailure) -> ExtensionRequest {
    guard let request else { throw HarnessFailure("no request was begun") }
    guard outcome == nil else {
      throw HarnessFailure("the request has ended: \(outcome?.description ?? "")")
    }
    return request
  }

  private func presented() throws(HarnessFailure) -> ExtensionRequest {
    let request = try going()
    guard shown?.hasAppeared == true else { throw HarnessFailure("the extension shows nothing") }
    return request
  }
}
