import FoundationEssentials
import WidgetExtensions
import WidgetKitCore
import WidgetPages
import WidgetPlatform

/// What a widget used while it was inspected, second by second.
nonisolated struct InspectorSamples: Sendable {
  /// A measurement, as totals of one run.
  private struct Total {
    var date: Date
    var start: Date?
    var cpu: Duration
    var bytes: Int
  }

  /// The share of a processor, from 0; one for each two measurements of one run.
  private(set) var cpu: [Double] = []
  /// Bytes of memory.
  private(set) var memory: [Double] = []
  /// Bytes that were exchanged in a second.
  private(set) var traffic: [Double] = []
  private var last: Total?

  /// How many of each are kept.
  static let limit = 60

  /// Adds a measurement.
  mutating func add(_ found: Inspection, at date: Date) {
    let total = Total(
      date: date,
      start: found.run?.start,
      cpu: found.cpuTime ?? .zero,
      bytes: (found.run?.bytesReceived ?? 0).addingSaturated(found.run?.bytesSent ?? 0)
    )
    defer { last = total }
    Self.append(Double(found.memoryBytes ?? 0), to: &memory)
    guard let last, last.start == total.start, date > last.date else { return }
    let seconds = date.timeIntervalSince(last.date)
    Self.append(max(0, (total.cpu - last.cpu).seconds / seconds), to: &cpu)
    Self.append(max(0, Double(total.bytes - last.bytes) / seconds), to: &traffic)
  }

  private static func append(_ value: Double, to values: inout [Double]) {
    values.append(value)
    if values.count > limit { values.removeFirst(values.count - limit) }
  }
}

nonisolated extension TextLine {
  /// Values as bars from the bottom of a line, the greatest of them as high as the line.
  static func bars(_ values: [Double], _ glyphs: GlyphSet) -> TextLine {
    let steps = Glyph.glyphs(of: glyphs == .unicode ? "▁▂▃▄▅▆▇█" : ".:-=+*#")
    let most = max(values.max() ?? 0, .leastNonzeroMagnitude)
    return TextLine(
      glyphs: values.map { value in
        guard value > 0 else { return steps[0] }
        let step = Int(saturated: (value / most * Double(steps.count - 1)).rounded())
        return steps[min(max(0, step), steps.count - 1)]
      }
    )
  }
}
