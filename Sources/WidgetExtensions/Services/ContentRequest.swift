package import WidgetKitCore

/// What a share or action extension sends about its request.
package enum ContentRequest: Hashable, Sendable {
  case loadItem(LoadItemRequest)
  case loadPreview(LoadPreviewRequest)
  case complete(CompleteRequestRequest)
  case cancelLoad(CancelLoadNotification)
  case setCompose(SetComposeNotification)
  case validateContent(ValidateContentNotification)
  case popConfiguration
  case cancel(CancelRequestNotification)
  case reportProgress(ReportProgressNotification)

  /// Decodes a notification; nil if there is none of that name.
  ///
  /// - Throws: ``WireError`` with `invalidParams`.
  init?(
    notification method: String,
    _ line: IncomingLine,
    _ budget: ViewBudget
  ) throws(WireError) {
    switch method {
    case CancelLoadNotification.method:
      self = .cancelLoad(try line.decode(CancelLoadNotification.self))
    case SetComposeNotification.method:
      self = .setCompose(try line.decode(SetComposeNotification.self, budget: budget))
    case ValidateContentNotification.method:
      self = .validateContent(try line.decode(ValidateContentNotification.self))
    case PopConfigurationNotification.method: self = .popConfiguration
    case CancelRequestNotification.method:
      self = .cancel(try line.decode(CancelRequestNotification.self))
    case ReportProgressNotification.method:
      self = .reportProgress(try line.decode(ReportProgressNotification.self))
    default: return nil
    }
  }

  package var method: String {
    switch self {
    case .loadItem: LoadItemRequest.method
    case .loadPreview: LoadPreviewRequest.method
    case .complete: CompleteRequestRequest.method
    case .cancelLoad: CancelLoadNotification.method
    case .setCompose: SetComposeNotification.method
    case .validateContent: ValidateContentNotification.method
    case .popConfiguration: PopConfigurationNotification.method
    case .cancel: CancelRequestNotification.method
    case .reportProgress: ReportProgressNotification.method
    }
  }
}
