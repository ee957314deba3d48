import FoundationEssentials

/// The load of the last day: an average of each quarter of an hour, which is kept over restarts.
///
/// The kernel's own average over 15 minutes is used, so that one sample in each quarter is enough.
struct LoadHistory: Hashable, Sendable {
  /// A day.
  static let capacity = 96

  private static let interval = 900
  private static let highest = 1e6
  private static let byteLimit = 8 * 1024
  private static let lastQuarter = 1_000_000_000

  /// The quarter of the last average, counted from 1970.
  private var last = 0
  /// The averages up to it, oldest first; nil for a quarter without a sample.
  private var values: [Double?] = []

  /// As it is stored.
  private struct Stored: Codable {
    var last: Int
    var values: [Double?]
  }

  /// Creates an empty history.
  init() {}

  /// Reads a stored one; nil if it is none, or has a number that it cannot have.
  init?(_ data: Data) {
    guard data.count <= Self.byteLimit,
      let stored = try? JSONDecoder().decode(Stored.self, from: data),
      (0...Self.lastQuarter).contains(stored.last), stored.values.count <= Self.capacity,
      stored.values.allSatisfy({ $0.map { (0...Self.highest).contains($0) } ?? true })
    else { return nil }
    last = stored.last
    values = stored.values
  }

  /// What is stored.
  var data: Data? { try? JSONEncoder().encode(Stored(last: last, values: values)) }

  /// Adds an average; the newest of a quarter stays.
  ///
  /// - Returns: Whether it is the first one of its quarter.
  mutating func add(_ value: Double, at date: Date) -> Bool {
    guard let quarter = Self.quarter(of: date), value >= 0 else { return false }
    let value = min(value, Self.highest)
    // A clock that was set back by more than a quarter begins a new history.
    if quarter < last - 1 || quarter - last >= Self.capacity { values = [] }
    if quarter == last || quarter == last - 1, !values.isEmpty {
      values[values.count - 1] = value
      return false
    }
    if !values.isEmpty { values += [Double?](repeating: nil, count: quarter - last - 1) }
    values.append(value)
    values.removeFirst(max(0, values.count - Self.capacity))
    last = quarter
    return true
  }

  /// The averages up to a time, oldest first; nil for a quarter without a sample.
  func averages(at date: Date) -> [Double?] {
    guard let quarter = Self.quarter(of: date), quarter >= last, !values.isEmpty else {
      return values
    }
    let pause = min(quarter - last, Self.capacity + 1)
    // The present quarter has no sample yet; that is not a gap.
    let gap = [Double?](repeating: nil, count: max(0, pause - 1))
    return Array((values + gap).suffix(Self.capacity))
  }

  private static func quarter(of date: Date) -> Int? {
    let seconds = date.timeIntervalSince1970
    guard seconds >= 0, seconds < Double(lastQuarter) * Double(interval) else { return nil }
    return Int(seconds) / interval
  }
}
