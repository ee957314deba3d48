extension WidgetContext {
  /// Repeats `work` while the card is visible; call it in `viewDidAppear` or
  /// `viewWillAppear`.
  ///
  /// `work` first runs after one `interval`; then the body is evaluated. It ends
  /// when the view disappears.
  ///
  /// - Parameters:
  ///   - interval: The time from the end of one run to the start of the next.
  ///   - work: What to do.
  public func every(_ interval: Duration, _ work: @escaping @MainActor () async -> Void) {
    guard isVisible else {
      log("every(_:_:) was called while the view is not on the screen: ignored", level: "error")
      return
    }
    tickers.add(every: interval, sleep: sleep) { [weak self] in
      await work()
      // The view may have disappeared while the work was waiting.
      if !Task.isCancelled { self?.display() }
    }
  }
}
