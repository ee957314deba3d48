/// The network of widgets in the full sandbox that may use one.
public nonisolated enum SandboxNetwork: Hashable, Sendable {
  /// One of its own, which a program connects to that of the machine: nothing that listens on the loopback of
  /// the machine, and no abstract socket, is in reach.
  case own(by: String)
  /// That of the machine, for this reason.
  case shared(String)

  /// Which one it is, in words that follow “use the network”.
  public var words: String {
    switch self {
    case .own: "through one of its own"
    case .shared(let reason): "also that within this machine (localhost), as \(reason)"
    }
  }
}
