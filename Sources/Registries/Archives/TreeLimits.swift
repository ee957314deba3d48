/// The limits on what is fetched and unpacked.
package nonisolated struct TreeLimits: Sendable {
  /// Bytes of an archive, and of what is unpacked.
  package var bytes: UInt64 = 64 << 20
  /// Files and folders.
  package var entries = 10_000
  /// Folders inside each other.
  package var depth = 32
  /// How long git may take for one command.
  package var time: Duration = .seconds(120)

  /// The usual limits.
  package init() {}
}
