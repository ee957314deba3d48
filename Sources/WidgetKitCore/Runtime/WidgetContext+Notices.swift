public import FoundationEssentials

extension WidgetContext {
  /// Posts a notice in the name of the widget's app, 10 a minute at most.
  ///
  /// ```swift
  /// try await extensionContext.postNotice(PostedNotice("Rain in 10 min", urgency: .low, tag: "rain"))
  /// ```
  ///
  /// - Parameter notice: The notice.
  /// - Returns: Its number.
  /// - Throws: ``WireError`` with `overLimit` past 10 a minute, or with `invalidParams`.
  @discardableResult
  public func postNotice(_ notice: PostedNotice) async throws -> String {
    try await host.request(PostNoticeRequest(notice)).id
  }

  /// The notices of the user; the widget needs `org.today.notices`.
  ///
  /// ``onNoticesChange(_:)`` tells of changes from then on.
  ///
  /// - Parameters:
  ///   - since: Only those that were posted then or later; nil for all.
  ///   - waiting: Whether only those that wait are read.
  ///   - applications: The applications, without regard to upper and lower case; empty for all.
  /// - Returns: Critical ones that wait, the others that wait, and earlier ones; each the newest first.
  /// - Throws: ``WireError`` with `notPermitted`, or if the notices cannot be read.
  public func notices(
    since: Date? = nil,
    waiting: Bool = false,
    applications: [String] = []
  ) async throws -> [UserNotice] {
    let request = ReadNoticesRequest(
      since: since,
      waiting: waiting ? true : nil,
      applications: applications.isEmpty ? nil : applications
    )
    return try await host.request(request).notices
  }

  /// Calls `change` when there are other notices than ``notices(since:waiting:applications:)`` has read, at most 10
  /// times a second.
  public func onNoticesChange(_ change: @escaping @MainActor () -> Void) {
    noticesObserver = change
  }

  /// Puts a notice among the earlier ones; the widget needs `org.today.notices`.
  ///
  /// - Parameter id: The number of the notice.
  /// - Throws: ``WireError`` with `notPermitted`, or with `notFound` if there is no such notice.
  public func dismissNotice(_ id: String) async throws {
    _ = try await host.request(DismissNoticeRequest(id: id))
  }

  /// Does what an action of a notice offers; the widget needs `org.today.notices`, and a press on its card within the
  /// last 10 s.
  ///
  /// - Parameters:
  ///   - name: The name of the action.
  ///   - id: The number of the notice.
  /// - Throws: ``WireError`` with `notPermitted`, or with `notFound` if there is no such notice or action.
  public func performNoticeAction(_ name: String, ofNotice id: String) async throws {
    _ = try await host.request(PerformNoticeActionRequest(id: id, name: name))
  }
}
