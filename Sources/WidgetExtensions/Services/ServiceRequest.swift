package import WidgetKitCore

/// A request or notification of a widget that its session only passes on: ``HostServices`` performs it, or
/// gives it to the page.
package enum ServiceRequest: Hashable, Sendable {
  case secret(SecretRequest)
  case shared(SharedDataRequest)
  case page(PageRequest)
}

/// A request of a widget that the page decides about.
package enum PageRequest: Hashable, Sendable {
  case setHasContent(SetHasContentRequest)
  case transfer(TransferRequest)
  case signal(SendSignalRequest)
  /// Only scripts have commands.
  case command(RunCommandRequest)
  /// Only scripts that go on printing fail between two updates.
  case update(RequestUpdateRequest)
  /// Only scripts have cards that come while they run.
  case search(SearchScriptsRequest)
  /// Only scripts have numbers that are worth it.
  case alert(AlertRequest)
  case notice(NoticeRequest)
  case configuration(SetConfigurationRequest)
}

/// A request about notices.
package enum NoticeRequest: Hashable, Sendable {
  case post(PostNoticeRequest)
  case read(ReadNoticesRequest)
  case dismiss(DismissNoticeRequest)
  case perform(PerformNoticeActionRequest)
}
