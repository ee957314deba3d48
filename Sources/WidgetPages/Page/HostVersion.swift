/// The version of this program.
public nonisolated enum HostVersion {
  /// The version in the change log.
  public static let current = "0.1.0"
}
