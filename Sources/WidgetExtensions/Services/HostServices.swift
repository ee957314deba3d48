package import WidgetKitCore
package import WidgetPlatform

/// The process that a ``HostServices`` is for.
@MainActor package protocol HostServicesOwner: ServiceCaller {
  /// The page is to decide about a request.
  func perform(_ request: PageRequest, _ call: ServiceCall)
  /// Another process did something with data that the widget shares.
  func sharedDataDidChange(_ change: SharedDataChange)
}

/// What the host does for one process of a widget on request.
///
/// A new service has a case of ``ServiceRequest`` and its own object here, or a case of ``PageRequest`` if it needs
/// the page; the session does not know it.
@MainActor package final class HostServices {
  private weak var owner: (any HostServicesOwner)?
  private let secrets: SecretAccess
  private let bundle: WidgetBundle
  private let id: ExtensionIdentity
  private let watch: SharedDataWatch
  private lazy var sharedData = SharedDataAccess(
    owner: self,
    scope: SharedDataScope(
      bundleIdentifier: bundle.bundleIdentifier,
      groups: bundle.groups,
      data: watch.folders.containers(of: id).data
    ),
    watch: watch
  )

  package init(
    owner: any HostServicesOwner,
    bundle: WidgetBundle,
    id: ExtensionIdentity,
    secrets: SecretAccess,
    watch: SharedDataWatch
  ) {
    self.owner = owner
    self.bundle = bundle
    self.id = id
    self.secrets = secrets
    self.watch = watch
  }

  /// Performs a request, and answers it if it has an identifier, now or later.
  package func perform(_ request: ServiceRequest, _ id: MessageID?) {
    let call = ServiceCall(id, from: owner)
    switch request {
    case .secret(let request):
      secrets.perform { [secrets] in
        ServiceAnswer(request, secrets)
      } then: {
        call.answer($0)
      }
    case .shared(let request): sharedData.perform(request, id)
    case .page(let request): owner?.perform(request, call)
    }
  }

  /// The process wants to be told of changes of shared defaults.
  package func followDefaults() {
    sharedData.followDefaults()
  }

  /// Whether nothing is being read or written that the process shares.
  package var isAtRest: Bool { sharedData.isAtRest }

  /// Passes on what the process has of shared data.
  package func handOver() -> SharedDataHandover { sharedData.handOver() }

  /// The process was suspended; returns the file to which it has access, nil if there is none.
  package func suspend() -> String? { sharedData.suspend() }

  /// The process continues.
  package func resume() {
    sharedData.resume()
  }
}

extension HostServices: SharedDataAccessOwner {
  package func answer(_ answer: Result<SharedDataAnswer, WireError>, to id: MessageID) {
    let call = ServiceCall(id, from: owner)
    switch answer {
    case .success(let answer): call.answer(ServiceAnswer(answer))
    case .failure(let error): call.answer(refusal: error)
    }
  }

  package func sharedDataHasTrouble(_ error: WireError) {
    owner?.answer(ServiceAnswer(refusal: error), to: nil)
  }

  package func sharedDataDidChange(_ change: SharedDataChange) {
    owner?.sharedDataDidChange(change)
  }
}
