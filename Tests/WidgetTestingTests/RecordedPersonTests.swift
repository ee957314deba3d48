import FoundationEssentials
import Testing
import WidgetKitCore
import WidgetPages
import WidgetTestSupport

@testable import WidgetTesting

/// What people and other programs did is played again from a trace.
@Suite(.timeLimit(.minutes(2)))
struct RecordedPersonTests {
  private let authored: AuthoredBundle
  /// A widget that offers two forms, and does less else.
  private let forms: AuthoredBundle

  init() throws {
    authored = try AuthoredBundle(fault: "everything")
    forms = try AuthoredBundle(fault: "forms")
  }

  /// Records what is done on a page with the widget; returns the trace and what was shown at its end.
  private func record(
    _ widget: AuthoredBundle? = nil,
    _ steps: (WidgetHarness) async throws -> Void
  ) async throws -> (trace: Trace, rows: [String]) {
    let path = "\(authored.world.path)/trace"
    var options = HarnessOptions(environment: authored.world.environment(term: nil))
    options.tracePath = path
    let harness = try WidgetHarness(bundle: try (widget ?? authored).bundle, options)
    try await harness.appear(width: 40)
    try await steps(harness)
    let rows = harness.rows
    await harness.finish()
    return (try Trace(path: path), rows)
  }

  private func play(_ trace: Trace) async throws -> (differences: [String], rows: [String]) {
    let environment = authored.world.environment(term: nil)
    let replay = try WidgetReplay(trace, "com.example.Cups", environment: environment)
    await replay.run()
    let rows = replay.harness.rows
    await replay.harness.finish()
    return (replay.differences, rows)
  }

  @Test func `rows that are moved, removed and added, while the widget is edited`() async throws {
    let (trace, rows) = try await record { harness in
      try await harness.edit(true)
      try await harness.change(.move(1), row: "a")
      try await harness.change(.add, row: "a")
      try await harness.change(.remove, row: "b")
      try await harness.change(.move(-1), row: "new")
      try await harness.edit(false)
    }
    let places = ["row new", "row a"].map { row in rows.firstIndex { $0.contains(row) } ?? -1 }
    #expect(places[0] >= 0 && places[0] < places[1] && !rows.contains { $0.contains("row b") })
    let played = try await play(trace)
    #expect(played.differences == [])
    #expect(played.rows == rows)
  }

  @Test func `settings, notifications, shared values and transfers`() async throws {
    let (trace, rows) = try await record { harness in
      try harness.configure(#"{"unit":"mugs"}"#)
      try await harness.settle()
      harness.page.post("group.com.example.changed")
      try await harness.settle()
      harness.page.changeDefaults("group.com.example", ["size"])
      try await harness.settle()
      harness.page.deliver(TransferDidProgressNotification(task: "1", bytes: 10, total: 20))
      try await harness.settle()
      try await harness.deliver(.init(identifier: "s", events: []))
    }
    for words in [
      "0 mugs", "didReceiveNotification", "defaultsDidChange",
      "transferDidProgress", "handleEventsForBackgroundURLSession",
    ] {
      #expect(rows.contains { $0.contains(words) }, "\(words)")
    }
    let played = try await play(trace)
    #expect(played.differences == [])
    #expect(played.rows == rows)
  }

  @Test func `typing, the toggle, the theme and the focus`() async throws {
    let (trace, _) = try await record { harness in
      try await harness.type("tea", in: "new")
      try await harness.press("lamp")
      try await harness.setDark(false)
      try await harness.hidePage(true)
      try await harness.hidePage(false)
      try await harness.appear(width: 60)
    }
    let played = try await play(trace)
    #expect(played.differences == [])
  }

  @Test func `the form of the card`() async throws {
    let (trace, rows) = try await record(forms) { harness in
      try await harness.expand(true)
    }
    #expect(rows.contains { $0.contains("saucer") })
    let played = try await play(trace)
    #expect(played.differences == [])
    #expect(played.rows == rows)
  }

  @Test func `each process of a trace is played against the widget, one after the other`()
    async throws
  {
    let (trace, rows) = try await record { harness in
      try await harness.press("more")
      try await harness.kill()
      try await harness.advance(by: .seconds(5))
      try await harness.press("more")
    }
    #expect(rows.first == "2 cups")
    let environment = authored.world.environment(term: nil)
    let same = try HostReplay(trace, try authored.bundle, environment: environment)
    try await same.run()
    // The second process finds what the first one has stored.
    #expect(same.differences == [])
    let other = try AuthoredBundle(fault: "start")
    let replay = try HostReplay(trace, try other.bundle, environment: environment)
    try await replay.run()
    #expect(replay.differences.contains { $0.hasPrefix("process 2: ") }, "\(replay.differences)")
    other.remove()
    authored.remove()
  }
}
