/// The limits on the machine's resources for a widget, all its processes together.
public struct ResourceLimits: Hashable, Sendable {
  /// Memory.
  public var memory = MemoryLimits()
  /// The number of processes; 64.
  public var processes = 64
  /// Bytes on disk of its own container, including the cache; 64 MiB.
  public var containerBytes: UInt64 = 64 << 20

  /// Creates the defaults.
  public init() {}
}

/// The limits on widgets' use of the machine's memory.
///
/// A widget in Swift or sh uses 5 to 15 MiB, one in Python 10 to 25.
public struct MemoryLimits: Hashable, Sendable {
  /// Bytes above which a widget is warned, once until it falls below four fifths of them; 64 MiB.
  public var softBytes: UInt64 = 64 << 20
  /// Bytes above which a widget is ended; 128 MiB.
  public var hardBytes: UInt64 = 128 << 20
  /// Bytes of all widgets together above which suspended ones are ended; 512 MiB.
  public var pageBytes: UInt64 = 512 << 20

  /// Creates the defaults.
  public init() {}
}
