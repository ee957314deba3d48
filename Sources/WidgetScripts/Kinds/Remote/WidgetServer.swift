import Glibc
public import WidgetExtensions
public import WidgetKitCore
public import WidgetPlatform

/// The other side of a widget on another machine: starts it there, with the sandbox, the permissions and the limits of
/// that machine, and passes messages between it and standard input and output.
@MainActor public final class WidgetServer {
  private let folders: StateFolders
  private let bundle: WidgetBundle
  private let id: ExtensionIdentity
  private let limits: HostLimits
  private let denied: [String]
  private let input = PipeReader(descriptor: 0)
  private let output: PipeWriter
  private var framer: LineFramer
  private var process: (any WidgetConnection)?
  private var deadline: (any HostTimer)?
  private let log: (SafeText) -> Void
  private var completion: ((TerminationStatus) -> Void)?

  /// The time for a widget to end after its host.
  private static let patience = Duration.seconds(3)
  /// Requests that the machine of the page would answer with its own files and processes.
  private static let refused: Set<String> = [
    SendSignalRequest.method, CoordinateBeginRequest.method, DownloadInBackgroundRequest.method,
    UploadInBackgroundRequest.method, CancelTransferRequest.method, ReadNoticesRequest.method,
    DismissNoticeRequest.method, PerformNoticeActionRequest.method,
  ]

  /// Starts a widget; standard input and output are its own from now on.
  ///
  /// - Throws: ``HostError`` if it cannot be started.
  public init(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    paths: SearchPaths,
    environment: [String: String],
    sandbox: Sandbox,
    limits: HostLimits,
    log: @escaping (SafeText) -> Void,
    completion: @escaping (TerminationStatus) -> Void
  ) throws(HostError) {
    (self.bundle, self.id, self.limits) = (bundle, id, limits)
    folders = StateFolders(environment: environment)
    framer = LineFramer(byteLimit: limits.lineBytes)
    var queue = OutputQueue()
    queue.messageLimit = limits.queuedMessages
    queue.byteLimit = limits.queuedBytes
    output = PipeWriter(descriptor: 1, queue: queue)
    for descriptor: Int32 in [0, 1] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    let confinement = WidgetConfinement(
      sandbox,
      paths: paths,
      environment: environment,
      processLimit: limits.resources.processes,
      asks: false
    )
    denied = confinement.denied(bundle, id)
    self.log = log
    self.completion = completion
    process = try WidgetKinds.kind(of: bundle).start(
      bundle,
      id,
      userEnvironment: environment,
      limits: limits,
      confine: { launch throws(HostError) in try confinement.confine(launch, bundle, id) },
      report: { [weak self] in self?.take($0) }
    )
    input.start { [weak self] in self?.read() }
  }

  private func read() {
    if let bytes = input.read(atMost: 16 * 1024) {
      framer.append(bytes)
      while let line = try? framer.next() {
        process?.send(SentMessage(line: received(line) + [UInt8(ascii: "\n")]))
      }
    } else if !input.isOpen {
      // The host is gone, or wants the end.
      process?.closeInput()
      deadline = EventLoop.main.schedule(after: Self.patience) { [weak self] in
        self?.process?.signal(.kill)
      }
    }
  }

  /// A message of the host as the widget gets it: the first one names the folders of this machine.
  private func received(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard let message = try? IncomingLine(line),
      case .request(let id, InitializeRequest.method) = message.kind, case .number(let number) = id,
      var request = try? message.decode(InitializeRequest.self)
    else { return Array(line) }
    request.containers = folders.containers(of: self.id, bundle)
    request.denied = denied.isEmpty ? nil : denied
    return OutgoingLine.request(request, id: number).dropLast()
  }

  private func take(_ report: WidgetReport) {
    switch report {
    case .line(let line): pass(line)
    case .message(let message): pass(message.line.dropLast())
    case .log(let lines): for line in lines { log(line) }
    case .violation(let words), .away(let words):
      log("ended: \(SafeText(words))")
      process?.signal(.kill)
    case .outOfMemory:
      log("ended: it used more memory than \(limits.resources.memory.hardBytes >> 20) MiB")
    case .ended(let status):
      deadline?.cancel()
      process = nil
      input.stop()
      completion?(status)
      completion = nil
    }
  }

  /// Passes a message of the widget on, unless it asks for something of this machine.
  private func pass(_ line: ArraySlice<UInt8>) {
    if let message = try? IncomingLine(line), case .request(let id, let method) = message.kind,
      Self.refused.contains(method)
    {
      let words = "\(method) is not available to widgets on another machine"
      let error = WireError(code: .notPermitted, message: words)
      process?.send(SentMessage(.error(error, id: id)))
      return
    }
    if !output.send(line + [UInt8(ascii: "\n")]) {
      log("ended: the host does not read; \(SafeText(output.waiting))")
      process?.signal(.kill)
    }
  }
}
