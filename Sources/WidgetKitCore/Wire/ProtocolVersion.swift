/// The version of the protocol that this package implements.
public enum ProtocolVersion {
  /// Version 1.
  public static let current = 1
}
