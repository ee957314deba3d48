import Glibc
import WidgetExtensions
package import WidgetKitCore
package import WidgetPlatform

/// The other side of a widget on another machine: starts it there, and passes messages between it and standard input
/// and output.
@MainActor package final class WidgetServer {
  private let input = PipeReader(descriptor: 0)
  private let output: PipeWriter
  private var framer: LineFramer
  private var widget: ServedWidget?

  /// Starts a widget; standard input and output are its own from now on.
  ///
  /// - Throws: ``HostError`` if it cannot be started.
  package init(
    _ bundle: WidgetBundle,
    _ id: ExtensionIdentity,
    _ terms: ServingTerms,
    log: @escaping (SafeText) -> Void,
    completion: @escaping (TerminationStatus) -> Void
  ) throws(HostError) {
    framer = LineFramer(byteLimit: terms.limits.lineBytes)
    var queue = OutputQueue()
    queue.messageLimit = terms.limits.queuedMessages
    queue.byteLimit = terms.limits.queuedBytes
    let output = PipeWriter(descriptor: 1, queue: queue)
    self.output = output
    StandardPipes.unblock()
    widget = try ServedWidget(
      bundle,
      id,
      terms,
      pass: { line in
        if output.send(line + [UInt8(ascii: "\n")]) { return true }
        log("ended: the host does not read; \(SafeText(output.waiting))")
        return false
      },
      log: log,
      completion: { [input] status in
        input.stop()
        completion(status)
      }
    )
    input.start { [weak self] in self?.read() }
  }

  private func read() {
    if let bytes = input.read(atMost: 16 * 1024) {
      framer.append(bytes)
      while let line = try? framer.next() { widget?.send(line) }
    } else if !input.isOpen {
      widget?.close()
    }
  }
}

/// Standard input and output of a program that another machine has started.
enum StandardPipes {
  /// Lets them never block.
  static func unblock() {
    for descriptor: Int32 in [0, 1] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }
}
