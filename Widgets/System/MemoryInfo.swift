/// The memory in `/proc/meminfo`, in bytes.
struct MemoryInfo: Hashable, Sendable {
  static let file = "meminfo"

  /// The total memory.
  var total: UInt64
  /// The memory that is available to programs.
  var available: UInt64
  /// The total swap; 0 if there is none.
  var swapTotal: UInt64
  /// The swap that is not used.
  var swapFree: UInt64
  /// What stands in for files of disks, and is given back when it is needed.
  var cache: UInt64
  /// The memory that nothing uses.
  var free: UInt64
  /// The memory that several programs share, and files in memory.
  var shared: UInt64
  /// What was changed and is not on a disk yet.
  var unwritten: UInt64

  /// The used bytes.
  var used: UInt64 { total - available }
  /// The used share, 0 to 1.
  var usedShare: Double { total == 0 ? 0 : Double(used) / Double(total) }
  /// The used bytes of the swap.
  var swapUsed: UInt64 { swapTotal - swapFree }
  /// The used share of the swap, 0 to 1.
  var swapUsedShare: Double { swapTotal == 0 ? 0 : Double(swapUsed) / Double(swapTotal) }

  /// Reads lines such as `MemTotal:       24576000 kB`.
  ///
  /// Kernels before 3.14 have no MemAvailable; free memory, buffers and cache are added instead.
  init(parsing text: String, path: String) throws(SourceError) {
    var values: [Substring: UInt64] = [:]
    for line in text.lines {
      let words = line.words
      guard words.count >= 2, words[0].hasSuffix(":"), let kibibytes = UInt64(words[1]) else {
        continue
      }
      values[words[0].dropLast()] = kibibytes.multipliedReportingOverflow(by: 1024).partialValue
    }
    guard let total = values["MemTotal"] else { throw .missing("line “MemTotal”", in: path) }
    let parts = ["MemFree", "Buffers", "Cached"].compactMap { values[$0] }
    guard let available = values["MemAvailable"] ?? (parts.isEmpty ? nil : parts.reduce(0, &+))
    else { throw .missing("line “MemAvailable”", in: path) }
    self.total = total
    self.available = min(available, total)
    swapTotal = values["SwapTotal"] ?? 0
    swapFree = min(values["SwapFree"] ?? 0, swapTotal)
    free = min(values["MemFree"] ?? 0, total)
    shared = min(values["Shmem"] ?? 0, total)
    unwritten = min((values["Dirty"] ?? 0) &+ (values["Writeback"] ?? 0), total)
    // Files in memory count as cached, and cannot be given back.
    let cached = ["Buffers", "Cached", "SReclaimable"].compactMap { values[$0] }.reduce(0, &+)
    cache = min(cached > shared ? cached - shared : 0, total)
  }
}

/// `/proc/loadavg`: how many tasks were running or runnable, over 1, 5 and 15 minutes.
struct LoadAverage: Sendable {
  static let file = "loadavg"

  /// The three averages, as text.
  var words: String
  /// The average over a minute.
  var shortest: Double
  /// The average over 15 minutes.
  var longest: Double
  /// How many tasks there are, and how many of them run; nil where the kernel does not say.
  var tasks: (running: Int, all: Int)?

  /// Reads a line such as `0.42 0.31 0.25 1/312 4242`.
  init(parsing text: String, path: String) throws(SourceError) {
    let averages = text.words.prefix(3)
    let numbers = averages.compactMap { Double($0) }.filter { $0.isFinite && $0 >= 0 }
    guard numbers.count == 3 else { throw .missing("three averages", in: path) }
    (shortest, longest) = (numbers[0], numbers[2])
    words = averages.joined(separator: "  ")
    if let counts = text.words.dropFirst(3).first?.split(separator: "/").map({ Int($0) }),
      counts.count == 2, let running = counts[0], let all = counts[1], running >= 0, all >= 0
    {
      tasks = (running, all)
    }
  }
}
