import WidgetKitCore

/// The parts of rows, which have the same columns in all of them.
enum Cells {
  static let labelColumns = 7
  private static let valueColumns = 15
  private static let rateColumns = 11

  static func label(_ words: String) -> some View {
    Text(words).foregroundStyle(.secondary).lineLimit(1).frame(width: labelColumns)
  }

  static func value(_ words: String) -> some View { ending(words, columns: valueColumns) }

  /// Words at the end of their columns.
  ///
  /// With an alignment they would take half of what is free, and a bar before them had the other half.
  private static func ending(_ words: String, columns: Int) -> some View {
    let blanks = String(repeating: " ", count: max(0, columns - words.count))
    return Text(blanks + words).lineLimit(1).frame(minWidth: columns)
  }

  /// A row of words below the bar of another one.
  static func detail(_ words: String) -> some View {
    HStack {
      label("")
      Text(words).foregroundStyle(.secondary).lineLimit(3)
    }
  }

  static func rate(_ arrow: String, _ bytesPerSecond: Double?) -> some View {
    ending("\(arrow) \(bytesPerSecond.map(Units.rate) ?? "– B/s")", columns: rateColumns)
  }

  /// All bytes since the interface is up, below its rate.
  static func total(_ arrow: String, _ bytes: UInt64) -> some View {
    ending("\(arrow) \(Units.size(bytes, Units.decimal))", columns: rateColumns)
  }

  static func gaugeRow(_ title: String, _ share: Double, _ words: String) -> some View {
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

  static func diskRow(_ disk: DiskUsage) -> Group {
    if let trouble = disk.trouble {
      return Text("Disk \(disk.mountPoint): \(trouble)").foregroundStyle(.red)
    }
    let words = Units.share(disk.used, of: disk.total, Units.binary)
    let title = disk.mountPoint == "/" ? "Disk /" : disk.mountPoint
    return Group { gaugeRow(title, disk.usedShare, words) }
  }

  static func processorRow(_ processor: SystemState.Processor, height: Int = 1) -> some View {
    HStack {
      label("CPU")
      Sparkline(processor.history, in: 0...1, height: height).foregroundStyle(.teal).layoutPriority(
        -1
      )
      value(processor.usage.map(Units.percent) ?? "–")
    }
  }

  static func temperatureRow(_ temperature: Temperature, lines: Int = 1) -> some View {
    HStack {
      label("Temp")
      Text(temperature.name).lineLimit(lines).layoutPriority(-1)
      Spacer()
      Text("\(temperature.degrees) °C").foregroundStyle(temperature.isHigh ? .red : .label)
        .lineLimit(1)
      if temperature.isHigh { Text("too warm").foregroundStyle(.red).lineLimit(1) }
    }
  }

  /// The rows of a source, or why it cannot be read.
  static func source<Value>(
    _ result: Result<Value, SourceError>,
    _ name: String,
    lines: Int? = nil,
    @ViewBuilder rows: (Value) -> Group
  ) -> Group {
    switch result {
    case .success(let value): rows(value)
    case .failure(let error):
      Group { Text("\(name): \(error)").foregroundStyle(.red).lineLimit(lines) }
    }
  }
}
