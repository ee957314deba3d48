package import WidgetKitCore

/// A request that a widget can make to its host: how it is decoded, and which widgets may make it.
///
/// The sessions of the page and the authors' test harness share this table, so that a widget gets the
/// same answers from both. A new request needs an entry here, a case of ``ServiceRequest`` (of
/// ``WidgetMessage`` only if the life of the process depends on it), and an implementation in both hosts.
package struct HostService: Sendable {
  /// The method's name on the wire.
  package let method: String
  private let decode: @Sendable (IncomingLine, MessageID) throws(WireError) -> WidgetMessage

  /// All requests by their methods.
  package static let all: [String: HostService] = Dictionary(
    uniqueKeysWithValues: [
      message(OpenURLRequest.self) { .openURL($0.url, id: $1) },
      message(BeginExpiringActivityRequest.self) { .beginExpiringActivity($0.reason, id: $1) },
      service(SetHasContentRequest.self) { .page(.setHasContent($0)) },
      service(SecretAddRequest.self) { .secret(.add($0)) },
      service(SecretFindRequest.self) { .secret(.find($0)) },
      service(SecretUpdateRequest.self) { .secret(.update($0)) },
      service(SecretDeleteRequest.self) { .secret(.delete($0)) },
      service(DefaultsReadRequest.self) { .shared(.read($0)) },
      service(DefaultsWriteRequest.self) { .shared(.write($0)) },
      service(CoordinateBeginRequest.self) { .shared(.coordinate($0)) },
      service(DownloadInBackgroundRequest.self) { .page(.transfer(.download($0))) },
      service(UploadInBackgroundRequest.self) { .page(.transfer(.upload($0))) },
      service(CancelTransferRequest.self) { .page(.transfer(.cancel($0))) },
      service(SendSignalRequest.self) { .page(.signal($0)) },
      service(AlertRequest.self) { .page(.alert($0)) },
      service(SetConfigurationRequest.self) { .page(.configuration($0)) },
      service(PostNoticeRequest.self) { .page(.notice(.post($0))) },
      service(ReadNoticesRequest.self) { .page(.notice(.read($0))) },
      service(DismissNoticeRequest.self) { .page(.notice(.dismiss($0))) },
      service(PerformNoticeActionRequest.self) { .page(.notice(.perform($0))) },
    ].map { ($0.method, $0) }
  )

  /// What share and action extensions request besides; it is refused to all others.
  package static let ofRequests: [String: HostService] = Dictionary(
    uniqueKeysWithValues: [
      message(LoadItemRequest.self) { .content(.loadItem($0), id: $1) },
      message(LoadPreviewRequest.self) { .content(.loadPreview($0), id: $1) },
      message(CompleteRequestRequest.self) { .content(.complete($0), id: $1) },
    ].map { ($0.method, $0) }
  )

  /// What the connections of scripts request besides, which is not part of the protocol; the page refuses it to
  /// all others.
  private static let ofScripts: [String: HostService] = [
    RunCommandRequest.method: service(RunCommandRequest.self) { .page(.command($0)) },
    RequestUpdateRequest.method: service(RequestUpdateRequest.self) { .page(.update($0)) },
    SearchScriptsRequest.method: service(SearchScriptsRequest.self) { .page(.search($0)) },
  ]

  /// A request that the session itself decides about.
  private static func message<Request: RequestMessage & Sendable>(
    _ type: Request.Type,
    _ message: @escaping @Sendable (Request, MessageID) -> WidgetMessage
  ) -> HostService {
    HostService(method: Request.method) { line, id throws(WireError) in
      message(try line.decode(Request.self), id)
    }
  }

  /// A request that the session passes on.
  private static func service<Request: RequestMessage & Sendable>(
    _ type: Request.Type,
    _ service: @escaping @Sendable (Request) -> ServiceRequest
  ) -> HostService {
    message(type) { .service(service($0), id: $1) }
  }

  /// Decodes a request.
  ///
  /// - Throws: ``WireError`` with `methodNotFound`, or with `invalidParams`.
  package static func message(
    of method: String,
    id: MessageID,
    _ line: IncomingLine
  ) throws(WireError) -> WidgetMessage {
    guard let service = all[method] ?? ofRequests[method] ?? ofScripts[method] else {
      throw .methodNotFound(method)
    }
    return try service.decode(line, id)
  }
}

// MARK: - Permissions

/// The widget that makes a request.
package struct HostServiceSender {
  /// Its identifier.
  package var bundleIdentifier: String
  /// Whether it currently has something to show.
  package var hasContent: Bool
  /// Whether another widget belongs to the same app.
  package var isOfSameApp: (_ bundleIdentifier: String) -> Bool

  /// Creates a sender.
  package init(
    bundleIdentifier: String,
    hasContent: Bool = true,
    isOfSameApp: @escaping (String) -> Bool = { _ in false }
  ) {
    self.bundleIdentifier = bundleIdentifier
    self.hasContent = hasContent
    self.isOfSameApp = isOfSameApp
  }
}

extension HostServiceSender {
  /// Returns why `setHasContent` is refused, or nil if it is allowed.
  ///
  /// A widget may hide itself, and hide or show the other widgets of its app. A hidden widget is not
  /// started, so that only its app can show it again.
  package func refusal(of request: SetHasContentRequest) -> WireError? {
    if request.bundleIdentifier == bundleIdentifier {
      guard request.flag, !hasContent else { return nil }
      return WireError(
        code: .invalidParams,
        message: "params.flag: expected false; only the app can set it to true"
      )
    }
    if isOfSameApp(request.bundleIdentifier) { return nil }
    return WireError(
      code: .invalidParams,
      message:
        "params.bundleIdentifier: expected \(bundleIdentifier) or another widget of its app, "
        + "found “\(request.bundleIdentifier)”"
    )
  }

  /// Returns why a reason for `beginExpiringActivity` is invalid, or nil if it is valid.
  package static func fault(ofActivityReason reason: String) -> WireError? {
    guard reason.isEmpty else { return nil }
    return WireError(
      code: .invalidParams,
      message: "params.reason: expected a short word for the developer, found an empty string"
    )
  }
}
