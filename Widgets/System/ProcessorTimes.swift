/// The times of a processor since the start of the system, in ticks (proc_stat(5)).
struct ProcessorTimes: Hashable, Sendable {
  /// The busy ticks.
  var busy: UInt64
  /// All ticks.
  var total: UInt64

  /// The usage since `earlier`, 0 to 1; nil if no time has passed.
  func usage(since earlier: ProcessorTimes) -> Double? {
    guard total > earlier.total else { return nil }
    // iowait can decrease (proc_stat(5)).
    let work = busy > earlier.busy ? busy - earlier.busy : 0
    return min(1, Double(work) / Double(total - earlier.total))
  }
}

/// The processors in `/proc/stat`.
struct ProcessorStatistics: Hashable, Sendable {
  static let file = "stat"

  /// All processors together.
  var total: ProcessorTimes
  /// Each processor, in the order of the file, without those that are offline.
  var cores: [ProcessorTimes]

  /// Reads the lines that begin with `cpu`.
  init(parsing text: String, path: String) throws(SourceError) {
    var total: ProcessorTimes?
    cores = []
    for line in text.lines where line.hasPrefix("cpu") {
      let words = line.words
      guard let name = words.first, let times = ProcessorTimes(words.dropFirst()) else {
        throw .missing("numbers in its line “\(line.prefix(8))”", in: path)
      }
      if name == "cpu" { total = times } else { cores.append(times) }
    }
    guard let total else { throw .missing("line “cpu”", in: path) }
    self.total = total
  }
}

extension ProcessorTimes {
  /// user, nice, system, idle, iowait, irq, softirq, steal; guest times are part of user already.
  fileprivate init?(_ words: some Collection<Substring>) {
    let ticks = words.prefix(8).compactMap { UInt64($0) }
    guard ticks.count >= 4, ticks.count == min(8, words.count) else { return nil }
    total = ticks.reduce(0, &+)
    busy = total &- ticks[3] &- (ticks.count > 4 ? ticks[4] : 0)
  }
}
