import FoundationEssentials
import Testing
import WidgetCards
import WidgetKitCore
import WidgetSessions

@testable import WidgetTUI

@Suite struct PlainWriterTests {
  private let writer = PlainWriter(width: 40, date: SamplePage.now)

  private func labelled() -> ViewNode {
    var chart = ViewNode(.gauge(GaugeContent(value: 0.5, label: "CPU")))
    chart.accessibilityLabel = "Processor at half"
    chart.frame.width = 2
    return ViewNode(
      .vstack(StackContent(children: [ViewNode.plainText("Clock"), chart, ViewNode(.divider)]))
    )
  }

  @Test func `cards are lines, with labels in place of what they describe`() {
    var card = SamplePage.card("System", .live, age: 250)
    card.view = labelled()
    #expect(
      writer.text([card]) == """
        Friday 20 November

        System, 4 min ago
        Clock
        Processor at half


        """
    )
  }

  @Test func `figures without labels are words`() {
    var card = SamplePage.card("System", .live)
    func shown(_ content: ViewNode.Content) -> String {
      card.view = ViewNode(.vstack(StackContent(children: [ViewNode(content)])))
      let text = PlainWriter(width: 60, date: SamplePage.now, showsHeader: false).text([card])
      return text.split(separator: "\n").dropFirst().joined(separator: "|")
    }
    #expect(shown(.gauge(GaugeContent(value: 0.42))) == "42 %")
    #expect(shown(.gauge(GaugeContent(value: 3, maximum: 2, label: "Disk"))) == "Disk 100 %")
    #expect(shown(.gauge(GaugeContent(value: 1, minimum: 5, maximum: 5))) == "0 %")
    let memory = GaugeContent(value: 7, maximum: 24, label: "Memory", valueLabel: "7 of 24 GiB")
    #expect(shown(.gauge(memory)) == "Memory 7 of 24 GiB")
    let values: [Double?] = [1, nil, 9.256, 4e300, -12.34]
    #expect(shown(.sparkline(SparklineContent(values: values))) == "-12.3 to 4e+300, now -12.3")
    #expect(shown(.sparkline(SparklineContent(values: [nil]))) == "")
    let series = [ChartSeries(name: "in", values: [1, 2]), ChartSeries(values: [3])]
    #expect(
      shown(.chart(ChartContent(series: series, unit: "kB")))
        == "in 1 to 2, now 2 kB; 3 to 3, now 3 kB"
    )
    // Beside a text a line of bars says nothing more.
    let row = [ViewNode.plainText("CPU"), ViewNode(.sparkline(SparklineContent(values: [1, 2])))]
    #expect(shown(.hstack(StackContent(children: row))) == "CPU")
  }

  @Test func `what is wrong is said in words`() {
    var failed = SamplePage.card("Builds", .failed)
    failed.message = "no answer for 30 s"
    let starting = SamplePage.card("Clock", .starting)
    let text = PlainWriter(width: 40, date: SamplePage.now, showsHeader: false)
      .text([failed, starting])
    #expect(text == "Builds, no answer for 30 s\n\nClock\nNothing to show yet.\n")
  }
}

extension ViewNode {
  /// A line of text.
  fileprivate nonisolated static func plainText(_ text: SafeText) -> ViewNode {
    ViewNode(.text(TextContent(spans: [TextSpan(text)])))
  }
}
