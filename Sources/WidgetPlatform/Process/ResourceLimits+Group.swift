extension ResourceLimits {
  /// Tasks that a control group has beyond the limit of processes, so that the host ends the widget first and says
  /// why; threads count too.
  private static let spareTasks = 8

  /// The limits of the control group of a run with some processes that are not the widget's own.
  package func group(helpers: Int) -> ControlGroup.Limits {
    ControlGroup.Limits(memoryBytes: memory.hardBytes, tasks: processes + helpers + Self.spareTasks)
  }
}
