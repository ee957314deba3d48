package import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// Begins and cancels the background transfers of extensions, within what each of them may do.
package struct TransferDesk {
  private let book: TransferBook
  private let starter: TransferStarter
  private let standIns: StandIns?
  private let confinement: WidgetConfinement
  private let secrets: SecretStorage

  /// The most transfers of an app that have not ended.
  private static let openLimit = 32

  init(
    _ configuration: CenterConfiguration,
    _ book: TransferBook,
    _ starter: TransferStarter,
    _ confinement: WidgetConfinement,
    _ secrets: SecretStorage
  ) {
    (self.book, self.starter) = (book, starter)
    (self.confinement, self.secrets) = (confinement, secrets)
    standIns = configuration.standIns
  }

  /// The transfers of extensions without a page.
  package init(
    _ configuration: CenterConfiguration,
    folders: StateFolders,
    sessions: SessionFactory,
    secrets: SecretStorage
  ) {
    let starter = TransferStarter(
      executable: configuration.executablePath,
      environment: configuration.environment
    )
    self.init(configuration, TransferBook(folders), starter, sessions.confinement, secrets)
  }

  /// Answers a request of an extension.
  ///
  /// - Parameters:
  ///   - request: What the extension asks for.
  ///   - bundle: The bundle of the extension.
  ///   - id: Its identity.
  ///   - call: The call to answer.
  ///   - claim: Called before a transfer is begun, with its session, unless that is refused by an error.
  ///   - onFailure: Called if a transfer could not be begun whose session was claimed.
  package func perform(
    _ request: TransferRequest,
    of bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    _ call: ServiceCall,
    claim: (TransferSessionName) throws(WireError) -> Void = { _ in },
    onFailure: @escaping (TransferSessionName) -> Void = { _ in }
  ) {
    do throws(WireError) {
      let groups = SecretAccess.groups(of: bundle)
      let order: TransferOrder
      switch request {
      case .download(let request):
        order = try TransferOrder(request, groups: bundle.groups, secrets: groups)
      case .upload(let request):
        order = try TransferOrder(request, groups: bundle.groups, secrets: groups)
      case .cancel(let request):
        try cancel(request.task, bundle)
        return call.answer(with: CancelTransferRequest.Reply())
      }
      let app = try app(of: bundle, id)
      let name = order.session(of: app)
      try claim(name)
      begin(order.record(of: bundle.bundleIdentifier, app), call) { onFailure(name) }
    } catch {
      call.answer(refusal: error)
    }
  }

  /// The app of an extension that may begin one more transfer.
  private func app(
    of bundle: WidgetBundle,
    _ id: ExtensionIdentity
  ) throws(WireError) -> AppBundle {
    guard let app = bundle.containingApp, mayUseNetwork(bundle, id) else {
      throw WireError(
        code: .notPermitted,
        message: "transfers need \(Entitlement.network.rawValue), which is not granted"
      )
    }
    let open = book.records().filter { $0.app == app.bundleIdentifier && $0.result == nil }
    guard open.count < Self.openLimit else {
      throw WireError(
        code: .tooManyRequests,
        message: "\(open.count) transfers of the app are open, the limit is \(Self.openLimit)"
      )
    }
    return app
  }

  private func mayUseNetwork(_ bundle: WidgetBundle, _ id: ExtensionIdentity) -> Bool {
    confinement.permissions(of: bundle, id).contains {
      $0.request.entitlement == .network && $0.state == .granted
    }
  }

  private func begin(
    _ record: TransferRecord,
    _ call: ServiceCall,
    _ onFailure: @escaping () -> Void
  ) {
    guard let credential = record.credential else { return start(record, call, onFailure) }
    // A missing secret is an error now, and not of the transfer.
    secrets.perform { [secrets] in
      credential.fault(secrets)
    } then: { fault in
      if let fault { return call.answer(refusal: fault) }
      start(record, call, onFailure)
    }
  }

  private func start(_ record: TransferRecord, _ call: ServiceCall, _ onFailure: () -> Void) {
    do throws(HostError) {
      try book.write(record)
      if let standIns {
        standIns.beginTransfer(record.task)
      } else {
        try starter.start(record.task)
      }
      call.answer(with: TransferReply(task: record.task))
    } catch {
      book.remove([record.task])
      onFailure()
      call.answer(refusal: WireError(code: .internalError, message: error.description))
    }
  }

  private func cancel(_ task: String, _ bundle: WidgetBundle) throws(WireError) {
    guard let record = book.read(task), record.widget == bundle.bundleIdentifier else {
      throw WireError(
        code: .invalidParams,
        message: "params.task: expected a transfer of the widget, found “\(SafeText(task))”"
      )
    }
    do throws(HostError) {
      try book.cancel(task)
      if !book.isKept(task) { try starter.start(task) }
    } catch {
      throw WireError(code: .internalError, message: error.description)
    }
  }
}
