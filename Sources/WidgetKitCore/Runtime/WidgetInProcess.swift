/// An extension that runs in the process of its host, for tests in Swift.
///
/// It is given lines and says lines, as a process of its own would.
@MainActor
package final class WidgetInProcess {
  private let take: ([UInt8]) -> Bool

  /// Creates a widget, which is made by its first message.
  ///
  /// - Parameters:
  ///   - bundlePath: The folder of its bundle.
  ///   - make: Makes the widget.
  ///   - say: Called with each line that it says, with its line feed.
  package convenience init<Program: Widget>(
    bundlePath: String,
    make: @escaping @MainActor () -> Program,
    say: @escaping @MainActor ([UInt8]) -> Void
  ) {
    let context = WidgetContext(host: HostConnection(write: say), bundlePath: bundlePath)
    self.init(WidgetRunner<Program>(context: context, make: make))
  }

  /// Creates what takes the messages of a host.
  init(_ runner: some MessageReceiver) {
    take = { line in
      runner.receive(line)
      return !runner.isShutDown
    }
  }

  /// Gives it a line, without its line feed.
  ///
  /// - Returns: Whether it goes on; false after `shutdown`.
  package func receive(_ line: [UInt8]) -> Bool { take(line) }
}
