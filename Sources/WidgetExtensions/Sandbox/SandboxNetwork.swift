/// The network of widgets in the full sandbox that may use one.
public enum SandboxNetwork: Hashable, Sendable {
  /// One of its own, which a program connects to that of the machine: nothing that listens on the loopback of
  /// the machine, and no abstract socket, is in reach.
  case own(by: String)
  /// That of the machine, for this reason.
  case shared(String)

  /// Which one it is, in words that follow “use the network”; the reason is for “today doctor”.
  public var words: String {
    switch self {
    case .own: "except localhost"
    case .shared: "with localhost of this machine"
    }
  }

  /// Which one it is, as a sentence of a question.
  var sentence: String {
    switch self {
    case .own: "The network does not include localhost of this machine."
    case .shared: "The network includes localhost of this machine."
    }
  }
}
