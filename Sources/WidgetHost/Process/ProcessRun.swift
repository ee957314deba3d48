/// One run of a widget as the kernel knows it: all of its processes, whatever they did to leave.
nonisolated struct ProcessRun: Hashable, Sendable {
  /// The process that was started, which leads its process group.
  var leader: Int32
  /// What everything that it started carries, daemons too; 0 where only the group is known.
  var mark: UInt64 = 0
}
