import WidgetKitCore
import WidgetPlatform

/// Plugins of Nagios: the exit statuses 0 to 3 are content, and performance data are gauges.
struct NagiosAdapter: ScriptAdapter {
  private let lines: Int
  private var buffer = ScriptBuffer()
  private var rates = ScriptRates()
  /// What the run has written on standard error.
  private var errors: [SafeText] = []

  init(_ script: ScriptProgram) {
    lines = Int(clamping: script.lines.magnitude)
  }

  mutating func begin() {
    buffer.begin()
    errors = []
  }

  mutating func append(_ bytes: [UInt8]) { buffer.append(bytes) }
  mutating func appendErrors(_ lines: [SafeText]) { errors = lines }

  mutating func content(_ end: TerminationStatus?, at now: ContinuousClock.Instant) -> ScriptContent
  {
    let state: NagiosState
    switch end {
    case .exited(let status): state = NagiosState(status)
    case let end?: return .failure("\(end)")
    case nil: return .nothing
    }
    var output = NagiosOutput(String(decoding: buffer.bytes, as: UTF8.self))
    // A program that could not be run at all has no status of a plugin.
    if case .exited(let status) = end, status > 3, output.text.isEmpty {
      return .failure("exit \(status)")
    }
    if output.text.isEmpty, output.details.isEmpty {
      // A program that fails says why on standard error, most on its last line.
      output.text = errors.last?.string ?? ""
      output.details = errors.dropLast().map(\.string)
    }
    return .picture(
      ScriptPicture(view: view(output, state, now), number: output.data.first?.value)
    )
  }

  private mutating func view(
    _ output: NagiosOutput,
    _ state: NagiosState,
    _ now: ContinuousClock.Instant
  ) -> ViewNode {
    let mark = TextSpan(
      "● \(SafeText(state.words))  ",
      style: TextStyle(foreground: state.color, bold: true)
    )
    let words = output.text.isEmpty ? "no output" : output.text
    var children = [
      ViewNode(.text(TextContent(spans: [mark, TextSpan(SafeText(words))], lineLimit: 2)))
    ]
    for line in output.details.prefix(lines) {
      var node = ViewNode(.text(TextContent(spans: [TextSpan(SafeText(line))], lineLimit: 1)))
      node.style = TextStyle(foreground: .secondary)
      children.append(node)
    }
    if output.details.count > lines {
      children.append(ScriptWords.more(output.details.count - lines))
    }
    var rows: [[ViewNode]] = []
    for datum in output.data { rows.append(row(datum, now)) }
    if !rows.isEmpty {
      let columns = [GridColumn(priority: 1), GridColumn()]
      children.append(
        ViewNode(.grid(GridContent(rows: rows, columns: columns, columnSpacing: 2)))
      )
    }
    return ViewNode(.vstack(StackContent(children: children)))
  }

  private mutating func row(_ datum: NagiosDatum, _ now: ContinuousClock.Instant) -> [ViewNode] {
    var label = ViewNode(
      .text(TextContent(spans: [TextSpan(SafeText(datum.label))], lineLimit: 1))
    )
    label.style = TextStyle(foreground: .secondary)
    guard var value = datum.value else { return [label, ScriptWords.text("unknown", .secondary)] }
    var unit = datum.unit
    if datum.isCounter {
      guard let rate = rates.rate(of: datum.label, value, at: now) else {
        return [label, ScriptWords.text("…", .secondary)]
      }
      (value, unit) = (rate, "/s")
    }
    let words = Self.words(value, unit)
    let color = color(datum, value)
    let top = datum.maximum ?? (unit == "%" ? 100 : nil)
    guard !datum.isCounter, let top, top > datum.minimum ?? 0 else {
      return [label, ScriptWords.text(words, color)]
    }
    // A range can alert below a value, inside of it and beyond it, which thresholds cannot say.
    let thresholds = color.map { [GaugeThreshold(at: value, foreground: $0)] } ?? []
    let gauge = GaugeContent(
      value: value,
      minimum: datum.minimum ?? 0,
      maximum: top,
      valueLabel: SafeText(words),
      thresholds: thresholds
    )
    return [label, ViewNode(.gauge(gauge))]
  }

  /// The units of a size, each that many times the one before it.
  private static let sizes: [(units: [String], step: Double)] = [
    (["B", "KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"], 1_000),
    (["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"], 1_024),
    (["b", "kb", "mb", "gb", "tb", "pb", "eb"], 1_000),
  ]

  /// A number with its unit; sizes by the thousand in a larger one.
  private static func words(_ value: Double, _ unit: String) -> String {
    let plain = ScriptNumber.words(value) + (unit.isEmpty ? "" : " \(unit)")
    let unit = unit == "kB" ? "KB" : unit
    guard let size = sizes.first(where: { $0.units.contains(unit) }), value.isFinite,
      var index = size.units.firstIndex(of: unit)
    else { return plain }
    var value = value
    while value.magnitude >= 10 * size.step, index < size.units.count - 1 {
      value /= size.step
      index += 1
    }
    return "\(ScriptNumber.words(value)) \(size.units[index])"
  }

  private func color(_ datum: NagiosDatum, _ value: Double) -> Color? {
    if datum.critical?.alerts(value) == true { return .red }
    if datum.warning?.alerts(value) == true { return .orange }
    return nil
  }
}

/// The state that a plugin reports with its exit status.
enum NagiosState: Hashable, Sendable {
  case ok, warning, critical, unknown

  init(_ status: Int32) {
    self =
      switch status {
      case 0: .ok
      case 1: .warning
      case 2: .critical
      default: .unknown
      }
  }

  /// The state of an output without an exit status: what it says in words, or what its thresholds say.
  init(saidBy output: NagiosOutput) {
    let words = output.text.uppercased().split { !$0.isLetter }
    let named = words.lazy.compactMap { Self.names[String($0)] }.first
    let alerts = { (range: KeyPath<NagiosDatum, NagiosRange?>) in
      output.data.contains { datum in
        datum.value.map { datum[keyPath: range]?.alerts($0) == true } ?? false
      }
    }
    self = named ?? (alerts(\.critical) ? .critical : alerts(\.warning) ? .warning : .unknown)
  }

  private static let names: [String: NagiosState] = [
    "OK": .ok, "WARNING": .warning, "WARN": .warning, "CRITICAL": .critical, "CRIT": .critical,
    "UNKNOWN": .unknown,
  ]

  /// The exit status that reports it.
  var status: Int32 {
    switch self {
    case .ok: 0
    case .warning: 1
    case .critical: 2
    case .unknown: 3
    }
  }

  var words: String {
    switch self {
    case .ok: "OK"
    case .warning: "WARNING"
    case .critical: "CRITICAL"
    case .unknown: "UNKNOWN"
    }
  }

  var color: Color {
    switch self {
    case .ok: .green
    case .warning: .orange
    case .critical: .red
    case .unknown: .purple
    }
  }
}
