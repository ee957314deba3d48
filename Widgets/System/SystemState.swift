/// What the card shows; a source that cannot be read says so in its place.
struct SystemState {
  var processor: Result<Processor, SourceError>
  var memory: Result<MemoryInfo, SourceError>
  var load: Result<LoadAverage, SourceError>
  var disks: Result<[DiskUsage], SourceError>
  var network: Result<[Interface], SourceError>

  /// How busy the processors are; shares from 0 to 1.
  struct Processor {
    /// All of them; nil before the second look.
    var usage: Double?
    /// Each one.
    var cores: [Double?]
    /// All of them, from the oldest to the newest; nil if nobody looked.
    var history: [Double?]

    /// `12 %  30 %`, or the busiest where there are many.
    var coreWords: String {
      let known = cores.compactMap { $0 }
      guard let busiest = known.max() else { return "–" }
      return known.count <= 2
        ? known.map(Units.percent).joined(separator: "  ") : "max \(Units.percent(busiest))"
    }
  }

  /// What a network interface carries, in bytes a second; nil before the second look.
  struct Interface {
    var name: String
    var received: Double?
    var sent: Double?
  }
}
