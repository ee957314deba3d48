import WidgetKitCore

/// A card on its way from one height to another.
struct CardTransition {
  /// The number that the widget hears.
  let id: Int
  /// What was on the screen when it began.
  let from: LaidOutView
  /// Rows at its start and at its end.
  let fromRows: Int
  let toRows: Int
  /// When it set off; nil while it waits for what the widget animates alongside.
  var start: ContinuousClock.Instant?
  /// What calls the next step: the wait's end, then the transition's.
  var timer: (any HostTimer)?

  /// How long a resize takes.
  static let duration: Duration = .milliseconds(250)
  /// How long it waits for the answer to `viewWillTransitionToSize`.
  static let patience: Duration = .milliseconds(100)
  /// The same where nothing moves, so that a picture for paper has what the answer brings.
  static let unanimatedPatience: Duration = .seconds(1)
  /// How it goes.
  static let curve = AnimationCurve.easeInOut

  /// How far it is, curve applied: 0 to 1.
  func progress(at now: ContinuousClock.Instant) -> Double {
    guard let start else { return 0 }
    return Self.curve.value(at: start.duration(to: now).seconds / Self.duration.seconds)
  }

  /// The body's rows at a moment.
  func rows(at now: ContinuousClock.Instant) -> Int {
    let distance = Double(toRows - fromRows)
    return fromRows + Int((distance * progress(at: now)).rounded())
  }
}
