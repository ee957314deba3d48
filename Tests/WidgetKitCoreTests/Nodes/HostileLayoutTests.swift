import FoundationEssentials
import Testing
import WidgetKitCore

@Suite struct `Layout of hostile trees` {
  private static let environment = LayoutEnvironment(
    now: Date(timeIntervalSince1970: 1_795_181_527),
    dates: DateWording(offsetFromGMT: 0)
  )

  /// Checks the invariants of a laid-out view.
  private func check(_ view: LaidOutView, _ comment: Comment) {
    let bounds = Rect(origin: .zero, size: view.size)
    for run in view.runs {
      let frame = Rect(origin: run.position, size: Size(columns: run.cells.count, rows: 1))
      #expect(bounds.intersection(frame) == frame && !run.cells.isEmpty, comment)
      for (index, cell) in run.cells.enumerated() {
        if cell.glyph.width == 2 {
          let next = index + 1 < run.cells.count ? run.cells[index + 1].glyph : nil
          #expect(next == .continuation, comment)
        } else if cell.glyph == .continuation {
          #expect(index > 0 && run.cells[index - 1].glyph.width == 2, comment)
        } else {
          #expect(cell.glyph.width == 1, comment)
        }
        #expect(!cell.glyph.text.contains("\n"), comment)
      }
      if let element = run.element { #expect(view.elements.indices.contains(element), comment) }
    }
    for target in view.targets {
      #expect(bounds.intersection(target.frame) == target.frame, comment)
    }
    for (index, element) in view.elements.enumerated() {
      #expect(element.parent ?? -1 < index, comment)
    }
  }

  @Test(arguments: 0..<150)
  func `stays inside its bounds`(seed: UInt64) {
    var tree = RandomTree(seed: seed)
    let node = tree.node()
    for glyphs in GlyphSet.allCases {
      var environment = Self.environment
      environment.glyphs = glyphs
      environment.redactsPrivate = glyphs == .console
      for (width, height) in [(0, nil), (1, nil), (7, 3), (20, nil), (41, nil), (80, 24)] {
        let view = ViewLayout.layOut(node, width: width, height: height, in: environment)
        check(view, "seed \(seed), \(glyphs), \(width) columns")
      }
    }
  }

  @Test(arguments: 0..<10)
  func `has the height that was computed`(seed: UInt64) {
    var tree = RandomTree(seed: 1000 + seed)
    let node = tree.node()
    for width in [0, 1, 20, 80] {
      let height = ViewLayout.height(of: node, width: width, in: Self.environment)
      let view = ViewLayout.layOut(node, width: width, in: Self.environment)
      #expect(view.size == Size(columns: width, rows: height))
    }
  }

  @Test func `does not draw a hundred million cells`() {
    var huge = ViewNode(.zstack(LayeredContent(children: [])))
    huge.style.background = .red
    huge.frame = FrameBounds(width: .max, height: .max)
    huge.padding = EdgeInsets(top: .max, left: .max, bottom: .min, right: .max)
    let layers = ViewNode(.zstack(LayeredContent(children: Array(repeating: huge, count: 4000))))
    let view = ViewLayout.layOut(layers, width: 10_000, in: Self.environment)
    #expect(view.size.rows == 10_000)
    #expect(view.runs.count <= 100_000)
  }

  @Test(arguments: [true, false])
  func `does not draw a figure larger than a page`(isChart: Bool) {
    let values: [Double?] = (0..<20_000).map { Double($0 % 7) }
    let chart = ChartContent(series: [ChartSeries(values: values)], height: 10_000)
    let sparkline = SparklineContent(values: values, height: 10_000)
    let node = ViewNode(isChart ? .chart(chart) : .sparkline(sparkline))
    let stack = ViewNode(.vstack(StackContent(children: Array(repeating: node, count: 100))))
    let view = ViewLayout.layOut(stack, width: 10_000, in: Self.environment)
    #expect(view.runs.reduce(0) { $0 + $1.cells.count } <= 1_000_000)
  }

  @Test func `measures each node of a deep tree once`() {
    var node = ViewNode(.text(TextContent(spans: [TextSpan("some words to wrap")])))
    for level in 0..<200 {
      let stack = StackContent(children: [node, ViewNode(.spacer(minLength: 0))], spacing: 0)
      node = ViewNode(level % 2 == 0 ? .hstack(stack) : .vstack(stack))
    }
    let view = ViewLayout.layOut(node, width: 40, height: 10, in: Self.environment)
    #expect(Golden.text(view).hasPrefix("some words to wrap\n"))
  }
}
