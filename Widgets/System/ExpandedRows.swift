import WidgetKitCore

/// Everything that is known of the machine.
struct ExpandedRows: View {
  /// Of more processors there is one column each.
  private static let coreBarLimit = 32
  /// The columns of the bar of one processor, with its number and its use.
  private static let coreColumns = 17
  /// From this width on, there is room for the number of tasks beside the load.
  private static let tasksColumns = 50
  private static let graphRows = 4
  /// The columns of a part of the memory: its name, and its size at the end.
  private static let partColumns = 22...32

  /// The last sample.
  let state: SystemState
  /// The load of the last day, oldest first; nil for a gap.
  let load: [Double?]
  /// The last minutes.
  var history = SampleHistory()
  /// The interfaces of the settings.
  let chosenInterfaces: [String]
  /// The columns of the card.
  let columns: Int

  var body: some View {
    Cells.source(state.processor, "CPU") { processorRows($0) }
    Cells.source(state.memory, "Memory") { memoryRows($0) }
    Cells.source(state.load, "Load") { loadRows($0) }
    for graphics in state.graphics { graphicsRow(graphics) }
    for temperature in state.temperatures { Cells.temperatureRow(temperature, lines: 2) }
    for battery in state.batteries { batteryRow(battery) }
    Cells.source(state.disks, "Disk") { disks in
      for disk in disks { Cells.diskRow(disk) }
    }
    Cells.source(state.network, "Network") { networkRows($0) }
  }

  private static func style(_ color: Color) -> TextStyle {
    var style = TextStyle.inherited
    style.foreground = color
    return style
  }

  // MARK: - Processors

  @ViewBuilder private func processorRows(_ processor: SystemState.Processor) -> Group {
    HStack {
      Cells.label("CPU")
      Spacer()
      Cells.value(processor.usage.map(Units.percent) ?? "–")
    }
    if processor.history.contains(where: { $0 != nil }) {
      let values = SampleHistory.filled(processor.history).map { $0.map { $0 * 100 } }
      Chart(
        [ChartSeries(values: values, style: Self.style(.teal))],
        kind: .area,
        in: 0...100,
        height: Self.graphRows
      )
      .axis(unit: "%")
      .accessibilityLabel("Use of all processors in the last minutes")
    }
    if processor.cores.count > Self.coreBarLimit {
      HStack {
        Cells.label("Cores")
        Sparkline(processor.cores, in: 0...1)
          .foregroundStyle(.teal)
          .accessibilityLabel("Use of each core")
        Spacer()
        Cells.value(processor.coreWords)
      }
    } else if processor.cores.count > 1 {
      coreBars(processor.cores)
    }
  }

  @ViewBuilder private func coreBars(_ cores: [Double?]) -> Group {
    let perRow = max(1, min(columns / Self.coreColumns, 4, cores.count))
    let width = (columns - 2 * (perRow - 1)) / perRow
    for start in stride(from: 0, to: cores.count, by: perRow) {
      HStack(spacing: 2) {
        for number in start..<min(start + perRow, cores.count) {
          coreBar(number, cores[number]).frame(width: width)
        }
        Spacer()
      }
    }
  }

  private func coreBar(_ number: Int, _ use: Double?) -> some View {
    HStack {
      Text("\(number)").foregroundStyle(.secondary).lineLimit(1)
        .multilineTextAlignment(.trailing)
        .frame(width: 2)
      Gauge(value: use ?? 0).foregroundStyle(.teal).layoutPriority(-1)
      Text(use.map(Units.percent) ?? "–").lineLimit(1)
        .multilineTextAlignment(.trailing)
        .frame(width: 5)
    }
    .accessibilityLabel("Core \(number), \(use.map(Units.percent) ?? "not known")")
  }

  // MARK: - Memory and load

  @ViewBuilder private func memoryRows(_ memory: MemoryInfo) -> Group {
    let words = Units.share(memory.used, of: memory.total, Units.binary)
    Cells.gaugeRow("Memory", memory.usedShare, words)
    if history.memory.count(where: { $0 != nil }) > 1 {
      HStack {
        Cells.label("")
        Sparkline(
          // In tenths of a percent, as more of them say nothing.
          history.memory.map { $0.map { ($0 * 1_000).rounded() / 10 } },
          in: Self.scale(of: history.memory),
          height: 2
        )
        .range(unit: "%")
        .foregroundStyle(.green)
        .accessibilityLabel("Used memory in the last minutes")
        .layoutPriority(-1)
      }
    }
    memoryParts(Self.parts(of: memory))
    if memory.swapTotal > 0 {
      let words = Units.share(memory.swapUsed, of: memory.swapTotal, Units.binary)
      Cells.gaugeRow("Swap", memory.swapUsedShare, words)
    }
  }

  /// The percentages at the bottom and at the top of a graph of shares: from nothing to a round number above all of them.
  static func scale(of shares: [Double?]) -> ClosedRange<Double> {
    let most = (shares.compactMap { $0 }.max() ?? 1) * 100
    return 0...(roundEnds.first { most <= $0 } ?? 100)
  }

  private static let roundEnds = [5.0, 10, 20, 30, 40, 50, 60, 80, 100]

  /// What the rest of the memory is used for.
  static func parts(of memory: MemoryInfo) -> [(name: String, size: String)] {
    let parts = [
      ("free", memory.free), ("cache", memory.cache), ("shared", memory.shared),
      ("to be written", memory.unwritten),
    ]
    return parts.filter { $0.1 > 0 }.map { ($0.0, Units.size($0.1, Units.binary)) }
  }

  /// The parts in columns, two in a row; in a narrow card as a sentence.
  @ViewBuilder private func memoryParts(_ parts: [(name: String, size: String)]) -> Group {
    let width = min((columns - Cells.labelColumns - 3) / 2, Self.partColumns.upperBound)
    if parts.isEmpty {
      Group {}
    } else if width < Self.partColumns.lowerBound {
      Cells.detail(parts.map { "\($0.name) \($0.size)" }.joined(separator: ", "))
    } else {
      for start in stride(from: 0, to: parts.count, by: 2) {
        HStack {
          Cells.label("")
          HStack(spacing: 2) {
            for part in parts[start..<min(start + 2, parts.count)] {
              HStack {
                Text(part.name).lineLimit(1)
                Spacer()
                Text(part.size).lineLimit(1)
              }
              .frame(width: width)
            }
          }
        }
        .foregroundStyle(.secondary)
      }
    }
  }

  private var coreCount: Int { (try? state.processor.get())?.cores.count ?? 0 }

  /// The colour of the load: more tasks than processors wait for each other, and twice as many for long.
  static func loadColor(_ average: LoadAverage, cores: Int) -> Color {
    guard cores > 0 else { return .label }
    let share = average.shortest / Double(cores)
    return share > 2 ? .red : share > 1 ? .orange : .label
  }

  @ViewBuilder private func loadRows(_ average: LoadAverage) -> Group {
    HStack {
      Cells.label("Load")
      if let tasks = average.tasks, columns >= Self.tasksColumns {
        Text("\(tasks.running) of \(tasks.all) tasks run").foregroundStyle(.secondary).lineLimit(1)
          .layoutPriority(-1)
      }
      Spacer()
      Cells.value(average.words).foregroundStyle(Self.loadColor(average, cores: coreCount))
    }
    if load.compactMap({ $0 }).count > 1 {
      HStack {
        Cells.label("24 h")
        Sparkline(load, in: 0...(load.compactMap { $0 } + [1]).reduce(0, max), height: 2)
          .foregroundStyle(.teal)
          .accessibilityLabel("Load of the last day")
          .layoutPriority(-1)
      }
    }
  }

  @ViewBuilder private func graphicsRow(_ graphics: GraphicsProcessor) -> Group {
    let degrees = graphics.degrees.map { "\($0) °C" }
    HStack {
      Cells.label("GPU")
      Text(graphics.name).lineLimit(1).layoutPriority(-1)
      Spacer()
      Cells.value(
        [degrees, graphics.usage.map(Units.percent)].compactMap { $0 }.joined(separator: "  ")
      )
    }
    if let usage = graphics.usage { Cells.gaugeRow("", usage, "busy") }
    if let memory = graphics.memory {
      Cells.gaugeRow(
        "",
        Double(memory.used) / Double(memory.total),
        Units.share(memory.used, of: memory.total, Units.binary)
      )
    }
  }

  private func batteryRow(_ battery: Battery) -> some View {
    HStack {
      Cells.label("Battery")
      Gauge(value: Double(battery.percent) / 100)
        .threshold(at: 0, .red)
        .threshold(at: 0.11, .orange)
        .threshold(at: 0.26, .green)
        .layoutPriority(-1)
      Cells.value(
        [battery.state, "\(battery.percent) %"].compactMap { $0 }.joined(separator: "  ")
      )
    }
  }

  // MARK: - Network

  @ViewBuilder private func networkRows(_ interfaces: [SystemState.Interface]) -> Group {
    if interfaces.isEmpty {
      let chosen = chosenInterfaces.joined(separator: ", ")
      Text(
        chosen.isEmpty
          ? "Network: /proc/net/dev lists no interface but lo" : "Network: no interface \(chosen)"
      )
      .dim()
    }
    networkGraph
    for interface in interfaces {
      HStack {
        Cells.label(interface.name)
        Spacer()
        Cells.rate("↓", interface.received)
        Cells.rate("↑", interface.sent)
      }
      HStack {
        Spacer()
        Cells.total("↓", interface.total.received)
        Cells.total("↑", interface.total.sent)
      }
      .foregroundStyle(.secondary)
      .accessibilityLabel("\(interface.name) since it is up")
    }
  }

  /// What all interfaces receive goes up, and what they send down, each in a scale of its own, with the highest rates.
  @ViewBuilder private var networkGraph: Group {
    let (received, sent) = (Self.highest(history.received), Self.highest(history.sent))
    if max(received, sent) > 0 {
      HStack {
        Cells.label("Peaks")
        Spacer()
        Cells.rate("↓", received)
        Cells.rate("↑", sent)
      }
      .foregroundStyle(.secondary)
      Chart(
        [
          ChartSeries(values: SampleHistory.filled(history.received), style: Self.style(.blue)),
          ChartSeries(values: SampleHistory.filled(history.sent), style: Self.style(.purple)),
        ],
        kind: .area,
        height: Self.graphRows
      )
      .mirrored()
      .accessibilityLabel("Received and sent by all interfaces in the last minutes")
    }
  }

  private static func highest(_ rates: [Double?]) -> Double { rates.compactMap { $0 }.max() ?? 0 }
}
