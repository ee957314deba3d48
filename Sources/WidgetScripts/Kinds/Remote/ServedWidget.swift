package import WidgetExtensions
import WidgetKitCore
package import WidgetPlatform

/// What widgets have on this machine that run here for a page on another one.
package struct ServingTerms {
  package var paths: SearchPaths
  package var environment: [String: String]
  package var sandbox: Sandbox
  package var limits: HostLimits
  /// The version of this program.
  package var version: String

  package init(
    paths: SearchPaths,
    environment: [String: String],
    sandbox: Sandbox,
    limits: HostLimits,
    version: String
  ) {
    (self.paths, self.environment) = (paths, environment)
    (self.sandbox, self.limits, self.version) = (sandbox, limits, version)
  }
}

/// A widget that runs on this machine for a page on another one: with the sandbox, the permissions and the limits of this
/// machine.
@MainActor final class ServedWidget {
  /// The settings of this machine; nil if the page has them.
  enum Settings {
    case ofPage
    case own(WidgetConfiguration?)
  }

  private let folders: StateFolders
  private let bundle: WidgetBundle
  private let id: ExtensionIdentity
  private let limits: HostLimits
  private let denied: [String]
  private let settings: Settings
  /// Passes a line to the page; false if the page does not read.
  private let pass: (ArraySlice<UInt8>) -> Bool
  private let log: (SafeText) -> Void
  private var completion: ((TerminationStatus) -> Void)?
  private var process: (any WidgetConnection)?
  private var deadline: (any HostTimer)?

  /// The time for a widget to end after its host.
  private static let patience = Duration.seconds(3)
  /// Requests that the machine of the page would answer with its own files and processes.
  private static let refused: Set<String> = [
    SendSignalRequest.method, CoordinateBeginRequest.method, DownloadInBackgroundRequest.method,
    UploadInBackgroundRequest.method, CancelTransferRequest.method, ReadNoticesRequest.method,
    DismissNoticeRequest.method, PerformNoticeActionRequest.method, RunCommandRequest.method,
    RequestUpdateRequest.method, SearchScriptsRequest.method, AlertRequest.method,
  ]

  /// Starts a widget.
  ///
  /// - Parameters:
  ///   - bundle: The widget.
  ///   - id: Its identity on this machine.
  ///   - terms: What it has here.
  ///   - settings: Whose settings it gets.
  ///   - pass: Passes a line to the page; false if the page does not read.
  ///   - log: Takes what it writes to standard error, and why it was ended.
  ///   - completion: Called once, when it has ended.
  /// - Throws: ``HostError`` if it cannot be started.
  init(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    _ terms: ServingTerms,
    settings: Settings = .ofPage,
    pass: @escaping (ArraySlice<UInt8>) -> Bool,
    log: @escaping (SafeText) -> Void,
    completion: @escaping (TerminationStatus) -> Void
  ) throws(HostError) {
    (self.bundle, self.id, self.settings) = (bundle, id, settings)
    (self.pass, self.log, self.completion) = (pass, log, completion)
    limits = terms.limits
    folders = StateFolders(environment: terms.environment)
    let confinement = WidgetConfinement(
      terms.sandbox,
      paths: terms.paths,
      environment: terms.environment,
      processLimit: limits.resources.processes,
      asks: false
    )
    denied = confinement.denied(bundle, id)
    process = try WidgetKinds.kind(of: bundle).start(
      bundle,
      id,
      userEnvironment: terms.environment,
      limits: limits,
      confine: { launch throws(HostError) in try confinement.confine(launch, bundle, id) },
      report: { [weak self] in self?.take($0) }
    )
  }

  // MARK: - From the page

  /// Passes a line of the page to the widget.
  func send(_ line: ArraySlice<UInt8>) {
    process?.send(SentMessage(line: received(line) + [UInt8(ascii: "\n")]))
  }

  /// The page is gone, or wants the end.
  func close() {
    process?.closeInput()
    deadline?.cancel()
    deadline = EventLoop.main.schedule(after: Self.patience) { [weak self] in
      self?.process?.signal(.kill)
    }
  }

  func signal(_ signal: ProcessSignal) { process?.signal(signal) }

  /// Stops it; one that holds a lock of others meanwhile is ended.
  func suspend() {
    guard let path = process?.suspend() else { return }
    log("ended: it held an exclusive lock while being suspended: \(SafeText(path))")
    process?.signal(.kill)
  }

  /// Reads nothing that it writes, or reads again.
  func holdBack(_ isHeld: Bool) { process?.holdBack(isHeld) }

  /// A message of the page as the widget gets it: the first one names the folders and the identity of this machine.
  private func received(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard let message = try? IncomingLine(line),
      case .request(let id, InitializeRequest.method) = message.kind, case .number(let number) = id,
      var request = try? message.decode(InitializeRequest.self)
    else { return Array(line) }
    request.containers = folders.containers(of: self.id, bundle)
    request.denied = denied.isEmpty ? nil : denied
    if case .own(let configuration) = settings {
      request.bundleIdentifier = self.id.bundleIdentifier
      request.instance = self.id.instance?.rawValue
      request.configuration = configuration
    }
    return OutgoingLine.request(request, id: number).dropLast()
  }

  // MARK: - From the widget

  private func take(_ report: WidgetReport) {
    switch report {
    case .line(let line): answer(line)
    case .message(let message): answer(message.line.dropLast())
    case .log(let lines): for line in lines { log(line) }
    case .violation(let words), .away(let words):
      log("ended: \(SafeText(words))")
      process?.signal(.kill)
    case .outOfMemory:
      log("ended: it used more memory than \(limits.resources.memory.hardBytes >> 20) MiB")
    case .ended(let status):
      deadline?.cancel()
      process = nil
      completion?(status)
      completion = nil
    }
  }

  /// Passes a message of the widget on, unless it asks for something of this machine.
  private func answer(_ line: ArraySlice<UInt8>) {
    if let message = try? IncomingLine(line), case .request(let id, let method) = message.kind,
      Self.refused.contains(method)
    {
      let words = "\(method) is not available to widgets on another machine"
      let error = WireError(code: .notPermitted, message: words)
      process?.send(SentMessage(.error(error, id: id)))
      return
    }
    if !pass(line) { process?.signal(.kill) }
  }
}
