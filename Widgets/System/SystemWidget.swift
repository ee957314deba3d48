import FoundationEssentials
import WidgetKitCore

/// Processor, memory, disks and network of this machine, sampled while the card is visible.
@main final class SystemWidget: Widget {
  private static let labelWidth = 7
  private static let valueWidth = 15

  private var sampler = SystemSampler(
    proc: ProcFolder(path: ProcessInfo.processInfo.environment["TODAY_PROC"] ?? "/proc")
  )

  init() {
    choose()
  }

  func configurationDidChange() {
    choose()
    sampler.sample()
  }

  private func choose() {
    let configuration = extensionContext.configuration
    sampler.disks = configuration.list("disks") ?? []
    sampler.interfaces = configuration.list("interfaces") ?? []
  }

  var body: some View {
    let state = sampler.state
    source(state.processor, "CPU") { processorRows($0) }
    source(state.memory, "Memory") { memoryRow($0) }
    source(state.load, "Load") { load in
      HStack {
        label("Load")
        Spacer()
        value(load.words)
      }
    }
    source(state.disks, "Disk") { disks in
      for disk in disks { diskRow(disk) }
    }
    source(state.network, "Network") { networkRows($0) }
  }

  func viewWillAppear() {
    sampler.resume()
    sampler.sample()
  }

  func viewDidAppear() {
    extensionContext.every(.seconds(2)) { self.sampler.sample() }
  }

  func widgetPerformUpdate(reason: UpdateReason) async throws -> UpdateResult {
    if !sampler.hasRates {
      // Rates need two samples; the second one soon, as the first content waits for it.
      if !sampler.hasLooked { sampler.sample() }
      try await Task.sleep(for: .milliseconds(200))
    }
    sampler.sample()
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

  private func memoryRow(_ memory: MemoryInfo) -> Group {
    gaugeRow("Memory", memory.usedShare, Units.share(memory.used, of: memory.total, Units.binary))
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
