/// Whether widgets run in a sandbox: the setting `sandbox`.
public nonisolated enum SandboxMode: String, CaseIterable, Sendable {
  /// In a sandbox where the system has one; elsewhere only those that the user trusts.
  case automatic = "auto"
  /// In a sandbox, or not at all.
  case required
  /// Without a sandbox: a widget can do what the user can.
  case off
}

/// What separates widgets from the user's files and from other programs.
public nonisolated enum SandboxLevel: Hashable, Sendable {
  /// Bubblewrap: a widget sees its bundle, its containers, the system's programs, and what it was granted.
  case full
  /// Nothing, because the user wants it so.
  case off
  /// Nothing, for this reason.
  case none(String)

  /// The level in a word.
  public var name: String {
    switch self {
    case .full: "full"
    case .off: "off"
    case .none: "none"
    }
  }
}
