/// The end of a page and its suspension: all widgets at once, within a limited time.
///
/// This is a class because its timers call it.
final class PageLife {
  private let page: PageCards
  private let quitting: PageWait
  private let pausing: PageWait
  private let willEnd: () -> Void

  /// The time that all widgets together have to end by themselves.
  private static let quitLimit: Duration = .milliseconds(1_800)
  /// The longest time that all widgets together have before the host is suspended.
  private static let pauseLimit: Duration = .seconds(2)

  /// Creates the life of a page; `willEnd` is called when no widget is left, before the completion of
  /// ``shutdown(completion:)``.
  init(page: PageCards, clock: any HostClock, willEnd: @escaping () -> Void) {
    self.page = page
    self.willEnd = willEnd
    quitting = PageWait(clock: clock)
    pausing = PageWait(clock: clock)
  }

  /// Whether the page is closing.
  var isQuitting: Bool { quitting.isUnderWay }

  /// Ends all widgets in parallel; `completion` is called when none is left.
  func shutdown(completion: @escaping () -> Void) {
    guard !isQuitting else { return }
    page.keepRecord()
    page.setPreview(nil)
    quitting.begin(
      within: Self.quitLimit,
      onLimit: { [weak self] in self?.page.killUnfinished() },
      completion: completion
    )
    for controller in page.controllers { controller.quit() }
    cardDidFinish()
  }

  /// Makes every view disappear and suspends every widget, all in parallel; `completion` is called when
  /// no widget runs any more.
  func suspend(completion: @escaping () -> Void) {
    guard !pausing.isUnderWay, !isQuitting else { return }
    pausing.begin(
      within: Self.pauseLimit,
      onLimit: { [weak self] in
        for controller in self?.page.controllers ?? [] { controller.widget.handle(.freeze) }
        self?.pausing.end()
      },
      completion: completion
    )
    page.setPreview(nil)
    for controller in page.controllers { controller.pause() }
    pauseMayHaveEnded()
  }

  /// Resumes after ``suspend(completion:)``: the views on the screen appear again.
  func resume() {
    // If the host resumes before all widgets were suspended, there is nothing left to wait for.
    pausing.forget()
    for controller in page.controllers { controller.unpause() }
  }

  /// Called when a widget was suspended, or has ended for good.
  func cardDidFinish() {
    pauseMayHaveEnded()
    page.forgetFinished()
    guard isQuitting, page.areAllFinished else { return }
    willEnd()
    quitting.end()
  }

  private func pauseMayHaveEnded() {
    guard page.controllers.allSatisfy(\.widget.isAtRest) else { return }
    pausing.end()
  }
}
