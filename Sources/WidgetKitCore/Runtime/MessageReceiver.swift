/// What takes the messages of a host, in order.
@MainActor
protocol MessageReceiver: AnyObject {
  /// The context of the program, with its connection.
  var context: WidgetContext { get }
  /// Whether the host has sent `shutdown`.
  var isShutDown: Bool { get }
  /// Handles a request, which is answered here or later.
  func handle(_ method: String, _ line: IncomingLine, id: MessageID) throws(WireError)
  /// Handles a notification.
  func handle(_ method: String, _ line: IncomingLine) throws(WireError)
}

extension MessageReceiver {
  /// Handles one line, without its line feed.
  func receive(_ bytes: [UInt8]) {
    let host = context.host
    let line: IncomingLine
    do throws(WireError) {
      line = try IncomingLine(bytes[...])
    } catch {
      return host.fail(error, id: nil)
    }
    CurrentContext.bind(context) {
      switch line.kind {
      case .request(let id, let method):
        do throws(WireError) {
          try handle(method, line, id: id)
        } catch {
          host.fail(error, id: id)
        }
      case .notification(let method):
        do throws(WireError) {
          try handle(method, line)
        } catch {
          context.log("\(method): \(error)", level: "error")
        }
      case .result(let id): host.take(line, for: id)
      case .error(let id): host.take(line, for: id)
      }
    }
  }
}
