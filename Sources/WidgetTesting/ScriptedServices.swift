import WidgetHost
import WidgetKitCore

/// What a ``ScriptedHost`` does for its widget on request: it checks each request as the page does, and
/// keeps what the widget stores for the time of the test.
///
/// No transfer is made and no signal is sent; secrets are those of the folders.
struct ScriptedServices {
  let bundle: WidgetBundle
  /// The folders of the test.
  var folders = StateFolders(environment: [:])
  /// Whether the widget has something to show, according to its last `setHasContent`.
  private(set) var hasContent = true
  private var defaults: [String: [String: DefaultsValue]] = [:]
  /// How many accesses to files were begun.
  private var accesses = 0
  /// How many transfers were requested.
  private var transfers = 0

  init(bundle: WidgetBundle) {
    self.bundle = bundle
  }

  /// In files, so that a test changes nothing in the keyring of its author.
  private var secrets: SecretAccess { SecretAccess(bundle, SecretStorage(files: folders)) }

  /// Performs a request; a notification has no use for the answer.
  ///
  /// - Throws: ``WireError`` if the request is refused.
  mutating func answer(_ request: ServiceRequest) throws(WireError) -> ServiceAnswer {
    switch request {
    case .secret(let request): return ServiceAnswer(request, secrets)
    case .shared(let request):
      if let refusal = request.refusal(for: bundle) { throw refusal }
      return try answer(request)
    case .page(.setHasContent(let request)):
      let sender = HostServiceSender(
        bundleIdentifier: bundle.bundleIdentifier,
        hasContent: hasContent
      )
      if let refusal = sender.refusal(of: request) { throw refusal }
      hasContent = request.flag
      return ServiceAnswer(SetHasContentRequest.Reply())
    case .page(.transfer(let request)): return try answer(request)
    case .page(.command): throw .methodNotFound(RunCommandRequest.method)
    case .page(.alert):
      // Nobody is told anything by a test.
      guard bundle.entitlements.requests.contains(where: { $0.entitlement == .notifications })
      else {
        let entitlement = Entitlement.notifications.rawValue
        throw WireError(code: .notPermitted, message: "\(entitlement) is not requested")
      }
      return ServiceAnswer(AlertRequest.Reply())
    case .page(.signal(let request)):
      // Checked, and not sent: the process may be one that the user needs.
      if let fault = SentSignal(request: request).fault { throw fault }
      return ServiceAnswer(SendSignalRequest.Reply())
    }
  }

  /// Keeps shared defaults; nobody else coordinates access to files.
  private mutating func answer(_ request: SharedDataRequest) throws(WireError) -> ServiceAnswer {
    switch request {
    case .read(let request):
      var values = defaults[request.suite] ?? [:]
      if let keys = request.keys { values = values.filter { keys.contains($0.key) } }
      return ServiceAnswer(DefaultsReadRequest.Reply(values: values))
    case .write(let request):
      for (key, value) in request.values { defaults[request.suite, default: [:]][key] = value }
      return ServiceAnswer(DefaultsWriteRequest.Reply())
    case .coordinate(let request):
      do throws(CoordinatedFile.Refusal) {
        _ = try CoordinatedFile(request.path, groups: bundle.groups, folders: folders)
      } catch {
        throw WireError(error)
      }
      accesses += 1
      return ServiceAnswer(CoordinateBeginRequest.Reply(token: accesses))
    case .observe, .removeObserver, .post, .endCoordination: return ServiceAnswer(NoMembers())
    }
  }

  /// Checks a request about transfers, and makes none.
  private mutating func answer(_ request: TransferRequest) throws(WireError) -> ServiceAnswer {
    let (groups, secrets) = (bundle.groups, secrets.groups)
    switch request {
    case .download(let request): _ = try TransferOrder(request, groups: groups, secrets: secrets)
    case .upload(let request): _ = try TransferOrder(request, groups: groups, secrets: secrets)
    case .cancel: return ServiceAnswer(CancelTransferRequest.Reply())
    }
    transfers += 1
    return ServiceAnswer(TransferReply(task: "\(transfers)"))
  }
}
