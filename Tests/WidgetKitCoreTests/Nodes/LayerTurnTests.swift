import Foundation
import Testing

@testable import WidgetKitCore

/// Layers that take turns.
@Suite struct LayerTurnTests {
  private func layOut(
    _ json: String,
    at seconds: Double,
    takesTurns: Bool = true,
    width: Int = 10
  ) throws -> LaidOutView {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(json.utf8))
    let now = Date(timeIntervalSince1970: seconds)
    var environment = LayoutEnvironment(now: now, dates: DateWording(offsetFromGMT: 0))
    environment.takesTurns = takesTurns
    return ViewLayout.layOut(node, width: width, in: environment)
  }

  private func words(_ view: LaidOutView) -> String {
    view.runs.map { $0.cells.map(\.glyph.text).joined() }.joined(separator: "|")
  }

  private static let three = #"{"type":"zstack","interval":5,"children":["a","b","c"]}"#

  @Test(arguments: [
    (0.0, "a", 5.0), (4.9, "a", 5), (5, "b", 10), (14.9, "c", 15), (15, "a", 20), (-0.1, "c", 0),
    (-5, "c", 0), (-5.1, "b", -5),
  ])
  func `each is shown for as long as the interval`(
    seconds: Double,
    expected: String,
    end: Double
  ) throws {
    let view = try layOut(Self.three, at: seconds)
    #expect(words(view) == expected)
    #expect(view.nextChange == Date(timeIntervalSince1970: end))
  }

  @Test func `without turns the first stays, and nothing changes`() throws {
    let view = try layOut(Self.three, at: 7, takesTurns: false)
    #expect(words(view) == "a")
    #expect(view.nextChange == nil)
  }

  @Test(arguments: [
    (#"{"type":"zstack","interval":5,"children":["a"]}"#, "a"),
    (#"{"type":"zstack","interval":5,"children":[]}"#, ""),
    (#"{"type":"zstack","interval":0,"alignment":"leading","children":["a","bb"]}"#, "a|bb"),
    (#"{"type":"zstack","interval":null,"alignment":"leading","children":["a","bb"]}"#, "a|bb"),
  ])
  func `one alone, none, and those without an interval need no wake-up`(
    json: String,
    expected: String
  ) throws {
    let view = try layOut(json, at: 7)
    #expect(words(view) == expected)
    #expect(view.nextChange == nil)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
  func `an odd clock shows one of them`(seconds: Double) throws {
    #expect(["a", "b", "c"].contains(words(try layOut(Self.three, at: seconds))))
  }

  @Test func `the height is that of the highest, and only what is shown can be pressed`() throws {
    let json = #"""
      {"type":"zstack","interval":3,"alignment":"leading","children":[
        {"type":"text","text":"a","action":"one"},
        {"type":"vstack","children":["b",{"type":"text","text":"c","action":"two"}]}]}
      """#
    let first = try layOut(json, at: 0)
    let second = try layOut(json, at: 3)
    #expect(first.size.rows == 2 && second.size.rows == 2)
    #expect(first.targets.map(\.action) == ["one"])
    #expect(second.targets.map(\.action) == ["two"])
  }

  @Test func `the interval is written and read`() throws {
    let node = try JSONDecoder().decode(ViewNode.self, from: Data(Self.three.utf8))
    let again = try JSONDecoder().decode(ViewNode.self, from: JSONEncoder().encode(node))
    #expect(again == node)
    guard case .zstack(let layers) = again.content else {
      Issue.record("no layers")
      return
    }
    #expect(layers.interval == 5)
  }
}
