import FoundationEssentials

/// The last minutes of the graphs, which are kept over restarts.
struct SampleHistory: Hashable, Sendable, Codable {
  /// Samples of each graph.
  static let capacity = 120

  private static let byteLimit = 32 * 1024
  private static let highest = 1e15
  /// A shorter time without samples leaves no gap: the graph would have stripes wherever the card was away for a moment.
  private static let shortestGap = 60.0
  /// Older values are not shown in the graphs.
  private static let longest = 86_400.0

  /// The use of all processors, 0 to 1, oldest first; nil for a gap.
  private(set) var processor: [Double?] = []
  /// The part of the memory that is used.
  private(set) var memory: [Double?] = []
  /// The bytes that all interfaces receive in a second.
  private(set) var received: [Double?] = []
  /// The bytes that they send in a second.
  private(set) var sent: [Double?] = []
  /// When the last sample was taken, in seconds since 1970.
  private var time = 0.0

  /// Creates an empty history.
  init() {}

  /// Reads a stored one, behind which is a gap; nil if it is none, is too old, or has a number that it cannot have.
  init?(_ data: Data, at date: Date) {
    guard data.count <= Self.byteLimit,
      let stored = try? JSONDecoder().decode(Self.self, from: data),
      (0...Self.longest).contains(date.timeIntervalSince1970 - stored.time)
    else { return nil }
    let graphs = [stored.processor, stored.memory, stored.received, stored.sent]
    guard graphs.allSatisfy({ $0.count <= Self.capacity && $0.allSatisfy(Self.isPossible) })
    else { return nil }
    self = stored
    pause(until: date)
  }

  /// Values with a gap before them for the time without any, so that a graph of them begins on the right.
  static func filled(_ values: [Double?]) -> [Double?] {
    [Double?](repeating: nil, count: max(0, capacity - values.count)) + values
  }

  /// What is stored.
  var data: Data? { try? JSONEncoder().encode(self) }

  private static func isPossible(_ value: Double?) -> Bool {
    value.map { (0...highest).contains($0) } ?? true
  }

  /// Adds what a sample says; what it does not know is a gap.
  mutating func add(_ state: SystemState, at date: Date) {
    time = date.timeIntervalSince1970
    append(
      processor: (try? state.processor.get())?.usage,
      memory: (try? state.memory.get())?.usedShare,
      received: CompactRows.sum((try? state.network.get())?.map(\.received) ?? []),
      sent: CompactRows.sum((try? state.network.get())?.map(\.sent) ?? [])
    )
  }

  /// Leaves a gap for the minutes in which nothing was measured, up to a date.
  mutating func pause(until date: Date) {
    guard abs(date.timeIntervalSince1970 - time) >= Self.shortestGap,
      processor.last != .some(nil), !processor.isEmpty
    else { return }
    append(processor: nil, memory: nil, received: nil, sent: nil)
  }

  private mutating func append(
    processor: Double?,
    memory: Double?,
    received: Double?,
    sent: Double?
  ) {
    Self.append(processor, to: &self.processor)
    Self.append(memory, to: &self.memory)
    Self.append(received, to: &self.received)
    Self.append(sent, to: &self.sent)
  }

  private static func append(_ value: Double?, to values: inout [Double?]) {
    values.append(isPossible(value) ? value : nil)
    values.removeFirst(max(0, values.count - capacity))
  }
}
