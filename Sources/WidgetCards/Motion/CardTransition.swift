package import WidgetKitCore
import WidgetPlatform

/// A transition of a card from one height to another.
package nonisolated struct CardTransition {
  /// The number that the widget receives.
  let id: Int
  /// What was on the screen when the transition began.
  let from: LaidOutView
  /// The numbers of rows at the start and at the end.
  let fromRows: Int
  let toRows: Int
  /// When the animation started; nil while it waits for the widget's view.
  var start: ContinuousClock.Instant?
  /// When the next step is due: the end of the wait, then the end of the transition.
  var deadline: ContinuousClock.Instant?

  /// The duration of a transition.
  package static let duration: Duration = .milliseconds(250)
  /// How long a transition waits for the answer to `viewWillTransitionToSize`.
  static let patience: Duration = .milliseconds(100)
  /// The same wait without an animation; it is longer so that a printed picture contains the answer.
  static let unanimatedPatience: Duration = .seconds(1)
  /// The curve of the animation.
  package static let curve = AnimationCurve.easeInOut

  /// Returns the progress after the curve is applied, 0 to 1.
  func progress(at now: ContinuousClock.Instant) -> Double {
    guard let start else { return 0 }
    return Self.curve.value(at: start.duration(to: now).seconds / Self.duration.seconds)
  }

  /// Returns the rows of the body at a moment.
  func rows(at now: ContinuousClock.Instant) -> Int {
    let distance = Double(toRows - fromRows)
    return fromRows + Int((distance * progress(at: now)).rounded())
  }
}
