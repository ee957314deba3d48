/// Runs a widget's changes in step with the host's animation of its card.
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

  /// What a change can know of its transition.
  public struct Context: Sendable {
    /// The size of the body at the end.
    public let size: Size
    /// How long the animation takes.
    public let duration: Duration
    /// How it goes.
    public let curve: AnimationCurve
    /// Whether another transition took this one's place; false until the end is known.
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
  /// The body after `animation` is the picture at the end of the transition; the host goes there
  /// in step with the card, and matches elements by their ids.
  ///
  /// - Parameters:
  ///   - animation: Changes what the body is made from.
  ///   - completion: Called exactly once, also when another transition took this one's place.
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
