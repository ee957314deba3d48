/// What a widget may hold of the machine, all its processes together.
public nonisolated struct ResourceLimits: Hashable, Sendable {
  /// Memory.
  public var memory = MemoryLimits()
  /// Processes; 64.
  public var processes = 64
  /// Bytes on disk of its own container, the cache included; 64 MiB.
  public var containerBytes: UInt64 = 64 << 20

  /// Creates the defaults.
  public init() {}
}

/// What widgets may hold of the machine's memory.
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
