import WidgetKitCore

/// What one machine says in the view of a widget, as far as machines can be compared by it.
struct FleetSummary: Hashable {
  /// How bad it is: a gauge above a threshold, or a text in a warning colour.
  enum Severity: Int, Comparable {
    case none, warning, critical

    static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }

    init(_ color: Color?) {
      self =
        switch color {
        case .semantic(.red)?: .critical
        case .semantic(.orange)?, .semantic(.yellow)?: .warning
        default: .none
        }
    }
  }

  /// A number with its name.
  struct Figure: Hashable {
    var label: SafeText
    var words: SafeText
    var severity: Severity
  }

  private(set) var severity = Severity.none
  /// The gauges and graphs with a name, in their order.
  private(set) var figures: [Figure] = []
  /// What is said in words, at most a line.
  private(set) var text: SafeText = ""

  static let figureLimit = 5
  private static let textLimit = 200

  init(_ view: ViewNode) {
    add(view)
    let words = view.texts.first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    text = SafeText(String(words.prefix(Self.textLimit))).onOneLine
  }

  private mutating func add(_ node: ViewNode) {
    switch node.content {
    case .gauge(let gauge):
      severity = max(severity, Self.severity(gauge))
      if let label = gauge.label {
        add(label, gauge.valueLabel ?? Self.percent(gauge), Self.severity(gauge))
      }
    case .text(let text):
      severity = max(severity, Severity(node.style.foreground))
      for span in text.spans { severity = max(severity, Severity(span.style.foreground)) }
    case .hstack(let stack): addRow(stack.children)
    case .grid(let grid): for row in grid.rows { addRow(row) }
    default: break
    }
    for child in node.children { add(child) }
  }

  /// A row of a name, a bar or a graph, and a value.
  private mutating func addRow(_ cells: [ViewNode]) {
    guard let first = cells.first, case .text = first.content,
      let label = first.texts.first.map({ SafeText($0) })
    else { return }
    for cell in cells.dropFirst() {
      switch cell.content {
      case .gauge(let gauge) where gauge.label == nil:
        return add(label, gauge.valueLabel ?? Self.percent(gauge), Self.severity(gauge))
      case .sparkline:
        guard let last = cells.last, case .text = last.content, let words = last.texts.first
        else { return }
        return add(label, SafeText(words), Severity(last.style.foreground))
      default: break
      }
    }
  }

  private mutating func add(_ label: SafeText, _ words: SafeText, _ severity: Severity) {
    let label = label.onOneLine
    guard figures.count < Self.figureLimit, label.string.contains(where: { !$0.isWhitespace }),
      !figures.contains(where: { $0.label == label })
    else { return }
    figures.append(Figure(label: label, words: words.onOneLine, severity: severity))
  }

  /// That of the highest threshold that is reached.
  private static func severity(_ gauge: GaugeContent) -> Severity {
    let reached = gauge.thresholds.filter { gauge.value >= $0.at }.max { $0.at < $1.at }
    return Severity(reached?.foreground)
  }

  private static func percent(_ gauge: GaugeContent) -> SafeText {
    let range = gauge.maximum - gauge.minimum
    let part = (gauge.value - gauge.minimum) / range
    guard range.isFinite, range > 0, part.isFinite else { return "–" }
    return SafeText("\(Int((min(max(part, 0), 1) * 100).rounded())) %")
  }
}
