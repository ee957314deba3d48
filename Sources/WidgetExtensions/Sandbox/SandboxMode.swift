/// Whether widgets run in a sandbox: the setting `sandbox`.
public enum SandboxMode: String, CaseIterable, Sendable {
  /// In the best sandbox that the system offers; where there is none, only those that the user trusts.
  case automatic = "auto"
  /// In the full sandbox, or not at all.
  case required
  /// Without a sandbox: a widget can do what the user can.
  case off
}

/// What separates widgets from the user's files and from other programs.
public enum SandboxLevel: Hashable, Sendable {
  /// Bubblewrap: a widget sees its bundle, its containers, the system's programs, and what it was granted.
  case full
  /// Landlock and a filter of system calls: the same files, but in the namespaces of the user. With the reason why
  /// it is not full.
  case partial(String)
  /// Nothing, because the user wants it so.
  case off
  /// Nothing, for this reason.
  case none(String)

  /// The level in a word.
  public var name: String {
    switch self {
    case .full: "full"
    case .partial: "partial"
    case .off: "off"
    case .none: "none"
    }
  }

  /// What is missing to the full sandbox, as a sentence; nil if nothing is.
  public var shortfall: String? {
    switch self {
    case .full: nil
    case .partial(let reason): "The sandbox is partial, and gives no sockets: \(reason)."
    case .off: "The setting “sandbox” is off: every widget can do what you can."
    case .none(let reason): "There is no sandbox: \(reason)."
    }
  }
}
