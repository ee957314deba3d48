/// Runs changes of a widget alongside the host's animation of its card.
///
/// ```swift
/// coordinator.animate(
///   alongsideTransition: { _ in self.showsAll = true },
///   completion: { _ in self.buttonTitle = "Less" }
/// )
/// ```
@MainActor
public final class TransitionCoordinator {
  /// A change to run alongside or afterwards.
  public typealias Change = @MainActor (Context) -> Void

  /// The properties of a transition.
  public struct Context: Sendable {
    /// The size of the body at the end.
    public let size: Size
    /// How long the animation takes.
    public let duration: Duration
    /// The curve of the animation.
    public let curve: AnimationCurve
    /// Whether another transition replaced this one; false until it has ended.
    public let isCancelled: Bool
  }

  private let request: ViewWillTransitionToSizeRequest
  private var animations: [Change] = []
  private var completions: [Change] = []

  init(_ request: ViewWillTransitionToSizeRequest) {
    self.request = request
  }

  /// Runs `animation` as the host's animation begins, and `completion` when it has ended.
  ///
  /// The body after `animation` is the content at the end of the transition; the host animates to it
  /// in step with the card, and matches elements by their ids.
  ///
  /// - Parameters:
  ///   - animation: Changes the state from which the body is made.
  ///   - completion: Called exactly once, also if another transition replaced this one.
  public func animate(alongsideTransition animation: Change?, completion: Change? = nil) {
    if let animation { animations.append(animation) }
    if let completion { completions.append(completion) }
  }

  func begin() {
    let context = context(isCancelled: false)
    for animation in animations { animation(context) }
    animations = []
  }

  func complete(finished: Bool) {
    let context = context(isCancelled: !finished)
    for completion in completions { completion(context) }
    completions = []
  }

  private func context(isCancelled: Bool) -> Context {
    Context(
      size: request.size,
      duration: .seconds(request.duration),
      curve: request.curve,
      isCancelled: isCancelled
    )
  }
}
