import WidgetKitCore

/// The essence in four rows: processor, memory, the fullest disk, and the network; in the place of the last,
/// what is too warm.
struct CompactRows: View {
  /// The last sample.
  let state: SystemState

  var body: some View {
    Cells.source(state.processor, "CPU", lines: 1) { Cells.processorRow($0) }
    Cells.source(state.memory, "Memory", lines: 1) { memory in
      Cells.gaugeRow(
        "Memory",
        memory.usedShare,
        Units.share(memory.used, of: memory.total, Units.binary)
      )
    }
    Cells.source(state.disks, "Disk", lines: 1) { disks in
      for disk in Self.fullest(disks) { Cells.diskRow(disk).lineLimit(1) }
    }
    if let warm = state.temperatures.first(where: \.isHigh) {
      Cells.temperatureRow(warm)
    } else {
      Cells.source(state.network, "Network", lines: 1) { networkRow($0) }
    }
  }

  /// The disk that has the least room in parts of its size, or one that cannot be read.
  static func fullest(_ disks: [DiskUsage]) -> [DiskUsage] {
    let worst = disks.max { one, other in
      let isWorse = (one.trouble == nil ? 0 : 1, other.trouble == nil ? 0 : 1)
      return isWorse.0 == isWorse.1 ? one.usedShare < other.usedShare : isWorse.0 < isWorse.1
    }
    return worst.map { [$0] } ?? []
  }

  /// The traffic of all interfaces together.
  @ViewBuilder private func networkRow(_ interfaces: [SystemState.Interface]) -> Group {
    HStack {
      Cells.label(interfaces.count == 1 ? interfaces[0].name : "Network")
      Spacer()
      Cells.rate("↓", Self.sum(interfaces.map(\.received)))
      Cells.rate("↑", Self.sum(interfaces.map(\.sent)))
    }
  }

  /// The sum of those that are known; nil where none is.
  static func sum(_ rates: [Double?]) -> Double? {
    let known = rates.compactMap { $0 }
    return known.isEmpty ? nil : known.reduce(0, +)
  }
}
