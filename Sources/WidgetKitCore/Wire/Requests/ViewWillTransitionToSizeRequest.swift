/// The host is about to give the card's body another size.
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
  /// Which transition it is; ``TransitionDidCompleteNotification`` says the same number.
  public var transition: Int
  /// How long it takes, in seconds; 0 where it is not animated.
  public var duration: Double
  /// How it goes.
  public var curve: AnimationCurve
  /// False where there is nothing to animate alongside.
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

  /// What the widget animates alongside.
  public struct Reply: Codable, Hashable, Sendable {
    /// The state at the end of the transition.
    public var alongside: ViewNode?

    /// Creates the reply.
    public init(alongside: ViewNode? = nil) {
      self.alongside = alongside
    }
  }
}

/// How an animation goes from its start to its end.
public enum AnimationCurve: String, Codable, Hashable, Sendable {
  /// Slow at both ends.
  case easeInOut
  /// Even.
  case linear

  /// How far the animation is at `progress` of its time; both from 0 to 1.
  ///
  /// `easeInOut` is the smoothstep polynomial 3t² − 2t³.
  public func value(at progress: Double) -> Double {
    let time = min(1, max(0, progress))
    return switch self {
    case .linear: time
    case .easeInOut: time * time * (3 - 2 * time)
    }
  }
}
