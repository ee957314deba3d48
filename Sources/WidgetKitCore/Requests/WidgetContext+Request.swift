// What a share or action extension has of its context, beside what all extensions have.
extension WidgetContext {
  /// The content of the request; empty for a widget.
  public var inputItems: [RequestItem] { request?.items ?? [] }

  /// Whether what an action returns takes the place of the content; a viewer returns nothing.
  public var isEditor: Bool { request?.isEditor ?? false }

  /// The text of the compose sheet, as the user has it.
  public var contentText: String { request?.text ?? "" }

  /// Completes the request: the host takes over what is returned, closes the view, and the user goes on.
  ///
  /// - Parameter items: What takes the place of the content; a viewer and a share extension return none, except what
  ///   sharing has made, such as an address.
  /// - Throws: ``WireError`` if the host refuses what is returned.
  public func completeRequest(returning items: [ReturnedItem] = []) async throws {
    _ = try await host.request(CompleteRequestRequest(returningItems: items.map(\.message)))
  }

  /// Cancels the request: the content stays as it was.
  ///
  /// - Parameters:
  ///   - reason: Why, for the user.
  ///   - itemErrors: Why, by the identifiers of attachments.
  public func cancelRequest(_ reason: String, itemErrors: [String: String] = [:]) {
    let errors = itemErrors.isEmpty ? nil : itemErrors
    host.notify(CancelRequestNotification(error: reason, itemErrors: errors))
  }

  /// Shows how far the work is; a request without a view that does not for 30 s is cancelled.
  ///
  /// - Parameters:
  ///   - completed: What is done, in any unit.
  ///   - total: All that is to do; nil if it is not known.
  public func reportProgress(_ completed: Double, of total: Double? = nil) {
    host.notify(ReportProgressNotification(completed: completed, total: total))
  }

  /// Sets at any time whether the content can be posted, as when a picture is ready.
  ///
  /// - Parameters:
  ///   - isValid: Whether it can be posted.
  ///   - remaining: The count of characters that is shown, negative if there are too many; nil for none.
  public func validateContent(_ isValid: Bool, charactersRemaining remaining: Int? = nil) {
    host.notify(
      ValidateContentNotification(isContentValid: isValid, charactersRemaining: remaining)
    )
  }

  /// Removes the view that was pushed over the compose sheet.
  public func popConfiguration() {
    host.notify(PopConfigurationNotification())
  }
}
