import WidgetCards
import WidgetExtensions
import WidgetKitCore
import WidgetPlatform
import WidgetSessions

/// The end of a page and its suspension: all widgets at once, within a limited time.
///
/// This is a class because its timers call it.
final class PageLife {
  private let page: PageCards
  private let quitting: PageWait
  private let pausing: PageWait
  private let clock: any HostClock
  private let server: LeavingServer
  private let willEnd: () -> Void
  /// The timer after which widgets are left alone with their activities.
  private var handingOver: (any HostTimer)?

  /// The time that all widgets together have to end by themselves.
  private static let quitLimit: Duration = .milliseconds(1_800)
  /// The time in which most activities end, so that their widgets can be ended in the usual way.
  private static let handoverDelay: Duration = .milliseconds(50)
  /// The time between two attempts to leave widgets alone whose data is being written.
  private static let handoverPause: Duration = .milliseconds(10)
  /// The longest time that all widgets together have before the host is suspended.
  private static let pauseLimit: Duration = .seconds(2)

  /// Creates the life of a page; `server` serves widgets that continue, and `willEnd` is called when no widget is left, before the completion of
  /// ``shutdown(completion:)``.
  init(
    page: PageCards,
    clock: any HostClock,
    server: LeavingServer,
    willEnd: @escaping () -> Void
  ) {
    self.page = page
    self.server = server
    self.clock = clock
    self.willEnd = willEnd
    quitting = PageWait(clock: clock)
    pausing = PageWait(clock: clock)
  }

  /// Whether the page is closing.
  var isQuitting: Bool { quitting.isUnderWay }

  /// Ends all widgets in parallel; `completion` is called when none is left.
  func shutdown(completion: @escaping () -> Void) {
    guard !isQuitting else { return }
    page.record.keep()
    page.setPreview(nil)
    quitting.begin(
      within: Self.quitLimit,
      onLimit: { [weak self] in self?.killUnfinished() },
      completion: completion
    )
    for controller in page.controllers { controller.send(.quit) }
    cardDidFinish()
  }

  /// Makes every view disappear and suspends every widget, all in parallel; `completion` is called when
  /// no widget runs any more.
  func suspend(completion: @escaping () -> Void) {
    guard !pausing.isUnderWay, !isQuitting else { return }
    pausing.begin(
      within: Self.pauseLimit,
      onLimit: { [weak self] in
        for controller in self?.page.controllers ?? [] { controller.tell(.freeze) }
        self?.pausing.end()
      },
      completion: completion
    )
    page.setPreview(nil)
    for controller in page.controllers { controller.send(.pause) }
    pauseMayHaveEnded()
  }

  /// Resumes after ``suspend(completion:)``: the views on the screen appear again.
  func resume() {
    // If the host resumes before all widgets were suspended, there is nothing left to wait for.
    pausing.forget()
    for controller in page.controllers { controller.send(.unpause) }
  }

  /// Called when a widget was suspended, only has activities to finish, or has ended for good.
  func cardDidFinish() {
    pauseMayHaveEnded()
    page.forgetFinished()
    guard isQuitting else { return }
    guard page.living.allSatisfy(\.isFinished) else { return handOverLater() }
    handingOver?.cancel()
    willEnd()
    quitting.end()
  }

  /// Lets the last widgets continue without the host if they have activities that do not end soon.
  private func handOverLater() {
    guard handingOver == nil,
      page.living.allSatisfy({ $0.isFinished || $0.isLeaving })
    else { return }
    handingOver = clock.schedule(after: Self.handoverDelay) { [weak self] in self?.handOver() }
  }

  /// Lets widgets continue without the host that have expiring activities, once nothing of them is being
  /// read or written; `isLast`: in any case.
  private func handOver(isLast: Bool = false) {
    let sessions = page.living.filter(\.isLeaving).compactMap(\.session)
    guard isLast || sessions.allSatisfy(\.canLeave) else {
      handingOver = clock.schedule(after: Self.handoverPause) { [weak self] in self?.handOver() }
      return
    }
    var passedOn: [(WidgetSession, LeavingSession)] = []
    for session in sessions {
      if let widget = session.leave() {
        passedOn.append((session, widget))
      } else {
        session.handle(.deadline(.terminate))
      }
    }
    guard !passedOn.isEmpty else { return }
    if !server.handOver(passedOn.map(\.1)) {
      for (session, _) in passedOn { session.log.write("its activities end with the host") }
    }
    for (session, _) in passedOn { session.handle(.left) }
  }

  /// Kills the widgets that are still running, except those that may continue without the host.
  private func killUnfinished() {
    for controller in page.living
    where !controller.isFinished && !controller.isLeaving {
      controller.tell(.deadline(.terminate))
    }
    handingOver?.cancel()
    handOver(isLast: true)
  }

  private func pauseMayHaveEnded() {
    guard page.controllers.allSatisfy(\.state.widget.session.isAtRest) else { return }
    pausing.end()
  }
}
