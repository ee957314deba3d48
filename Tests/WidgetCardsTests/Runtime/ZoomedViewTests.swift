import FoundationEssentials
import Testing
import WidgetKitCore

@testable import WidgetCards

/// Views that have the whole screen.
@Suite struct ZoomedViewTests {
  private func rows(_ view: ViewNode) -> Int {
    ViewLayout.layOut(view, width: 60, height: nil, in: LayoutEnvironment(now: .distantPast)).size
      .rows
  }

  private func view(@ViewBuilder _ content: () -> Group) -> ViewNode {
    content().node
  }

  private func filled(_ view: ViewNode, _ screen: Int) -> Int {
    rows(ZoomedView.fill(view, rows: screen) { rows($0) })
  }

  private let values: [Double?] = [1, 5, 3]

  @Test(arguments: [0, 5, 6, 20, 37, 1_000])
  func `charts take the height that is left, and no more than that`(screen: Int) {
    let view = view {
      Text("Load")
      Chart(values, height: 4)
    }
    #expect(filled(view, screen) == max(5, screen))
  }

  @Test func `charts above and beside each other share the height`() {
    let column = view {
      Chart(values, height: 2)
      Chart(values, height: 2)
    }
    #expect(filled(column, 20) == 20)
    let line = view {
      HStack {
        Chart(values, height: 2)
        Chart(values, height: 2)
      }
    }
    #expect((19...20).contains(filled(line, 20)))
  }

  @Test func `only charts are stretched, and a bar in a line stays in its line`() {
    let view = view {
      Text("One")
      Spacer()
      Sparkline(values)
    }
    #expect(filled(view, 30) == rows(view))
  }

  @Test func `a list shows all of its rows`() {
    let view = view {
      List("jobs", minimumVisibleRowCount: 2) {
        ForEach(Array(1...9), id: \.self) { number in Row("\(number)") { Text("Job \(number)") } }
      }
    }
    #expect(rows(view) == 3)
    #expect(filled(view, 30) == 9)
  }
}
