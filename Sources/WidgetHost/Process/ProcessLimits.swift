/// What one widget's process may use, enforced by the kernel (RELIABILITY.md, Limits).
public nonisolated struct ProcessLimits: Hashable, Sendable {
  /// Bytes of address space; 1 GiB.
  public var memoryBytes: UInt64 = 1 << 30
  /// Bytes of the largest file that it may write; 64 MiB.
  public var fileBytes: UInt64 = 64 << 20
  /// Open descriptors; 256.
  public var descriptors: UInt64 = 256

  /// Creates the defaults.
  public init() {}
}
