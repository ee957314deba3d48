import Testing
import WidgetKitCore
import WidgetTesting

@testable import WidgetHost

/// Cards that are shown as they are on a locked page.
@Suite struct LockedCardTests {
  private let secret = #"{"type":"text","text":"balance 4711","privacySensitive":true}"#

  private func world(_ allowed: [String: Bool]) throws -> EngineWorld {
    let world = try EngineWorld(["performAction": "{}"], first: #","view":\#(secret)"#) {
      $0.allowedWhenLocked = allowed
    }
    try world.open()
    world.pass(.seconds(1))
    return world
  }

  @Test func `a card that the user allows is shown as it is while the page is locked`() throws {
    let covered = try world([:])
    covered.center.setLocked(true)
    #expect(covered.picture != ["balance 4711"])
    let allowed = try world(["com.example.A": true])
    allowed.center.setLocked(true)
    #expect(allowed.picture == ["balance 4711"])
    let other = try world(["com.example.B": true])
    other.center.setLocked(true)
    #expect(other.picture != ["balance 4711"])
  }

  @Test func `the setting applies at once`() throws {
    let world = try world([:])
    world.center.setLocked(true)
    var configuration = world.center.configuration
    configuration.allowedWhenLocked = ["com.example.A": true]
    world.center.apply(configuration)
    #expect(world.picture == ["balance 4711"])
    configuration.allowedWhenLocked = [:]
    world.center.apply(configuration)
    #expect(world.picture != ["balance 4711"])
  }

  @Test func `no private content of it is stored, and no press reaches it`() throws {
    let world = try EngineWorld(
      ["performAction": "{}"],
      first: #","view":{"type":"button","id":"b","label":"pay 4711","action":"pay","#
        + #""privacySensitive":true}"#
    ) {
      $0.allowedWhenLocked = ["com.example.A": true]
      $0.isLocked = true
    }
    try world.open()
    try world.press(element: "b")
    world.pass(.seconds(40))
    #expect(try world.presses.isEmpty)
    #expect(try world.snapshotFiles().isEmpty)
  }

  @Test func `the setting is read with its place, beside settings of the widget`() {
    let text =
      "{ widgets: { 'org.today.Clock': { allowWhenLocked: true, span: 2, zones: [] },"
      + " 'org.today.System:b': { allowWhenLocked: 7 } } }"
    let read = UserConfiguration(bytes: Array(text.utf8), path: "config.json")
    let clock = CardSettings(span: 2, allowWhenLocked: true)
    #expect(read.settings.cards == ["org.today.Clock": clock])
    #expect(
      read.problems.map(\.string) == [
        "config.json:1:121: widgets.\"org.today.System:b\".allowWhenLocked: expected true or false, "
          + "found 7"
      ]
    )
    let good = UserConfiguration(
      bytes: Array("{ widgets: { 'a.b': { allowWhenLocked: true, span: 2 } } }".utf8),
      path: "config.json"
    )
    #expect(good.settings.cards == ["a.b": CardSettings(span: 2, allowWhenLocked: true)])
    #expect(good.settings.spans == ["a.b": 2])
  }
}
