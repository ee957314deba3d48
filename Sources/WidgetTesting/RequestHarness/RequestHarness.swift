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
  /// How a request has ended.
  public enum Outcome: Hashable, Sendable {
    /// The extension has completed it; what it returned is in ``RequestHarness/returned``.
    case completed
    /// The person has cancelled it.
    case cancelled
    /// The extension has cancelled it, or has failed, for this reason.
    case failed(String)
  }

  /// What an extension has returned.
  public struct Returned: Hashable, Sendable {
    /// Its type.
    public var type: String
    /// Its bytes; of those beyond 16 MiB, none.
    public var data: [UInt8]
    /// The name of a file for it; nil for none.
    public var suggestedName: String? = nil
    /// The bytes as text; what is not valid is replaced.
    public var text: String { String(decoding: data, as: UTF8.self) }
  }

  /// The clock of the host.
  public let clock: VirtualClock
  /// How the request has ended; nil while it goes on, and before the first one.
  public private(set) var outcome: Outcome?
  /// What the request has returned.
  public private(set) var returned: [Returned] = []
  /// The text of the sheet, as a person sees it.
  public private(set) var sheetText = ""

  /// Whether the reason of a failure is what a script has written to standard error.
  private(set) var hasSaidWhy = false

  let target: ContentExtension
  let record = HarnessRecord()
  let options: HarnessOptions
  private let folders: HarnessFolders
  private let standIns = StandIns()
  private let table: TypeTable
  private var configuration: CenterConfiguration
  private var host: RequestHost?
  private(set) var request: ExtensionRequest?
  private var hasAppeared = false
  /// How often the extension has set the text of the sheet.
  private var textRevision = 0
  lazy var steps = StepWait(
    clock,
    limit: options.patience,
    StepWait.Sight(
      noun: "the extension",
      isQuiet: { [weak self] in self?.page?.isQuiet ?? true },
      unanswered: { [weak self] in self?.page?.unanswered ?? [] }
    )
  )

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
    try self.init(target, .standard, options, folders) { _ in
      { _, _, report in
        let run = InProcessWidget(report: report)
        run.run { program(path, $0) }
        return run
      }
    }
  }

  /// Prepares the test of an extension that was found.
  convenience init(
    _ target: ContentExtension,
    _ table: TypeTable,
    _ options: HarnessOptions
  ) throws(HarnessFailure) {
    try self.init(target, table, options, HarnessFolders(options.environment), wrap: { $0 })
  }

  /// Prepares the test of an extension whose process `wrap` stands between, with folders that tests may share.
  init(
    _ target: ContentExtension,
    _ table: TypeTable,
    _ options: HarnessOptions,
    _ folders: HarnessFolders,
    wrap: @escaping (@escaping WidgetLauncher) -> WidgetLauncher
  ) throws(HarnessFailure) {
    (self.target, self.table, self.options, self.folders) = (target, table, options, folders)
    clock = VirtualClock(date: options.now)
    configuration = folders.configuration(options, clock, standIns)
    // No permission is asked for while a test runs.
    configuration.schedulesUpdates = false
    configuration.widgetFolders = [target.bundle.path]
    let (record, faults, patience) = (record, options.faults, options.patience)
    configuration.interpose = { usual in
      { bundle, id, report throws(HostError) in
        try ProbedWidget(record: record, faults: faults, patience: patience, report: report) {
          report throws(HostError) in
          try wrap(usual)(bundle, id, report)
        }
      }
    }
    record.containers = { [weak self] in self?.containers }
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
    await endRequest()
    hasBegun = true
    if let script = target.script {
      (outcome, returned) = (nil, [])
      let run = try ScriptRequest(target, script, content, table, options, scriptWorld)
      return take(await run.outcome(within: steps.patience))
    }
    let request = try open(content, options: options)
    request.start()
    try await settle()
    // What is slow to show its view has as much time as at its user's.
    await steps.passRealTime(upTo: .seconds(6)) { request.stage != .starting }
    try await settle()
    guard hasAppeared, outcome == nil else { return }
    // What came before is done while the view appears.
    request.presentationAnimationDidFinish()
    try await settle()
  }

  /// The size of its view.
  private static let size = Size(columns: 80, rows: 24)

  /// Types a text in the sheet, in place of what is there.
  ///
  /// - Throws: ``HarnessFailure`` if there is no sheet, or the extension does not become idle.
  public func type(_ text: String) async throws(HarnessFailure) {
    let request = try shown()
    guard request.compose != nil else { throw HarnessFailure("the extension shows no sheet") }
    show(text: text)
    try await settle()
  }

  /// Changes the text of the sheet, as a person does.
  func show(text: String) {
    sheetText = text
    request?.contentDidChange(text)
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
    let request = try shown()
    let fields = targets.compactMap { target -> (name: String, target: PressTarget)? in
      guard case .field(let field) = target.role else { return nil }
      return (field.id ?? field.key, target)
    }
    guard let found = fields.first(where: { $0.name == field }) else {
      let names = WidgetHarness.list(fields.map(\.name), "; there is ")
      throw HarnessFailure("there is no field “\(field)”\(names)")
    }
    if request.implements.contains(FieldDidChangeNotification.method) {
      request.fieldDidChange(FieldDidChangeNotification(field: field, text: text))
    }
    if submits, let action = found.target.action {
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
    let request = try shown()
    let items = request.compose?.configurationItems ?? []
    guard let found = items.first(where: { $0.id == item }) else {
      let names = WidgetHarness.list(items.map(\.id), "; there is ")
      throw HarnessFailure("there is no configuration item “\(item)”\(names)")
    }
    let choices = found.choices ?? []
    guard value == nil ? choices.isEmpty : choices.contains(value ?? "") else {
      let names = WidgetHarness.list(choices, "; there is ")
      throw HarnessFailure("“\(value ?? "")” is no choice of “\(item)”\(names)")
    }
    request.chooseConfigurationItem(item, value: value)
    try await settle()
  }

  /// Presses an element of the view.
  ///
  /// - Parameter name: The `id` of the element, its action or its label, in this order.
  /// - Throws: ``HarnessFailure`` if there is none, or the extension does not become idle.
  public func press(_ name: String) async throws(HarnessFailure) {
    let request = try shown()
    let found =
      targets.first { $0.elementID == name } ?? targets.first { $0.action == name }
      ?? targets.first { $0.label.string == name }
    guard let found, let action = found.action else {
      let names = targets.map { $0.elementID ?? $0.action ?? $0.label.string }
      throw HarnessFailure(
        "nothing “\(name)” can be pressed\(WidgetHarness.list(names, "; there is "))"
      )
    }
    request.perform(PerformActionRequest(action: action, value: found.newValue))
    try await settle()
  }

  /// Goes back from a view that a configuration item has pushed.
  ///
  /// - Throws: ``HarnessFailure`` if there is none, or the extension does not become idle.
  public func goBack() async throws(HarnessFailure) {
    guard try shown().pushedView != nil else { throw HarnessFailure("no view was pushed") }
    request?.popConfiguration()
    try await settle()
  }

  /// Presses Post, or Done.
  ///
  /// - Throws: ``HarnessFailure`` if the content is not valid, or the extension does not become idle.
  public func post() async throws(HarnessFailure) {
    guard try shown().compose?.isContentValid != false else {
      throw HarnessFailure("it cannot be posted: the extension has not said that it is valid")
    }
    post(text: sheetText)
    try await settle()
  }

  /// Posts a text, as a person does.
  func post(text: String) {
    sheetText = text
    request?.post(text)
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
  /// - Throws: ``HarnessFailure`` if it is wrong.
  public func configure(_ json: String) throws(HarnessFailure) {
    let text = "{\"widgets\":{\"\(target.identifier)\":\(json)}}"
    let read = UserConfiguration(bytes: Array(text.utf8), path: "configuration")
    if let problem = read.problems.first { throw HarnessFailure(problem.string) }
    configuration.widgetSettings = read.settings.widgets
    host = nil
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
  public func finish() async { await endRequest() }

  private func endRequest() async {
    guard let request, let page else { return }
    request.quit()
    // Real deadlines apply to the end.
    await steps.passRealTime { page.isFinished }
    self.request = nil
  }

  // MARK: - What there is

  /// Whether a request was begun.
  private(set) var hasBegun = false

  /// Why the extension would not be offered for a content; nil if it would.
  func refusal(of content: HarnessContent) -> String? {
    if case .refused(let words) = target.verdict(on: content.extensionItems(table), table) {
      words
    } else {
      nil
    }
  }

  /// Whether the extension has a view or a sheet.
  public var hasView: Bool { target.hasView }

  /// Whether the content can be posted; true without a sheet.
  public var isContentValid: Bool { request?.compose?.isContentValid ?? true }

  /// The count of characters beside the text; nil if none is shown.
  public var charactersRemaining: Int? { request?.compose?.charactersRemaining }

  /// The view of the extension's own, or the one that was pushed over its sheet; nil for the sheet.
  public var view: ViewNode? { request.flatMap { $0.pushedView?.node ?? $0.view.node } }

  /// The text of what is shown, row by row: of the view, or of the sheet.
  public var rows: [String] { rows(width: Self.size.columns) }

  /// The text of what is shown.
  public var text: String { rows.joined(separator: "\n") }

  /// The text of what is shown at another width, row by row.
  ///
  /// Of a sheet these are the preview, the text or the placeholder, and the items with their values, or the completions.
  public func rows(width: Int) -> [String] {
    guard let view else { return sheetRows(width) }
    return WidgetHarness.rows(picture(view, width))
  }

  /// The messages that the extension and the host have exchanged, in order.
  public var messages: [HarnessMessage] { record.messages }

  /// The log of the extension: what it wrote to standard error, and what the host has noted.
  public var log: [String] {
    (stateFolders.readLog(of: id) ?? "").split(separator: "\n").map(String.init)
  }

  /// The folders that the extension may write to.
  public var containers: Containers { stateFolders.containers(of: id, bundle) }

  /// The URLs that were opened; none, as a request opens none.
  public var openedURLs: [String] { standIns.openedURLs }

  /// What the extension has told the user as notifications.
  public var alerts: [String] { standIns.alerts.map(\.string) }

  /// The names of the transfers that were begun.
  public var transfers: [String] { standIns.transfers }

  /// The optional methods that the extension implements.
  public var implements: Set<String> { request?.implements ?? [] }

  var page: RehearsedRequest? { request.map { RehearsedRequest($0) } }

  var bundle: WidgetBundle { WidgetBundle(target.bundle) }

  var targets: [PressTarget] { view.map { picture($0, Self.size.columns).targets } ?? [] }

  private var id: ExtensionIdentity { ExtensionIdentity(target.identifier) }

  private var stateFolders: StateFolders { StateFolders(environment: configuration.environment) }

  private func picture(_ view: ViewNode, _ width: Int) -> LaidOutView {
    ViewLayout.layOut(view, width: width, height: nil, in: LayoutEnvironment(now: clock.date))
  }

  private func sheetRows(_ width: Int) -> [String] {
    guard let sheet = request?.compose else { return [] }
    var rows = sheet.preview.map { WidgetHarness.rows(picture($0, width)) } ?? []
    rows += [sheetText.isEmpty ? sheet.placeholder : sheetText]
    if let completions = sheet.completions {
      rows += completions.map { [$0.text, $0.detail].compactMap(\.self).joined(separator: "  ") }
    } else {
      rows += sheet.configurationItems.map { item in
        [item.title, item.value].compactMap(\.self).joined(separator: "  ")
      }
    }
    return rows
  }

  // MARK: - The request

  private func openHost() throws(HostError) -> RequestHost {
    if let host { return host }
    let host = try RequestHost(configuration)
    self.host = host
    return host
  }

  /// Prepares a request, of which nothing is started.
  func open(
    _ content: HarnessContent,
    options: [String: String]
  ) throws(HarnessFailure) -> ExtensionRequest {
    let content = try content.requestContent(table, in: folders.path)
    let request: ExtensionRequest
    do throws(HostError) {
      request = try openHost().request(target, content, size: Self.size, options: options)
    } catch {
      throw HarnessFailure(error.description)
    }
    (outcome, returned, sheetText, textRevision, hasAppeared) = (nil, [], "", 0, false)
    self.request = request
    request.onChange = { [weak self] in self?.update() }
    request.onEnd = { [weak self] in self?.end($0) }
    return request
  }

  private func going() throws(HarnessFailure) -> ExtensionRequest {
    guard let request else { throw HarnessFailure("no request was begun") }
    guard outcome == nil else {
      throw HarnessFailure("the request has ended: \(outcome?.description ?? "")")
    }
    return request
  }

  private func shown() throws(HarnessFailure) -> ExtensionRequest {
    let request = try going()
    guard hasAppeared else { throw HarnessFailure("the extension shows nothing") }
    return request
  }

  private func update() {
    guard let request else { return }
    if request.stage == .ready, target.hasView, !hasAppeared {
      hasAppeared = true
      request.viewDidAppear()
    }
    guard let sheet = request.compose, sheet.textRevision != textRevision else { return }
    (sheetText, textRevision) = (sheet.text, sheet.textRevision)
    request.contentDidChange(sheetText)
  }

  private func end(_ outcome: ExtensionRequest.Outcome) {
    switch outcome {
    case .completed(let items):
      self.outcome = .completed
      returned = items.flatMap { $0 }.map { attachment in
        Returned(
          type: attachment.type.identifier,
          data: attachment.content.beginning(Self.readLimit),
          suggestedName: attachment.suggestedName
        )
      }
    case .cancelled: self.outcome = .cancelled
    case .failed(let reason): self.outcome = .failed(reason.string)
    }
  }

  private func take(_ outcome: ScriptRequest.Outcome) {
    switch outcome {
    case .completed(let results):
      self.outcome = .completed
      returned = results.map {
        Returned(type: $0.type.identifier, data: $0.content.beginning(Self.readLimit))
      }
    case .failed(let reason, let isItsOwn):
      self.outcome = .failed(reason.string)
      hasSaidWhy = isItsOwn
    }
  }

  private static let readLimit = 16 << 20

  private var scriptWorld: ScriptRequest.World {
    ScriptRequest.World(
      environment: configuration.environment,
      limits: configuration.limits,
      folder: folders.path
    )
  }
}

extension RequestHarness.Outcome: CustomStringConvertible {
  /// The word for a report, and the reason.
  public var description: String {
    switch self {
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}
