/// What will happen once at a moment, in the order of the moments.
///
/// A binary heap; what was cancelled stays in it until its moment, or until it is more than half.
struct TimerQueue {
  /// Names one timer of a queue.
  typealias ID = UInt64

  private struct Entry {
    /// The moment before which it must not happen.
    var earliest: ContinuousClock.Instant
    /// The moment at which it happens even if nothing else wakes the program.
    var latest: ContinuousClock.Instant
    var id: ID
  }

  private var heap: [Entry] = []
  private var actions: [ID: () -> Void] = [:]
  private var lastID: ID = 0

  /// How many timers are set.
  var count: Int { actions.count }

  /// Adds a timer that happens from `earliest` on, and at `latest` where nothing wakes the program
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

  /// Keeps a timer from happening; nothing where it has happened.
  mutating func cancel(_ id: ID) {
    guard actions.removeValue(forKey: id) != nil else { return }
    if heap.count > 64, heap.count > 2 * actions.count { removeCancelled() }
  }

  /// When the program has to be awake next; nil where no timer is set.
  mutating func nextWake() -> ContinuousClock.Instant? {
    while let first = heap.first, actions[first.id] == nil { removeFirst() }
    return heap.first?.latest
  }

  /// Takes out what may happen at `now`, in the order in which it is due.
  mutating func takeDue(at now: ContinuousClock.Instant) -> [ID] {
    var due: [Entry] = []
    while let first = heap.first, first.earliest <= now || actions[first.id] == nil {
      removeFirst()
      if actions[first.id] != nil { due.append(first) }
    }
    due.sort { ($0.earliest, $0.id) < ($1.earliest, $1.id) }
    return due.map(\.id)
  }

  /// Hands out the action of a timer whose time has come; nil where it was cancelled meanwhile.
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
