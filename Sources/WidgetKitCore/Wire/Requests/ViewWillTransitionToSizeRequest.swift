/// The size of the card's body is about to change.
///
/// ```json
/// {"jsonrpc":"2.0","id":8,"method":"viewWillTransitionToSize","params":{
///  "size":{"width":36,"height":9},"transition":3,"duration":0.25,"curve":"easeInOut",
///  "animated":true}}
/// ```
public struct ViewWillTransitionToSizeRequest: RequestMessage, Hashable {
  /// The method is `viewWillTransitionToSize`.
  public static let method = "viewWillTransitionToSize"

  /// The size at the end.
  public var size: Size
  /// The number of the transition, repeated in ``TransitionDidCompleteNotification``.
  public var transition: Int
  /// How long it takes, in seconds; 0 if it is not animated.
  public var duration: Double
  /// The curve of the animation.
  public var curve: AnimationCurve
  /// False if there is nothing to animate alongside.
  public var animated: Bool

  /// Creates the request.
  public init(
    size: Size,
    transition: Int,
    duration: Double,
    curve: AnimationCurve,
    animated: Bool
  ) {
    self.size = size
    self.transition = transition
    self.duration = duration
    self.curve = curve
    self.animated = animated
  }

  /// The view that the widget animates to.
  public struct Reply: Codable, Hashable, Sendable {
    /// The state at the end of the transition.
    public var alongside: ViewNode?

    /// Creates the reply.
    public init(alongside: ViewNode? = nil) {
      self.alongside = alongside
    }
  }
}
