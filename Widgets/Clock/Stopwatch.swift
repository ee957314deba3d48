import FoundationEssentials

/// A stopwatch that runs on while no process does: what is stored is when it was started.
struct Stopwatch: Hashable, Sendable {
  /// More laps are not taken.
  static let lapLimit = 99

  private static let longest = 1e9
  private static let byteLimit = 16 * 1024

  /// When it was started; nil while it stands.
  private(set) var start: Date?
  /// The seconds that it ran before.
  private(set) var before = 0.0
  /// The seconds at the end of each lap.
  private(set) var laps: [Double] = []

  /// As it is stored.
  private struct Stored: Codable {
    var start: Double?
    var before: Double
    var laps: [Double]
  }

  /// Creates one that has not run.
  init() {}

  /// Reads a stored one; nil if it is none, or has a number that it cannot have.
  init?(_ data: Data) {
    guard data.count <= Self.byteLimit,
      let stored = try? JSONDecoder().decode(Stored.self, from: data),
      (0...Self.longest).contains(stored.before), stored.laps.count <= Self.lapLimit,
      stored.laps.allSatisfy({ (0...Self.longest * 2).contains($0) }),
      stored.laps.sorted() == stored.laps,
      stored.start.map({ (0...1e11).contains($0) }) ?? true
    else { return nil }
    start = stored.start.map { Date(timeIntervalSince1970: $0) }
    before = stored.before
    laps = stored.laps
  }

  /// What is stored.
  var data: Data? {
    let start = start?.timeIntervalSince1970
    return try? JSONEncoder().encode(Stored(start: start, before: before, laps: laps))
  }

  /// Whether it runs.
  var isRunning: Bool { start != nil }
  /// Whether it has run since it was reset.
  var hasRun: Bool { isRunning || before > 0 }

  /// The seconds that it has run; the clock may have been set back meanwhile.
  func elapsed(at now: Date) -> Double {
    let running = start.map { now.timeIntervalSince($0) } ?? 0
    return min(before + min(max(running, 0), Self.longest), Self.longest)
  }

  /// When it would have been started if it had never been stopped.
  func origin(at now: Date) -> Date { now.addingTimeInterval(-elapsed(at: now)) }

  /// Does what a button says; false for an action that is none of its own.
  mutating func perform(_ action: String, at now: Date) -> Bool {
    switch action {
    case "start": start = start ?? now
    case "stop":
      before = elapsed(at: now)
      start = nil
    case "lap":
      guard isRunning, laps.count < Self.lapLimit else { break }
      laps.append(max(elapsed(at: now), laps.last ?? 0))
    case "reset": self = Stopwatch()
    default: return false
    }
    return true
  }

  /// The last laps, the newest first: the number of each, how long it was, and its end.
  func lastLaps(_ count: Int) -> [(number: Int, length: Double, end: Double)] {
    laps.indices.suffix(count).reversed().map { index in
      (index + 1, laps[index] - (index > 0 ? laps[index - 1] : 0), laps[index])
    }
  }

  /// The numbers of the fastest and the slowest lap; nil where all that there are took as long.
  var extremes: (fastest: Int, slowest: Int)? {
    let lengths = lastLaps(laps.count).map { (number: $0.number, length: $0.length) }
    guard let fastest = lengths.min(by: { $0.length < $1.length }),
      let slowest = lengths.max(by: { $0.length < $1.length }), fastest.length < slowest.length
    else { return nil }
    return (fastest.number, slowest.number)
  }

  /// Seconds as the host writes a timer: `0:42`, `1:02:03`.
  static func words(_ seconds: Double) -> String {
    let seconds = Int(min(max(seconds, 0), longest * 2))
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(padded(minutes)):\(padded(seconds % 60))"
      : "\(minutes):\(padded(seconds % 60))"
  }
}
