import CPlatform

/// The filter of system calls that all sandboxes have.
nonisolated enum SystemCallFilter {
  /// The program of seccomp(2); empty for a processor that has none.
  static func bytes(allowsLocalSockets: Bool) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      count = unsafe platform_syscall_filter(allowsLocalSockets ? 1 : 0, base, buffer.count)
    }
  }
}
