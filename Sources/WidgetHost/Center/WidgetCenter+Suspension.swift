/// How the whole page stands still and goes on: on Ctrl-Z, and while a program has the screen.
extension WidgetCenter {
  /// The most time that all widgets together get before the host is suspended.
  private static let pauseLimit: Duration = .seconds(2)

  /// Lets every view disappear and suspends every widget, all in parallel, within 2 s.
  ///
  /// - Parameter completion: Called once, when no widget runs any more; suspend the program there,
  ///   and call ``resume()`` when it goes on.
  public func suspend(completion: @escaping () -> Void) {
    guard pauseCompletion == nil, quitCompletion == nil else { return }
    pauseCompletion = completion
    for controller in controllers { controller.pause() }
    pauseTimer = clock.schedule(after: Self.pauseLimit) { [weak self] in
      for controller in self?.controllers ?? [] { controller.session?.handle(.freeze) }
      self?.endPause()
    }
    pauseMayHaveEnded()
  }

  /// Goes on after ``suspend(completion:)``: what is on the screen appears again.
  public func resume() {
    // Where it goes on before everything stood still, there is nothing left to wait for.
    pauseTimer?.cancel()
    pauseTimer = nil
    pauseCompletion = nil
    for controller in controllers { controller.unpause() }
  }

  func pauseMayHaveEnded() {
    guard pauseCompletion != nil,
      controllers.allSatisfy({ $0.session?.state.isAtRest ?? true })
    else { return }
    endPause()
  }

  private func endPause() {
    pauseTimer?.cancel()
    pauseTimer = nil
    let completion = pauseCompletion
    pauseCompletion = nil
    completion?()
  }
}
