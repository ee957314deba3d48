/// Timers that fire once, ordered by their moments.
///
/// It is a binary heap; a cancelled timer stays in it until its moment, or until more than half of the
/// entries are cancelled.
struct TimerQueue {
  /// Identifies one timer of a queue.
  typealias ID = UInt64

  private struct Entry {
    /// The moment before which the timer must not fire.
    var earliest: ContinuousClock.Instant
    /// The moment at which the timer fires even if nothing else wakes the program.
    var latest: ContinuousClock.Instant
    var id: ID
  }

  private var heap: [Entry] = []
  private var actions: [ID: () -> Void] = [:]
  private var lastID: ID = 0

  /// The number of timers.
  var count: Int { actions.count }

  /// Adds a timer that may fire from `earliest` on, and fires at `latest` if nothing wakes the program
  /// before.
  ///
  /// - Complexity: O(log n).
  mutating func add(
    earliest: ContinuousClock.Instant,
    latest: ContinuousClock.Instant,
    _ action: @escaping () -> Void
  ) -> ID {
    lastID += 1
    actions[lastID] = action
    heap.append(Entry(earliest: earliest, latest: max(earliest, latest), id: lastID))
    siftUp(heap.count - 1)
    return lastID
  }

  /// Cancels a timer; has no effect if it has fired.
  mutating func cancel(_ id: ID) {
    guard actions.removeValue(forKey: id) != nil else { return }
    if heap.count > 64, heap.count > 2 * actions.count { removeCancelled() }
  }

  /// Returns when the program must wake up next, or nil if there is no timer.
  mutating func nextWake() -> ContinuousClock.Instant? {
    while let first = heap.first, actions[first.id] == nil { removeFirst() }
    return heap.first?.latest
  }

  /// Removes and returns the timers that may fire at `now`, in the order in which they are due.
  mutating func takeDue(at now: ContinuousClock.Instant) -> [ID] {
    var due: [Entry] = []
    while let first = heap.first, first.earliest <= now || actions[first.id] == nil {
      removeFirst()
      if actions[first.id] != nil { due.append(first) }
    }
    due.sort { ($0.earliest, $0.id) < ($1.earliest, $1.id) }
    return due.map(\.id)
  }

  /// Removes and returns the action of a due timer, or nil if it was cancelled meanwhile.
  mutating func takeAction(of id: ID) -> (() -> Void)? { actions.removeValue(forKey: id) }

  // MARK: - The heap

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func removeCancelled() {
    heap.removeAll { actions[$0.id] == nil }
    for index in (0..<heap.count / 2).reversed() { siftDown(index) }
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, heap[index].latest < heap[(index - 1) / 2].latest {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].latest < heap[least].latest {
        least = child
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
