import FoundationEssentials
import WidgetKitCore

/// Processor, memory, disks and network of this machine, sampled while the card is visible.
@main final class SystemWidget: Widget {
  private static let labelWidth = 7
  private static let valueWidth = 15

  private var sampler = SystemSampler(
    proc: KernelFolder(path: ProcessInfo.processInfo.environment["TODAY_PROC"] ?? "/proc"),
    sys: KernelFolder(path: ProcessInfo.processInfo.environment["TODAY_SYS"] ?? "/sys")
  )
  private var load = LoadHistory()

  init() {
    if let data = FileManager.default.contents(atPath: historyPath) {
      load = LoadHistory(data) ?? LoadHistory()
    }
    choose()
  }

  func configurationDidChange() {
    choose()
    sample()
  }

  private var historyPath: String { extensionContext.containers.data + "/load.json" }

  /// Takes a sample, and stores the history of the load when it has a new average.
  private func sample() {
    sampler.sample()
    guard case .success(let average) = sampler.state.load,
      load.add(average.longest, at: extensionContext.now), let data = load.data
    else { return }
    do {
      try data.write(to: URL(filePath: historyPath), options: .atomic)
    } catch {
      extensionContext.log("\(historyPath) cannot be written: \(error)", level: "error")
    }
  }

  private func choose() {
    let configuration = extensionContext.configuration
    sampler.disks = configuration.list("disks") ?? []
    sampler.interfaces = configuration.list("interfaces") ?? []
  }

  var body: some View {
    let state = sampler.state
    source(state.processor, "CPU") { processorRows($0) }
    source(state.memory, "Memory") { memoryRows($0) }
    source(state.load, "Load") { loadRow($0) }
    for temperature in state.temperatures { temperatureRow(temperature) }
    for battery in state.batteries { batteryRow(battery) }
    source(state.disks, "Disk") { disks in
      for disk in disks { diskRow(disk) }
    }
    source(state.network, "Network") { networkRows($0) }
  }

  func viewWillAppear() {
    sampler.resume()
    sample()
  }

  func viewDidAppear() {
    extensionContext.every(.seconds(2)) { self.sample() }
  }

  func widgetPerformUpdate(reason: UpdateReason) async throws -> UpdateResult {
    if !sampler.hasRates {
      // Rates need two samples; the second one soon, as the first content waits for it.
      if !sampler.hasLooked { sample() }
      try await Task.sleep(for: .milliseconds(200))
    }
    sample()
    return .newData
  }

  // MARK: Rows

  @ViewBuilder private func processorRows(_ processor: SystemState.Processor) -> Group {
    HStack {
      label("CPU")
      Sparkline(processor.history, in: 0...1).foregroundStyle(.teal).layoutPriority(-1)
      value(processor.usage.map(Units.percent) ?? "–")
    }
    HStack {
      label("Cores")
      Sparkline(processor.cores, in: 0...1)
        .foregroundStyle(.teal)
        .frame(width: min(processor.cores.count, 64))
        .accessibilityLabel("Use of each core")
      Spacer()
      value(processor.coreWords)
    }
  }

  @ViewBuilder private func memoryRows(_ memory: MemoryInfo) -> Group {
    gaugeRow("Memory", memory.usedShare, Units.share(memory.used, of: memory.total, Units.binary))
    if memory.swapTotal > 0 {
      let words = Units.share(memory.swapUsed, of: memory.swapTotal, Units.binary)
      gaugeRow("Swap", memory.swapUsedShare, words)
    }
  }

  @ViewBuilder private func loadRow(_ average: LoadAverage) -> Group {
    let day = load.averages(at: extensionContext.now)
    HStack {
      label("Load")
      if day.compactMap({ $0 }).count > 1 {
        Sparkline(day, in: 0...(day.compactMap { $0 } + [1]).reduce(0, max))
          .foregroundStyle(.teal)
          .accessibilityLabel("Load of the last day")
          .layoutPriority(-1)
      } else {
        Spacer()
      }
      value(average.words)
    }
  }

  @ViewBuilder private func temperatureRow(_ temperature: Temperature) -> Group {
    HStack {
      label("Temp")
      Text(temperature.name).lineLimit(1).layoutPriority(-1)
      Spacer()
      Text("\(temperature.degrees) °C").foregroundStyle(temperature.isHigh ? .red : .label)
        .lineLimit(1)
      if temperature.isHigh { Text("too warm").foregroundStyle(.red).lineLimit(1) }
    }
  }

  @ViewBuilder private func batteryRow(_ battery: Battery) -> Group {
    HStack {
      label("Battery")
      Gauge(value: Double(battery.percent) / 100)
        .threshold(at: 0, .red)
        .threshold(at: 0.11, .orange)
        .threshold(at: 0.26, .green)
        .layoutPriority(-1)
      value([battery.state, "\(battery.percent) %"].compactMap { $0 }.joined(separator: "  "))
    }
  }

  @ViewBuilder private func diskRow(_ disk: DiskUsage) -> Group {
    if let trouble = disk.trouble {
      Text("Disk \(disk.mountPoint): \(trouble)").foregroundStyle(.red)
    } else {
      let words = Units.share(disk.used, of: disk.total, Units.decimal)
      gaugeRow(disk.mountPoint == "/" ? "Disk /" : disk.mountPoint, disk.usedShare, words)
    }
  }

  @ViewBuilder private func networkRows(_ interfaces: [SystemState.Interface]) -> Group {
    if interfaces.isEmpty {
      let chosen = sampler.interfaces.joined(separator: ", ")
      Text(
        chosen.isEmpty
          ? "Network: /proc/net/dev lists no interface but lo" : "Network: no interface \(chosen)"
      )
      .dim()
    }
    for interface in interfaces {
      HStack {
        label(interface.name)
        Spacer()
        rate("↓", interface.received)
        rate("↑", interface.sent)
      }
    }
  }

  private func gaugeRow(_ title: String, _ share: Double, _ words: String) -> Group {
    Group {
      HStack {
        label(title)
        Gauge(value: share)
          .threshold(at: 0, .green)
          .threshold(at: 0.8, .yellow)
          .threshold(at: 0.95, .red)
          .layoutPriority(-1)
        value(words)
      }
    }
  }

  // MARK: Cells

  private func label(_ words: String) -> some View {
    Text(words).foregroundStyle(.secondary).lineLimit(1).frame(width: Self.labelWidth)
  }

  private func value(_ words: String) -> some View {
    Text(words).lineLimit(1).multilineTextAlignment(.trailing).frame(minWidth: Self.valueWidth)
  }

  private func rate(_ arrow: String, _ bytesPerSecond: Double?) -> some View {
    Text("\(arrow) \(bytesPerSecond.map(Units.rate) ?? "– B/s")")
      .lineLimit(1)
      .multilineTextAlignment(.trailing)
      .frame(minWidth: 11)
  }

  private func source<Value>(
    _ result: Result<Value, SourceError>,
    _ name: String,
    @ViewBuilder rows: (Value) -> Group
  ) -> Group {
    switch result {
    case .success(let value): rows(value)
    case .failure(let error): Group { Text("\(name): \(error)").foregroundStyle(.red) }
    }
  }
}
