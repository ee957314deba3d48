extension WidgetInProcess {
  /// Creates a share extension, which is made by its first message.
  ///
  /// - Parameters:
  ///   - bundlePath: The folder of its bundle.
  ///   - make: Makes the extension.
  ///   - say: Called with each line that it says, with its line feed.
  package convenience init<Program: ShareExtension>(
    bundlePath: String,
    share make: @escaping @MainActor () -> Program,
    say: @escaping @MainActor ([UInt8]) -> Void
  ) {
    let context = WidgetContext(host: HostConnection(write: say), bundlePath: bundlePath)
    self.init(RequestRunner(context) { RequestHandlers(make()) })
  }

  /// Creates an action extension, which is made by its first message.
  ///
  /// - Parameters:
  ///   - bundlePath: The folder of its bundle.
  ///   - make: Makes the extension.
  ///   - say: Called with each line that it says, with its line feed.
  package convenience init<Program: ActionExtension>(
    bundlePath: String,
    action make: @escaping @MainActor () -> Program,
    say: @escaping @MainActor ([UInt8]) -> Void
  ) {
    let context = WidgetContext(host: HostConnection(write: say), bundlePath: bundlePath)
    self.init(RequestRunner(context) { RequestHandlers(make()) })
  }
}
