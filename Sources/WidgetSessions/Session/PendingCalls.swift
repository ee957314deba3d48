import WidgetExtensions
import WidgetKitCore

/// Requests of the host that one process has not answered.
struct PendingCalls {
  /// The id of the latest request; ids are unique over all processes of a session.
  private(set) var lastID: Int
  private var calls: [Int: HostCall] = [:]

  /// No requests; the first one gets the id after `lastID`.
  init(after lastID: Int = 0) {
    self.lastID = lastID
  }

  /// Whether all requests are answered.
  var isEmpty: Bool { calls.isEmpty }

  /// The ids of the requests, in no order.
  var ids: some Collection<Int> { calls.keys }

  /// The methods of the requests, in the order in which they were sent.
  var methods: [String] { calls.sorted { $0.key < $1.key }.map(\.value.method) }

  /// Adds a request; returns its id.
  mutating func add(_ call: HostCall) -> Int {
    lastID += 1
    calls[lastID] = call
    return lastID
  }

  /// Removes and returns the request with an id; nil if there is none.
  mutating func take(_ id: Int) -> HostCall? { calls.removeValue(forKey: id) }

  /// Removes an update, so that its late answer is not taken for the answer to the next one.
  mutating func removeUpdate() {
    calls = calls.filter { if case .widgetPerformUpdate = $0.value { false } else { true } }
  }
}
