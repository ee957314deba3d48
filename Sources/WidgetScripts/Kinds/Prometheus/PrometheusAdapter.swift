import WidgetKitCore
import WidgetPlatform

/// Metrics of Prometheus as numbers, rates and lines.
struct PrometheusAdapter: ScriptAdapter {
  private let queries: Result<[PrometheusQuery], PrometheusQuery.Failure>
  private let lines: Int
  private var buffer = ScriptBuffer()
  private var rates = ScriptRates()
  /// The last values of each row, by its title.
  private var past: [String: [Double?]] = [:]

  /// The values of a row that are kept.
  private static let pastLimit = 60

  init(_ script: ScriptProgram) {
    lines = Int(clamping: script.lines.magnitude)
    let metrics = script.options.parameters["metrics"]
    queries = Result { () throws(PrometheusQuery.Failure) in
      guard let metrics else {
        throw PrometheusQuery.Failure(
          description: "metrics=\"NAME, …\" says which metrics are shown"
        )
      }
      return try PrometheusQuery.list(metrics)
    }
  }

  mutating func begin() { buffer.begin() }
  mutating func append(_ bytes: [UInt8]) { buffer.append(bytes) }

  mutating func content(_ end: TerminationStatus?, at now: ContinuousClock.Instant) -> ScriptContent
  {
    if let failure = ScriptContent.failure(end) { return failure }
    guard end != nil else { return .nothing }
    let text = PrometheusText(String(decoding: buffer.bytes, as: UTF8.self))
    guard !text.samples.isEmpty else { return .failure("printed no metrics") }
    switch queries {
    case .failure(let failure): return .failure(failure.description)
    case .success(let queries):
      var rows: [[ViewNode]] = []
      var number: Double?
      var leftOut = 0
      for (index, query) in queries.enumerated() {
        let samples = query.samples(in: text)
        // Each of the others has a row, too, as far as there are some.
        let others = queries.count - 1 - index
        let room = max(lines - rows.count - others, rows.count < lines ? 1 : 0)
        leftOut += max(0, max(1, samples.count) - room)
        if samples.isEmpty, room > 0 {
          // A metric that is there, and whose value is none, is not missing.
          let words = text.unreadable.contains(query.name) ? "cannot be read" : "not found"
          rows.append(row(query.title ?? query.name, nil, isRate: query.isRate, missing: words))
        }
        for (title, sample) in samples.prefix(room) {
          let key = title + (query.isRate ? " rate" : "")
          let value =
            query.isRate ? rates.rate(of: key, sample.value, at: now) : Optional(sample.value)
          remember(key, value)
          if rows.isEmpty { number = value.flatMap { $0.isFinite ? $0 : nil } }
          rows.append(row(title, value, isRate: query.isRate, past: past[key] ?? []))
        }
      }
      var columns = [GridColumn(priority: 1), GridColumn(alignment: .trailing, priority: 2)]
      // Before the second run, no row has a line.
      if past.values.contains(where: { $0.count > 1 }) {
        columns.append(GridColumn(minWidth: 8))
      } else {
        rows = rows.map { Array($0.prefix(2)) }
      }
      let grid = GridContent(rows: rows, columns: columns, columnSpacing: 2)
      let view = ViewNode(.grid(grid))
      let whole = leftOut > 0 ? ScriptWords.stack([view, ScriptWords.more(leftOut)]) : view
      return .picture(ScriptPicture(view: whole, number: number))
    }
  }

  private mutating func remember(_ key: String, _ value: Double?) {
    let values = (past[key] ?? []) + [value.flatMap { $0.isFinite ? $0 : nil }]
    past[key] = values.suffix(Self.pastLimit)
  }

  private func row(
    _ title: String,
    _ value: Double?,
    isRate: Bool,
    missing: String? = nil,
    past: [Double?] = []
  ) -> [ViewNode] {
    let words =
      missing
      ?? value.map { ScriptNumber.words($0) + (isRate ? "/s" : "") } ?? "…"
    let line =
      past.count > 1
      ? ViewNode(.sparkline(SparklineContent(values: past))) : ScriptWords.text(" ")
    return [
      ScriptWords.text(title, .secondary),
      ScriptWords.text(words, missing == nil ? nil : .secondary, bold: missing == nil ? true : nil),
      line,
    ]
  }
}
