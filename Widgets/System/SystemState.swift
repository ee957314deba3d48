/// The content of the card; for a source that cannot be read, the error.
struct SystemState {
  var processor: Result<Processor, SourceError>
  var memory: Result<MemoryInfo, SourceError>
  var load: Result<LoadAverage, SourceError>
  var disks: Result<[DiskUsage], SourceError>
  var network: Result<[Interface], SourceError>
  /// The warmest sensor of each chip; none if the machine has none.
  var temperatures: [Temperature] = []
  /// None if the machine has none.
  var batteries: [Battery] = []
  /// None if the machine has none whose driver says anything.
  var graphics: [GraphicsProcessor] = []

  /// The usage of the processors, from 0 to 1.
  struct Processor {
    /// All processors; nil before the second sample.
    var usage: Double?
    /// Each processor.
    var cores: [Double?]
    /// The history of all processors, oldest first; nil for a gap.
    var history: [Double?]

    /// `12 %  30 %`, or the busiest if there are many.
    var coreWords: String {
      let known = cores.compactMap { $0 }
      guard let busiest = known.max() else { return "–" }
      return known.count <= 2
        ? known.map(Units.percent).joined(separator: "  ") : "max \(Units.percent(busiest))"
    }
  }

  /// The traffic of a network interface in bytes per second; nil before the second sample.
  struct Interface {
    var name: String
    var received: Double?
    var sent: Double?
    /// The bytes since it went up.
    var total: (received: UInt64, sent: UInt64) = (0, 0)
  }
}
