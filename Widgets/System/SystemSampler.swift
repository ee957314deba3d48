import FoundationEssentials

/// Samples the counters of the system, and computes rates and histories.
struct SystemSampler {
  private static let diskLimit = 8
  private static let interfaceLimit = 8
  /// Sensors and batteries change slowly, and some of them answer slowly.
  private static let sensorInterval = Duration.seconds(10)

  /// The last sample.
  private(set) var state: SystemState

  /// The mount points of the disks that are shown; all if empty.
  var disks: [String] = []
  /// The names of the interfaces that are shown; if empty, all that are used.
  var interfaces: [String] = []

  private let proc: KernelFolder
  private let sys: KernelFolder
  private let clock = ContinuousClock()
  /// The last minutes of the graphs.
  var history = SampleHistory()
  private let nvidia: NvidiaQuery
  private var previous: Look?
  private var sensed: ContinuousClock.Instant?
  /// Those in files, as they were then.
  private var graphics: [GraphicsProcessor] = []

  /// One sample of the counters.
  private struct Look {
    var time: ContinuousClock.Instant
    var processors: Result<ProcessorStatistics, SourceError>
    var network: Result<[NetworkCounters], SourceError>
  }

  /// Whether there is a sample to compare the next one with.
  var hasLooked: Bool { previous != nil }

  /// Whether two samples have been compared.
  var hasRates: Bool {
    guard case .success(let processor) = state.processor else { return previous != nil }
    return processor.usage != nil
  }

  init(proc: KernelFolder, sys: KernelFolder, nvidia: NvidiaQuery = NvidiaQuery()) {
    self.proc = proc
    self.sys = sys
    self.nvidia = nvidia
    let nothing = SourceError(description: "not read yet")
    state = SystemState(
      processor: .failure(nothing),
      memory: .failure(nothing),
      load: .failure(nothing),
      disks: .failure(nothing),
      network: .failure(nothing)
    )
  }

  /// Starts again after a pause, which becomes a gap in the history if it was long.
  mutating func resume(at date: Date = Date()) {
    if previous != nil { history.pause(until: date) }
    previous = nil
  }

  /// Takes a sample.
  mutating func sample(at date: Date = Date()) {
    let look = Look(
      time: clock.now,
      processors: read(ProcessorStatistics.file, ProcessorStatistics.init(parsing:path:)),
      network: read(NetworkCounters.file, NetworkCounters.interfaces(parsing:path:))
    )
    let (temperatures, batteries, graphics) = sensors(at: look.time)
    state = SystemState(
      processor: look.processors.map { processor($0) },
      memory: read(MemoryInfo.file, MemoryInfo.init(parsing:path:)),
      load: read(LoadAverage.file, LoadAverage.init(parsing:path:)),
      disks: read(Mount.file, Mount.disks(parsing:path:)).map { mounts in
        chosenDisks(mounts)
      },
      network: look.network.map { interfaces($0, at: look.time) },
      temperatures: temperatures,
      batteries: batteries,
      graphics: graphics + nvidia.found(at: look.time)
    )
    // Two samples in one tick of the kernel's clock say nothing, which is not a gap.
    if previous != nil, hasRates { history.add(state, at: date) }
    state.processor = state.processor.map { processor in
      var processor = processor
      processor.history = history.processor
      return processor
    }
    previous = look
  }

  private mutating func sensors(
    at time: ContinuousClock.Instant
  ) -> ([Temperature], [Battery], [GraphicsProcessor]) {
    if let sensed, sensed.duration(to: time) < Self.sensorInterval {
      return (state.temperatures, state.batteries, graphics)
    }
    sensed = time
    nvidia.ask(at: time)
    graphics = GraphicsProcessor.all(in: sys)
    return (Temperature.all(in: sys), Battery.all(in: sys), graphics)
  }

  private func read<Value>(
    _ file: String,
    _ parse: (String, String) throws(SourceError) -> Value
  ) -> Result<Value, SourceError> {
    do throws(SourceError) {
      return .success(try parse(proc.text(of: file), proc.path + "/" + file))
    } catch {
      return .failure(error)
    }
  }

  private func processor(_ now: ProcessorStatistics) -> SystemState.Processor {
    guard case .success(let before) = previous?.processors else {
      return SystemState.Processor(cores: now.cores.map { _ in nil }, history: [])
    }
    let usage = now.total.usage(since: before.total)
    // A processor went online or offline, so the lines cannot be matched.
    let cores =
      now.cores.count == before.cores.count
      ? zip(now.cores, before.cores).map { $0.usage(since: $1) } : now.cores.map { _ in nil }
    return SystemState.Processor(usage: usage, cores: cores, history: [])
  }

  private func chosenDisks(_ mounts: [Mount]) -> [DiskUsage] {
    guard !disks.isEmpty else {
      return Array(mounts.lazy.compactMap(DiskUsage.init(asking:)).prefix(Self.diskLimit))
    }
    return disks.map { point in
      guard mounts.contains(where: { $0.point == point || $0.others.contains(point) }) else {
        return DiskUsage(mountPoint: point, trouble: "no disk is mounted there")
      }
      return DiskUsage(asking: Mount(device: "", point: point))
        ?? DiskUsage(mountPoint: point, trouble: "it is a file")
    }
  }

  private func interfaces(
    _ now: [NetworkCounters],
    at time: ContinuousClock.Instant
  ) -> [SystemState.Interface] {
    var before: [NetworkCounters] = []
    if case .success(let counters) = previous?.network { before = counters }
    let seconds = previous.map { ($0.time.duration(to: time)) / .seconds(1) } ?? 0
    // Interfaces without any traffic are omitted, unless there are no others.
    let used = now.filter { $0.received > 0 || $0.sent > 0 }
    let chosen = interfaces.compactMap { name in now.first { $0.name == name } }
    let usual = (used.isEmpty ? now : used).prefix(Self.interfaceLimit)
    return (interfaces.isEmpty ? Array(usual) : chosen).map { counters in
      let rates = before.first { $0.name == counters.name }
        .flatMap { counters.rates(since: $0, seconds: seconds) }
      return SystemState.Interface(
        name: counters.name,
        received: rates?.received,
        sent: rates?.sent,
        total: (counters.received, counters.sent)
      )
    }
  }
}
