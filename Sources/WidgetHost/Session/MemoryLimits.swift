/// What widgets may hold of the machine's memory (RELIABILITY.md, Limits).
///
/// A widget in Swift or sh holds 5 to 15 MiB, one in Python 10 to 25.
public nonisolated struct MemoryLimits: Hashable, Sendable {
  /// Bytes past which a widget is warned, once until it is below four fifths of them; 64 MiB.
  public var softBytes: UInt64 = 64 << 20
  /// Bytes past which a widget is ended; 128 MiB.
  public var hardBytes: UInt64 = 128 << 20
  /// Bytes of all widgets together past which suspended ones are ended; 512 MiB.
  public var pageBytes: UInt64 = 512 << 20

  /// Creates the defaults.
  public init() {}
}
