package import WidgetKitCore

/// A request that a widget can make to its host: how it is decoded, and which widgets may make it.
///
/// The sessions of the page and the authors' test harness share this table, so that a widget gets the
/// same answers from both. A new request needs an entry here, a case of ``WidgetMessage``, and an
/// implementation in both hosts.
package nonisolated struct HostService: Sendable {
  /// The method's name on the wire.
  package let method: String
  private let decode: @Sendable (IncomingLine, MessageID) throws(WireError) -> WidgetMessage

  /// All requests by their methods.
  package static let all: [String: HostService] = Dictionary(
    uniqueKeysWithValues: [
      service(OpenURLRequest.self) { .openURL($0.url, id: $1) },
      service(SetHasContentRequest.self) { .setHasContent($0, id: $1) },
      service(BeginExpiringActivityRequest.self) { .beginExpiringActivity($0.reason, id: $1) },
      service(SecretAddRequest.self) { .secret(.add($0), id: $1) },
      service(SecretFindRequest.self) { .secret(.find($0), id: $1) },
      service(SecretUpdateRequest.self) { .secret(.update($0), id: $1) },
      service(SecretDeleteRequest.self) { .secret(.delete($0), id: $1) },
      service(DefaultsReadRequest.self) { .shared(.read($0), id: $1) },
      service(DefaultsWriteRequest.self) { .shared(.write($0), id: $1) },
      service(CoordinateBeginRequest.self) { .shared(.coordinate($0), id: $1) },
      service(DownloadInBackgroundRequest.self) { .transfer(.download($0), id: $1) },
      service(UploadInBackgroundRequest.self) { .transfer(.upload($0), id: $1) },
      service(CancelTransferRequest.self) { .transfer(.cancel($0), id: $1) },
      service(SendSignalRequest.self) { .signal($0, id: $1) },
    ].map { ($0.method, $0) }
  )

  private static func service<Request: RequestMessage & Sendable>(
    _ type: Request.Type,
    _ message: @escaping @Sendable (Request, MessageID) -> WidgetMessage
  ) -> HostService {
    HostService(method: Request.method) { line, id throws(WireError) in
      message(try line.decode(Request.self), id)
    }
  }

  /// Decodes a request.
  ///
  /// - Throws: ``WireError`` with `methodNotFound`, or with `invalidParams`.
  package static func message(
    of method: String,
    id: MessageID,
    _ line: IncomingLine
  ) throws(WireError) -> WidgetMessage {
    guard let service = all[method] else { throw .methodNotFound(method) }
    return try service.decode(line, id)
  }
}

// MARK: - Permissions

/// The widget that makes a request.
package nonisolated struct HostServiceSender {
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

nonisolated extension HostServiceSender {
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
