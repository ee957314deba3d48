/// The curve of an animation.
public enum AnimationCurve: String, CaseIterable, Codable, Hashable, Sendable {
  /// Slow at both ends.
  case easeInOut
  /// Constant speed.
  case linear

  /// Reads the word.
  public init(from decoder: any Decoder) throws {
    self = try WireWord.read(Self.self, from: decoder)
  }

  /// The progress of the animation at `progress` of its time; both from 0 to 1.
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
