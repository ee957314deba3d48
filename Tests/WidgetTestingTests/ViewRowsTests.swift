import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

/// The text of a view without a widget around it.
@MainActor struct ViewRowsTests {
  @Test func `it is laid out at a width`() {
    let row = HStack {
      Text("5C")
      Spacer()
      Text("2 min")
    }
    #expect(row.rows(width: 12) == ["5C     2 min"])
    #expect(Group { Text("one two").lineLimit(2) }.rows(width: 4) == ["one", "two"])
  }

  @Test(arguments: [-1, 0, 1])
  func `there is no width that does harm`(width: Int) {
    _ = Text("one two").rows(width: width)
    #expect(EmptyView().rows(width: width).joined() == "")
  }

  @Test func `dates are those of a time`() {
    let time = Text(.currentDate, style: .time, timeZone: "UTC")
    #expect(time.rows(width: 20, now: Date(timeIntervalSince1970: 3_723)) == ["01:02:03"])
  }
}
