import FoundationEssentials
import WidgetKitCore
import WidgetTestSupport

/// Creates view trees of every type, with members that no careful widget would send.
struct RandomTree {
  private var random: SeededGenerator
  private var nodesLeft = 60

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private static let texts: [SafeText] = [
    "", "x", "a few words that go on for a while", "日本語テキスト", "👩‍🚀👨‍👩‍👧 family", "🇩🇰🇯🇵",
    "Z\u{301}\u{302}\u{303}", "\u{301}alone", "two\nlines", "क्षत्रिय", "Pneumonoultramicroscopic",
    "  indented", "\n\n", "한국어 텍스트", "tab\there",
  ]

  private static let extents = [0, 0, 1, 1, 2, 3, 5, 8, 40, 10_000]

  private static let numbers: [Double] = [
    0, 1, -1, 0.5, 42, 1e308, -1e308, 2.3e-308, 0.1, 100,
  ]

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func maybe<Value>(_ value: Value) -> Value? {
    chance(25) ? value : nil
  }

  private mutating func style() -> TextStyle {
    guard chance(30) else { return .inherited }
    let colors: [Color] = [.accent, .indexed(7), .rgb(red: 1, green: 2, blue: 3)]
    return TextStyle(
      foreground: maybe(pick(colors)),
      background: maybe(pick(colors)),
      bold: maybe(chance(50)),
      reverse: maybe(chance(50))
    )
  }

  private mutating func values() -> [Double?] {
    (0..<pick([0, 1, 2, 7, 90])).map { _ in chance(10) ? nil : pick(Self.numbers) }
  }

  private mutating func spans() -> [TextSpan] {
    (0..<pick([0, 1, 1, 2, 4])).map { _ in
      TextSpan(
        pick(Self.texts),
        style: style(),
        link: maybe("https://example.com"),
        action: maybe("press")
      )
    }
  }

  private mutating func children(_ depth: Int) -> [ViewNode] {
    (0..<pick([0, 1, 2, 3, 6])).map { _ in node(depth + 1) }
  }

  mutating func node(_ depth: Int = 0) -> ViewNode {
    nodesLeft -= 1
    var node = ViewNode(depth > 6 || nodesLeft < 0 ? .text(text()) : content(depth))
    node.id = maybe("id\(nodesLeft)")
    node.style = style()
    if chance(20) {
      node.padding = EdgeInsets(
        top: pick(Self.extents),
        left: pick(Self.extents),
        bottom: pick(Self.extents),
        right: pick(Self.extents)
      )
    }
    if chance(25) {
      node.frame = FrameBounds(
        width: maybe(pick(Self.extents)),
        height: maybe(pick(Self.extents)),
        minWidth: maybe(pick(Self.extents)),
        maxWidth: maybe(pick(Self.extents)),
        minHeight: maybe(pick(Self.extents)),
        maxHeight: maybe(pick(Self.extents))
      )
    }
    node.layoutPriority = chance(20) ? pick(Self.numbers) : 0
    node.link = maybe("clowntown://post/1")
    node.action = maybe("more")
    node.transition = pick([.opacity, .slide, .none])
    node.privacySensitive = chance(10)
    node.accessibilityLabel = maybe(pick(Self.texts))
    node.help = maybe(pick(Self.texts))
    return node
  }

  private mutating func text() -> TextContent {
    TextContent(
      spans: spans(),
      lineLimit: maybe(pick([0, 1, 2, 5])),
      truncation: pick(Truncation.allCases),
      alignment: pick(Alignment.allCases)
    )
  }

  private mutating func date() -> DateContent {
    let seconds: [Double] = [0, 1_795_181_527.25, -1e9, 2e9]
    let isNow = chance(30)
    return DateContent(
      date: isNow ? nil : Date(timeIntervalSinceReferenceDate: pick(seconds)),
      offsetFromGMT: isNow ? nil : maybe(pick([0, 3600, -12_600])),
      display: pick(DateDisplay.allCases),
      timeZone: maybe(pick(["Asia/Tokyo", "No/Such", "../etc/passwd", ""]))
    )
  }

  private mutating func content(_ depth: Int) -> ViewNode.Content {
    let extent = pick(Self.extents)
    switch Int.random(in: 0..<17, using: &random) {
    case 0, 1: return .text(text())
    case 2: return .date(date())
    case 3:
      return .vstack(
        StackContent(children: children(depth), spacing: maybe(extent), alignment: alignment())
      )
    case 4, 5:
      return .hstack(
        StackContent(children: children(depth), spacing: maybe(extent), alignment: alignment())
      )
    case 6: return .zstack(LayeredContent(children: children(depth), alignment: alignment()))
    case 7: return .grid(grid(depth))
    case 8: return .spacer(minLength: extent)
    case 9: return .divider
    case 10: return .gauge(gauge())
    case 11: return .sparkline(SparklineContent(values: values(), minimum: bound(), height: extent))
    case 12: return .chart(chart(extent))
    case 13: return .image(ImageContent(alt: maybe(pick(Self.texts)), height: maybe(extent)))
    case 14: return .button(ControlContent(label: node(depth + 1)))
    case 15: return .toggle(ToggleContent(label: node(depth + 1), isOn: chance(50)))
    default:
      if chance(50) { return .ansi(AnsiContent(spans: spans())) }
      let alt = maybe(pick(Self.texts))
      return .unknown(UnknownContent(type: "hologram", alt: alt, children: children(depth)))
    }
  }

  private mutating func alignment() -> Alignment { pick(Alignment.allCases) }

  private mutating func bound() -> Double? { maybe(pick(Self.numbers)) }

  private mutating func gauge() -> GaugeContent {
    GaugeContent(
      value: pick(Self.numbers),
      minimum: pick(Self.numbers),
      maximum: pick(Self.numbers),
      label: maybe(pick(Self.texts)),
      valueLabel: maybe(pick(Self.texts)),
      thresholds: chance(30) ? [GaugeThreshold(at: 0.9, foreground: .red)] : []
    )
  }

  private mutating func chart(_ height: Int) -> ChartContent {
    ChartContent(
      series: (0..<pick([0, 1, 3])).map { _ in
        ChartSeries(name: maybe(pick(Self.texts)), values: values(), style: style())
      },
      minimum: bound(),
      maximum: bound(),
      height: height,
      kind: pick(ChartKind.allCases),
      showsAxis: chance(50),
      showsLegend: chance(50),
      unit: maybe(pick(Self.texts))
    )
  }

  private mutating func grid(_ depth: Int) -> GridContent {
    GridContent(
      rows: (0..<pick([0, 1, 3])).map { _ in children(depth) },
      columns: (0..<pick([0, 1, 4])).map { _ in
        GridColumn(
          alignment: alignment(),
          width: maybe(pick(Self.extents)),
          minWidth: maybe(pick(Self.extents)),
          priority: pick([0, 1, -1])
        )
      },
      columnSpacing: pick(Self.extents),
      rowSpacing: pick(Self.extents)
    )
  }
}
