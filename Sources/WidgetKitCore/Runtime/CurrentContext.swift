/// Which context code belongs to that was given none: the one of its task, else the one of the process.
@MainActor enum CurrentContext {
  /// The context of the widget that this task belongs to; tests have several.
  @TaskLocal private static var bound: WidgetContext?

  /// The context of the process, when its program runs.
  static var ofProcess: WidgetContext?

  /// A context without a host, which discards everything.
  private static let detached = WidgetContext(host: HostConnection { _ in })

  /// The context now.
  static var now: WidgetContext { bound ?? ofProcess ?? detached }

  /// Makes a context the current one for everything that `work` starts.
  static func bind<Result>(
    _ context: WidgetContext,
    _ work: @MainActor () throws -> Result
  ) rethrows -> Result {
    try $bound.withValue(context) { try work() }
  }

  /// Makes a context the current one until `work` has ended.
  static func bind<Result>(
    _ context: WidgetContext,
    _ work: @MainActor () async throws -> Result
  ) async rethrows -> Result {
    try await $bound.withValue(context) { try await work() }
  }
}
