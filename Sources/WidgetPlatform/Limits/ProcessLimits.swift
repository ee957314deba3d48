/// The limits of one widget's process, enforced by the kernel.
public struct ProcessLimits: Hashable, Sendable {
  /// Bytes of address space; 1 GiB.
  public var memoryBytes: UInt64 = 1 << 30
  /// Bytes of the largest file that it may write; 64 MiB.
  public var fileBytes: UInt64 = 64 << 20
  /// Open file descriptors; 256.
  public var descriptors: UInt64 = 256
  /// Whether nothing can be written to any file, as on a full disk; for tests.
  package var isDiskFull = false

  /// Creates the defaults.
  public init() {}

  /// Returns these limits with the address space that a bundle requests, if that is more.
  func granting(_ addressSpace: UInt64?) -> ProcessLimits {
    var limits = self
    limits.memoryBytes = max(memoryBytes, addressSpace ?? 0)
    return limits
  }
}
