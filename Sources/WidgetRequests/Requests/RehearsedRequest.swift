import WidgetExtensions
package import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// What a test sees of a request and does with it, beside what a person does.
package struct RehearsedRequest {
  private let request: ExtensionRequest

  /// The request that a test has begun.
  package init(_ request: ExtensionRequest) { self.request = request }

  private var connection: SessionConnection? { request.session.connection }

  /// Whether the extension waits for something to happen, and the host waits for nothing of it.
  package var isQuiet: Bool {
    request.stage != .completing && connection?.isIdle ?? true
  }

  /// The requests of the host that the extension has not answered, by method.
  package var unanswered: [String] { connection?.reader.unanswered ?? [] }

  /// Whether nothing of the process is left.
  package var isFinished: Bool { request.isFinished }

  /// Why the host ends the process; nil if it does not, or for no failure.
  package var failure: String? { request.session.failure }

  /// Kills all processes of the extension.
  package func kill() { connection?.signal(.kill) }

  /// Closes the standard input of the extension, as when the program of its host has ended.
  package func closeInput() { connection?.closeInput() }

  /// Tells the extension the time of the test.
  package func tellTime() { connection?.tellTime() }

  /// Tells the extension that a name was posted.
  package func post(_ name: String) { request.session.handle(.sharedData(.posted(name))) }

  /// Refuses expiring activities from now on, or grants them again.
  package func denyActivities(_ isDenied: Bool) {
    request.session.handle(.denyActivities(isDenied))
  }

  /// Tells the extension that transfers have ended.
  package func deliver(_ events: HandleEventsForBackgroundURLSessionRequest) {
    request.session.handle(.transferEvents(events))
  }
}
