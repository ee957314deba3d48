package import ExtensionContent
import FoundationEssentials
import WidgetExtensions
package import WidgetKitCore
package import WidgetPages
package import WidgetPlatform
package import WidgetSessions

/// What the requests of a program share: the sandbox, settings, secrets and logs of the extensions.
package final class RequestHost {
  private let configuration: CenterConfiguration
  private let clock: any HostClock
  private let folders: StateFolders
  private let sessions: SessionFactory
  private let stored: StoredSettings
  private let secretReader: SecretReader
  private let transfers: TransferDesk

  /// Creates it for a program that has this configuration.
  ///
  /// - Throws: ``HostError`` if the trace of the messages cannot be written.
  package init(_ configuration: CenterConfiguration) throws(HostError) {
    self.configuration = configuration
    clock = configuration.clock ?? SystemClock()
    folders = StateFolders(environment: configuration.environment)
    StateFolders.make(folders.logs)
    stored = StoredSettings(folders)
    secretReader = SecretReader(environment: configuration.environment, clock: clock)
    let secrets = SecretStorage(
      configuration.secrets,
      environment: configuration.environment,
      executable: configuration.executablePath
    )
    sessions = try SessionFactory(configuration, clock: clock, folders: folders, secrets: secrets)
    transfers = TransferDesk(
      configuration,
      folders: folders,
      sessions: sessions,
      secrets: secrets
    )
  }

  /// The trace of the messages; nil if none is written.
  package var trace: TraceWriter? { sessions.trace }

  /// The size of a view that nobody looks at.
  package static let usualSize = Size(columns: 80, rows: 24)

  /// A request to an extension, whose process is started by ``ExtensionRequest/start()``.
  ///
  /// - Parameters:
  ///   - target: A bundle.
  ///   - content: The content.
  ///   - size: The largest size of its view.
  ///   - options: Settings that have other values for this request, as they are written in a command.
  /// - Returns: The request.
  /// - Throws: ``HostError`` if no folder can be made for it, or an option is none of its settings.
  package func request(
    _ target: ContentExtension,
    _ content: RequestContent,
    size: Size = usualSize,
    options: [String: String] = [:]
  ) throws(HostError) -> ExtensionRequest {
    let id = ExtensionIdentity(target.identifier)
    let bundle = WidgetBundle(target.bundle)
    let containers = folders.containers(of: id, bundle)
    let settings = try RequestSettings(
      of: bundle,
      id,
      configuration,
      options,
      stored,
      secretReader
    )
    let folder = try RequestFolder(in: containers)
    // Only an editor changes a file, which whoever names it has permitted.
    let isEditor = !target.shares && target.role == .editor
    let inPlace = isEditor ? content.filesInPlace.map(\.target).filter(sessions.canShow) : []
    let session = sessions.session(
      for: target.bundle,
      id,
      temporary: folder.path,
      showing: inPlace
    )
    session.bytesGiven = content.byteCount(unknown: configuration.limits.requestBytes)
    session.beforeInitialize = { settings.prepare($0) }
    session.makeInitialize = { [sessions, configuration] _ in
      sessions.initializeRequest(
        target,
        id,
        configuration: settings.configuration,
        size: size,
        appearance: configuration.appearance,
        content.context
      )
    }
    return ExtensionRequest(
      target,
      content,
      session,
      RequestTerms(
        folder: folder,
        filesInPlace: Set(inPlace),
        temporary: TemporaryFolder.path(configuration.environment),
        size: size,
        limits: configuration.limits,
        clock: clock,
        transfers: transfers
      )
    )
  }
}

extension RequestHost {
  /// How long processes have to end before those are passed on that may work on.
  private static let pause = Duration.milliseconds(50)
  /// The longest time until all have ended; those that do not are killed before.
  private static let limit = Duration.seconds(2)

  /// Waits for the end of the processes of requests that are over, as the program ends: those with something left to
  /// do work on without it.
  package func finish(_ requests: [ExtensionRequest]) async {
    await wait(for: requests, within: Self.pause)
    var passedOn: [(request: ExtensionRequest, session: LeavingSession)] = []
    for request in requests where !request.isFinished && request.canContinue {
      if let session = request.leave() { passedOn.append((request, session)) }
    }
    if !passedOn.isEmpty {
      let server = LeavingServer(
        executable: configuration.executablePath,
        environment: configuration.environment
      )
      _ = server.handOver(passedOn.map(\.session))
      for (request, _) in passedOn { request.didLeave() }
    }
    for request in requests where !request.isFinished { request.quit() }
    await wait(for: requests, within: Self.limit)
  }

  private func wait(for requests: [ExtensionRequest], within limit: Duration) async {
    guard requests.contains(where: { !$0.isFinished }) else { return }
    await withCheckedContinuation { continuation in
      var waiting: CheckedContinuation<Void, Never>? = continuation
      let timer = clock.schedule(after: limit) {
        waiting?.resume()
        waiting = nil
      }
      for request in requests {
        request.onFinish = {
          guard requests.allSatisfy(\.isFinished) else { return }
          timer.cancel()
          waiting?.resume()
          waiting = nil
        }
      }
    }
  }
}

/// What a request has to keep to.
struct RequestTerms {
  /// Where the extension gets files, and returns them.
  var folder: RequestFolder
  /// The files of the user that the extension sees.
  var filesInPlace: Set<String>
  /// Where content is kept.
  var temporary: String
  /// The largest size of the view.
  var size: Size
  var limits: HostLimits
  var clock: any HostClock
  var transfers: TransferDesk

  /// Takes over what an extension returns, before it can change it any more.
  ///
  /// - Parameters:
  ///   - items: The items as they were sent.
  ///   - completion: Called with the attachments by items, or why they cannot be taken over.
  func take(
    _ items: [CompleteRequestRequest.Item],
    completion: @escaping @MainActor (Result<[[ReturnedAttachment]], HostError>) -> Void
  ) {
    let (folder, temporary, limit) = (folder, temporary, limits.requestBytes)
    Worker.content.async {
      let taken = Result { () throws(HostError) in
        try ReturnedAttachment.take(items, from: folder, in: temporary, byteLimit: limit)
      }
      MainQueue.perform { completion(taken) }
    }
  }
}
