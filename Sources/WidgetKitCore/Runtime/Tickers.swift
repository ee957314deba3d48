/// Tasks that repeat until the view disappears.
@MainActor struct Tickers {
  private var tasks: [Task<Void, Never>] = []

  /// Repeats `work`, for the first time after one interval.
  mutating func add(
    every interval: Duration,
    sleep: @escaping @MainActor (Duration) async throws -> Void,
    _ work: @escaping @MainActor () async -> Void
  ) {
    let task = Task {
      while (try? await sleep(interval)) != nil, !Task.isCancelled { await work() }
    }
    tasks.append(task)
  }

  /// Ends all.
  mutating func cancel() {
    for task in tasks { task.cancel() }
    tasks = []
  }
}
