import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The times that a request gives its extension: until its view is ready, to say something, and to clean up.
///
/// A class because its timers call it.
final class RequestTimes {
  private let clock: any HostClock
  private let session: ExtensionSession<RequestState>
  private var appearance: (any HostTimer)?
  private var silence: (any HostTimer)?
  private var remainder: (any HostTimer)?

  /// How long its view may take to be ready.
  private static let appearanceTime = Duration.seconds(1)
  /// How long an extension may be silent that nobody looks at.
  private static let patience = Duration.seconds(30)
  /// How long it may work on when the request is complete, and after it was told that this is over.
  private static let afterCompletion = Duration.seconds(10)
  private static let lastMoments = Duration.seconds(1)

  init(_ clock: any HostClock, _ session: ExtensionSession<RequestState>) {
    (self.clock, self.session) = (clock, session)
  }

  /// Waits for the view; `then` is called when it is not waited for any longer.
  func waitForView(_ then: @escaping () -> Void) {
    appearance = clock.schedule(after: Self.appearanceTime, then)
  }

  /// The view is ready, or is not needed.
  func stopWaitingForView() { appearance?.cancel() }

  /// Lets the time begin anew in which the extension has to say something; `then` is called with a reason if it does
  /// not.
  func limitSilence(_ then: @escaping (SafeText) -> Void) {
    endSilence()
    silence = clock.schedule(after: Self.patience) {
      then(SafeText("it was silent for \(Self.patience.components.seconds) s"))
    }
  }

  /// The extension may be silent.
  func endSilence() { silence?.cancel() }

  // MARK: - After the request

  /// Gives an extension a moment to clean up that wants to know of the cancellation; the others are ended.
  func cleanUpAfterCancellation() {
    guard session.state.implements.contains(DidSelectCancelRequest.method) else {
      return session.quit()
    }
    giveLastMoments()
  }

  /// Gives an extension time for what is left that wants to know of it; the others are ended.
  func workOnAfterCompletion() {
    guard session.state.implements.contains(RequestDidCompleteNotification.method) else {
      return session.quit()
    }
    session.handle(.tell(.content(.requestDidComplete(expired: false))))
    remainder = clock.schedule(after: Self.afterCompletion) { [weak self] in
      self?.session.handle(.tell(.content(.requestDidComplete(expired: true))))
      self?.giveLastMoments()
    }
  }

  private func giveLastMoments() {
    remainder = clock.schedule(after: Self.lastMoments) { [weak self] in self?.endRemainder() }
  }

  /// Nothing is left: the process is ended.
  func endRemainder() {
    remainder?.cancel()
    session.quit()
  }

  /// The process has ended.
  func stop() { remainder?.cancel() }
}
