import CPlatform

/// Control of the memory that the host's own program keeps resident.
@MainActor public enum HostMemory {
  /// Releases the pages of code that only the start needed: some megabytes, which are mapped again from
  /// the page cache if they are used again.
  public static func forgetStart() {
    platform_forget_start()
    trim()
  }

  /// Releases memory that the allocator keeps for later.
  ///
  /// After a burst of messages that is what the burst needed. It takes less than a millisecond.
  public static func trim() {
    platform_trim_heap()
  }
}
