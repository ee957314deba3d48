import FoundationEssentials
import Testing
import WidgetHost
import WidgetKitCore

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
        ----------------------------------------

        """
    )
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
