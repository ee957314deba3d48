/// One run of a widget as the kernel knows it: all its processes, even if they tried to leave it.
package struct ProcessRun: Hashable, Sendable {
  /// The process that the host started, which leads its process group.
  package var leader: Int32
  /// The mark that all its descendants carry, including daemons; 0 if only the group is known.
  var mark: UInt64 = 0
  /// Its control group; nil if it has none.
  var group: ControlGroup?
  /// How many of its processes are not the widget's, but those of its sandbox.
  var helpers = 0
}
