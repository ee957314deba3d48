import FoundationEssentials
import Testing

@testable import WidgetKitCore

struct BuilderTests {
  private struct Item: Identifiable {
    var id: Int
  }

  private func node(@ViewBuilder _ content: () -> Group) -> ViewNode {
    content().node
  }

  @Test func `a block with conditions and loops keeps its order`() {
    let flag = true
    let tree = node {
      Text("a")
      if flag { Text("b") }
      if !flag { Text("no") } else { Text("c") }
      for number in 1...2 { Text("\(number)") }
      ForEach(0..<2) { Text("f\($0)") }
      EmptyView()
      switch flag {
      case true: Text("s")
      case false: Divider()
      }
    }
    #expect(tree.words == "a|b|c|1|2|f0|f1|s")
  }

  @Test func `a block with one view needs no stack`() {
    #expect(node { Text("a") } == Text("a").node)
    #expect(node {} == ViewNode(.vstack(StackContent(children: []))))
  }

  @Test func `a text with one style has it on the node, others on their spans`() {
    let single = Text("a").bold().foregroundStyle(.red).node
    #expect(single.style == TextStyle(foreground: .red, bold: true))
    #expect(single.content == .text(TextContent(spans: [TextSpan("a")])))
    let joined = (Text("a").bold() + Text("b").dim().link("x:y")).lineLimit(1).node
    let spans = [
      TextSpan("a", style: TextStyle(bold: true)),
      TextSpan("b", style: TextStyle(dim: true), link: "x:y"),
    ]
    #expect(joined.content == .text(TextContent(spans: spans, lineLimit: 1)))
    #expect(joined.style == .inherited)
  }

  @Test func `a clock is a date node without a date`() {
    let clock = Text(.currentDate, style: .time, timeZone: "Asia/Tokyo").dim().node
    let content = DateContent(date: nil, display: .time, timeZone: "Asia/Tokyo")
    #expect(clock.content == .date(content))
    #expect(clock.style.dim == true)
    let date = Date(timeIntervalSince1970: 0)
    let joined = (Text("since ") + Text(date, style: .relative)).node
    guard case .hstack(let stack) = joined.content else {
      Issue.record("expected a stack, found \(joined)")
      return
    }
    #expect(stack.spacing == 0)
    #expect(stack.children.last?.content == .date(DateContent(date: date, display: .relative)))
  }

  @Test func `elements of a ForEach have their ids`() {
    let tree = node { ForEach([Item(id: 7), Item(id: 8)]) { Text("\($0.id)") } }
    guard case .vstack(let stack) = tree.content else { return }
    #expect(stack.children.map(\.id) == ["7", "8"])
    #expect(node { ForEach([Item(id: 7)]) { _ in Text("x").id("own") } }.id == "own")
  }

  @Test func `padding is outside an existing frame or background`() {
    let inside = Text("a").padding(1).padding(.leading, 2).background(.blue).node
    #expect(inside.padding == EdgeInsets(top: 1, left: 3, bottom: 1, right: 1))
    #expect(inside.style.background == .blue)
    let outside = Text("a").background(.blue).layoutPriority(2).padding().node
    #expect(outside.style.background == nil)
    #expect(outside.layoutPriority == 2)
    guard case .vstack(let stack) = outside.content else {
      Issue.record("expected a stack, found \(outside)")
      return
    }
    #expect(stack.children.first?.style.background == .blue)
  }

  @Test func `rows of a grid are its cells`() {
    let tree = Grid(columns: [GridColumn(alignment: .trailing)]) {
      for row in 0..<2 {
        GridRow {
          Text("\(row)")
          Text("b")
        }
      }
      Divider()
    }
    .node
    guard case .grid(let grid) = tree.content else { return }
    #expect(grid.rows.map(\.count) == [2, 2, 1])
    #expect(grid.columns == [GridColumn(alignment: .trailing)])
  }

  @Test func `modifiers apply to every view of a group, limits to every text`() {
    let group = Group {
      Text("a")
      HStack { Text("b") }
    }
    .lineLimit(1).id("x")
    #expect(group.nodes.map(\.id) == ["x", "x"])
    guard case .hstack(let stack) = group.nodes[1].content,
      case .text(let text) = stack.children[0].content
    else {
      Issue.record("expected a text in a stack, found \(group.nodes)")
      return
    }
    #expect(text.lineLimit == 1)
  }

  @Test func `controls carry their actions`() {
    let button = Button("More", action: "more").node
    #expect(button.action == "more")
    #expect(button.content == .button(ControlContent(label: Text("More").node)))
    let toggle = Toggle("Milk", isOn: true, action: "t").node
    #expect(toggle.content == .toggle(ToggleContent(label: Text("Milk").node, isOn: true)))
    #expect(Link("Site", destination: "https://example.com").node.link == "https://example.com")
  }

  @Test func `a gauge takes its labels from texts`() {
    let gauge = Gauge(value: 3, in: 0...10) {
      Text("CPU")
    } currentValueLabel: {
      Text("30 %").bold()
    }
    .threshold(at: 8, .red)
    let content = GaugeContent(
      value: 3,
      minimum: 0,
      maximum: 10,
      label: "CPU",
      valueLabel: "30 %",
      thresholds: [GaugeThreshold(at: 8, foreground: .red)]
    )
    #expect(gauge.node.content == .gauge(content))
  }
}
