import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetPages

/// Entries shown at their time, without the widget.
struct TimelineTests {
  private func world(_ policy: String, entries: Int = 4) throws -> EngineWorld {
    let start = Date(timeIntervalSince1970: 1_800_000_000)
    let list = (0..<entries).map { number in
      let date = start.addingTimeInterval(Double(number) * 3600).formatted(.iso8601)
      let view = stack(number + 1, "hour\(number)")
      return #"{"date":"\#(date)","view":\#(view)}"#
    }
    // In any order.
    let timeline = #"{"entries":[\#(list.reversed().joined(separator: ","))],"policy":\#(policy)}"#
    return try EngineWorld(
      ["widgetPerformUpdate": #"{"result":"newData","timeline":\#(timeline)}"#]
    )
  }

  @Test("four hourly entries are shown with one start, also after the process has ended")
  func showsEntriesAtTheirTimes() throws {
    let world = try world(#""never""#)
    let widget = try world.open()
    var pictures: [String] = []
    for hour in 0..<4 {
      pictures.append(world.picture.first ?? "")
      if hour == 1 {
        world.center.screen.setVisible([])
        world.pass(.seconds(20), step: .seconds(1))
        widget.crash()
      }
      world.pass(.seconds(3600), step: .seconds(60))
    }
    #expect(pictures == ["hour0 1", "hour1 1", "hour2 1", "hour3 1"])
    #expect(world.runs.count == 1)
    #expect(world.updates == [.newData])
  }

  @Test("atEnd asks again after the last entry, after at its date", arguments: [0, 1])
  func asksByThePolicy(kind: Int) throws {
    let after = Date(timeIntervalSince1970: 1_800_000_000 + 5 * 3600).formatted(.iso8601)
    let world = try world(kind == 0 ? #""atEnd""# : #"{"after":"\#(after)"}"#)
    try world.open()
    let hours = kind == 0 ? 3 : 5
    world.pass(.seconds(hours * 3600 - 60), step: .seconds(60))
    #expect(world.updates.count == 1)
    world.pass(.seconds(120), step: .seconds(10))
    #expect(world.updates.count == 2)
  }

  @Test("after a restart the current entry is shown from the disk")
  func survivesARestart() throws {
    let first = try world(#""never""#)
    try first.open()
    first.center.shutdown {}
    first.pass(.seconds(3))
    let second = try EngineWorld(folder: first.folder)
    second.clock.advance(by: .seconds(2 * 3600 + 5))
    second.center.screen.setWidth(40)
    #expect(second.picture.first == "hour2 1")
    #expect(second.rows == 3)
    second.pass(.seconds(3600), step: .seconds(60))
    #expect(second.picture.first == "hour3 1")
    #expect(second.runs.isEmpty)
  }
}
