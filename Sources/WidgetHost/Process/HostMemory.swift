import CPlatform

/// What of the host's own program stays in memory.
public enum HostMemory {
  /// Gives back the pages of code that only the start needed: some megabytes, mapped again from the
  /// page cache where they are used again after all.
  public static func forgetStart() {
    platform_forget_start()
    trim()
  }

  /// Gives back what the allocator keeps for later.
  ///
  /// After a storm that is what the storm needed. It takes less than a millisecond.
  public static func trim() {
    platform_trim_heap()
  }
}
