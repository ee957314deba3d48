extension WidgetContext {
  /// Reads or writes a file of an app group while no other program writes it, or uses it at all.
  ///
  /// ```swift
  /// let path = extensionContext.containers.groups["group.com.example.Coffee", default: ""] + "/cups"
  /// try await extensionContext.coordinate(.write, path) { try append("one more", to: path) }
  /// ```
  ///
  /// Every program that uses the file must do so, such as an app with `today coordinate`. A widget that is
  /// suspended meanwhile is ended: hold the access for a moment only, and while the view disappears within
  /// an expiring activity.
  ///
  /// - Parameters:
  ///   - intent: What `body` does with the file.
  ///   - path: The absolute path of the file, which need not exist.
  ///   - body: What is done with it.
  /// - Returns: What `body` returns.
  /// - Throws: ``WireError`` if the file is not in a group of the widget, or if others use it for longer
  ///   than the host waits; and what `body` throws.
  public func coordinate<Result>(
    _ intent: CoordinationIntent,
    _ path: String,
    _ body: @MainActor () async throws -> Result
  ) async throws -> Result {
    let access = try await host.request(CoordinateBeginRequest(path: path, intent: intent))
    defer { host.notify(CoordinateEndNotification(token: access.token)) }
    return try await body()
  }
}
