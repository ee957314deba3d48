extension WidgetContext {
  /// Repeats `work` while the card is on the screen; call it in `viewDidAppear` or
  /// `viewWillAppear`.
  ///
  /// The first time is one `interval` from now. Afterwards the body is asked for again. It ends
  /// when the view disappears; a widget that is not seen costs nothing.
  ///
  /// - Parameters:
  ///   - interval: From the end of one time to the beginning of the next.
  ///   - work: What to do.
  public func every(_ interval: Duration, _ work: @escaping @MainActor () async -> Void) {
    guard isVisible else {
      log("every(_:_:) was called while the view is not on the screen: ignored", level: "error")
      return
    }
    let ticker = Task {
      while (try? await sleep(interval)) != nil, !Task.isCancelled {
        await work()
        // While the work waited, the view may have left.
        guard !Task.isCancelled else { return }
        display()
      }
    }
    tickers.append(ticker)
  }
}
