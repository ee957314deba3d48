import WidgetExtensions
package import WidgetKitCore

/// The messages by which the view of one process comes on the screen and leaves it; one that the process does not
/// implement counts as answered.
package struct ViewAppearance {
  /// Where the view is.
  package enum State: Hashable {
    case off
    /// `viewWillAppear` is not answered.
    case appearing
    case on
    /// `viewWillDisappear` is not answered.
    case disappearing
  }

  private(set) var state = State.off
  /// Whether the view cannot appear yet, because `widgetMarginInsets` is not answered.
  private(set) var waitsForMargins = false

  /// Whether the view is on the screen or appearing.
  var isVisible: Bool { state == .on || state == .appearing }

  /// Whether presses can be sent: the view is neither on its way nor waiting for margins.
  var acceptsPresses: Bool { (state == .on || state == .off) && !waitsForMargins }

  /// Asks for the margins, before the first layout; false if the widget has no wish.
  mutating func requestMargins(_ process: inout ProcessChannel) -> Bool {
    waitsForMargins = process.ask(
      .widgetMarginInsets(WidgetMarginInsetsRequest(proposed: .proposed)),
      within: .widgetMarginInsets
    )
    return waitsForMargins
  }

  /// The margins are known, or are not waited for any longer; false if they were not waited for.
  mutating func marginsEnded(_ process: inout ProcessChannel) -> Bool {
    guard waitsForMargins else { return false }
    waitsForMargins = false
    process.disarm(.widgetMarginInsets)
    return true
  }

  /// Begins the appearance of a view that is off the screen.
  mutating func willAppear(_ view: SessionDemand.View, _ process: inout ProcessChannel) {
    state = .appearing
    process.resume()
    let request = ViewWillAppearRequest(size: view.size, animated: view.isAnimated)
    if !process.ask(.viewWillAppear(request), within: .viewWillAppear) { didAppear(&process) }
  }

  /// Ends the appearance, if the view is appearing.
  mutating func didAppear(_ process: inout ProcessChannel) {
    guard state == .appearing else { return }
    state = .on
    process.disarm(.viewWillAppear)
    process.tell(.viewDidAppear)
    process.report(.becameLive)
  }

  /// Begins the disappearance of a view that is on the screen or appearing.
  mutating func willDisappear(_ process: inout ProcessChannel) {
    if state == .appearing { process.disarm(.viewWillAppear) }
    state = .disappearing
    if !process.ask(.viewWillDisappear, within: .viewWillDisappear) { didDisappear(&process) }
  }

  /// Ends the disappearance, if the view is disappearing.
  mutating func didDisappear(_ process: inout ProcessChannel) {
    guard state == .disappearing else { return }
    state = .off
    process.disarm(.viewWillDisappear)
    process.tell(.viewDidDisappear)
    process.report(.disappeared)
  }

  /// `viewWillAppear` was not answered in time: the appearance ends without the answer.
  mutating func appearTimedOut(_ process: inout ProcessChannel) {
    guard state == .appearing else { return }
    process.log("slow: the view was not up after \(process.policy.viewWillAppear)")
    didAppear(&process)
  }

  /// `viewWillDisappear` was not answered in time: the disappearance ends without the answer.
  mutating func disappearTimedOut(_ process: inout ProcessChannel) {
    guard state == .disappearing else { return }
    process.log("slow: no answer to viewWillDisappear")
    didDisappear(&process)
  }
}

extension EdgeInsets {
  /// The margins that the host proposes: one column left and right.
  package static let proposed = EdgeInsets(left: 1, right: 1)
}
