/// How an element appears and disappears in a transition.
public enum NodeTransition: String, Hashable, Sendable, Codable, CaseIterable {
  /// It fades in and out.
  case opacity
  /// It slides in from the side.
  case slide
  /// It changes immediately.
  case none
}
